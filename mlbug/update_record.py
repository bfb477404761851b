"""Run a program's own update rule for some steps and keep what it was given and what it gave back."""

from dataclasses import dataclass

import numpy as np

from .guard import UserFunctionError
from .returns import named_arrays
from .update_laws import Stream

STEPS = 14
CALM = 9  # steps with the program's own gradients; later ones are larger, so that clipping shows, and turn
# round by turns, so that a rule that never looks at them shows even where the program's keep their sign


@dataclass(frozen=True)
class Step:
    """One step of an update rule: arrays by parameter name, and the learning rate (None if unknown)."""

    before: dict
    gradient: dict
    after: dict
    rate: float | None = None


def record(guard, seed):
    """Run the rule on minibatches from a fresh start.

    The rule gets the very arrays that the program's functions return, as in a real training loop, so
    that what aliasing does to them shows; what is kept are copies.

    Returns
    -------
    steps : list of Step
    silent : set of str
        Parameters whose gradient was zero throughout; they were given an invented one.
    """
    rng = np.random.default_rng(seed)
    guard.reset_update()
    params, steps = guard.params(), []
    typical, seen = _gradient(guard, params, rng)[1], set()
    for k in range(STEPS):
        before = {name: np.array(value) for name, value in params.items()}
        raw, gradient = _gradient(guard, before, rng)
        seen |= {name for name, value in gradient.items() if np.any(value)}
        silent = [name for name, value in gradient.items() if not np.any(value)]
        if k >= CALM or silent or not _calm(gradient, typical):
            gradient = _invent(gradient, typical, silent, 1.0 if k < CALM else (30.0, -10.0)[k % 2], rng)
            raw = {name: value.copy() for name, value in gradient.items()}
        rate = guard.problem.learning_rate * (1.0 if k < 4 else (1.0, 0.5, 1.5)[k % 3])
        params = guard._call("update", params, raw, rate)
        after = named_arrays("update", params, before)
        steps.append(Step(before, gradient, after, rate))
        if not _bounded(after, steps[0].before, k):
            break
    guard.reset_update()
    return steps, set(guard.problem.params) - seen


def _bounded(after, start, k):
    """Whether the record may go on: values that ran away hide in their own rounding what moved them."""
    finite = all(np.isfinite(value).all() for value in after.values())
    return finite and (k < 5 or _norm(after) <= 1e6 * (1.0 + _norm(start)))


def _gradient(guard, params, rng):
    """Return the program's gradient on a minibatch, as it came and as checked copies."""
    batch, n = guard.problem.train, len(guard.problem.train[0])
    few = guard.take(batch, np.sort(rng.permutation(n)[: max(1, min(32, n // 3))]))
    for part in (few, batch):
        try:
            raw = guard._call(
                "grad", {name: v.copy() for name, v in params.items()}, tuple(a.copy() for a in part)
            )
            return raw, named_arrays("grad", raw, params)
        except UserFunctionError:
            if part is batch:
                raise
    raise AssertionError


def _calm(gradient, typical):
    """Whether the gradient is finite and has not grown out of proportion."""
    size = _norm(gradient)
    return np.isfinite(size) and size <= 10.0 * (_norm(typical) or 1.0)


def _invent(gradient, typical, silent, scale, rng):
    """Return a gradient of usual size, near the program's where that is usable."""
    usual = _norm(typical)
    usual = usual if np.isfinite(usual) and usual > 0 else 1.0
    size = _norm(gradient)
    spread = np.sqrt(sum(value.size for value in gradient.values()))
    result = {}
    for name, value in gradient.items():
        if name in silent or not np.isfinite(size):
            new = rng.normal(size=value.shape) * usual / spread
        else:
            new = value * rng.uniform(0.5, 1.5, value.shape) * min(1.0, usual / (size or 1.0))
        result[name] = np.asarray(scale * new, dtype=value.dtype if value.dtype.kind == "f" else float)
    return result


def _norm(arrays):
    with np.errstate(all="ignore"):
        return float(np.sqrt(sum(np.sum(np.asarray(value, dtype=float) ** 2) for value in arrays.values())))


def streams_of(steps):
    """Return the record by block, as flat arrays, and the rounding error of each block's type.

    Parameters
    ----------
    steps : list of Step

    Returns
    -------
    streams : dict of str to Stream
    eps : dict of str to float
    """
    rate = np.array([1.0 if step.rate is None else float(step.rate) for step in steps])
    total = np.array([_norm(step.gradient) for step in steps])
    streams, eps = {}, {}
    for name in steps[0].before:
        parts = [[np.ravel(getattr(s, f)[name]) for s in steps] for f in ("before", "gradient", "after")]
        types = [part[0].dtype for part in parts]
        eps[name] = max(float(np.finfo(t).eps) if t.kind == "f" else 2.3e-16 for t in types) / 2.0
        before, gradient, after = (np.array(part, dtype=float) for part in parts)
        streams[name] = Stream(
            gradient, before, after - before, rate, np.linalg.norm(gradient, axis=1), total
        )
    return streams, eps


def shared_arrays(guard):
    """Return pairs of names whose returned arrays are one piece of memory, the second may be "grads".

    One more call of the rule, with the initial parameters.
    """
    params = guard.params()
    grads = {name: np.ones_like(value) for name, value in params.items()}
    result = guard._call("update", params, grads, guard.problem.learning_rate)
    named_arrays("update", result, params)
    guard.reset_update()
    arrays = {name: result[name] for name in params if isinstance(result[name], np.ndarray)}
    names = list(arrays)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i] if np.shares_memory(arrays[a], arrays[b])]
    return pairs + [
        (a, "grads") for a in names if any(np.shares_memory(arrays[a], g) for g in grads.values())
    ]
