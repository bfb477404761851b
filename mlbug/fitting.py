"""Train a program: by its own rule, or by a minimizer that needs no learning rate."""

import time
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from .probing import finite


@dataclass
class Fit:
    """The course of a training run.

    Parameters
    ----------
    params : dict of str to ndarray
        Parameters at the end, or the last finite ones.
    losses : list of float
        Loss at the start and after each step.
    reason : str
        ``"converged"`` (the gradient is zero to rounding), ``"no-descent"`` (no step along the negative
        gradient lowers the loss), ``"budget"`` or ``"diverged"``.
    norms : dict of str to list of float
        Root mean square of each parameter array after each step; only of `train_by_rule`.
    """

    params: dict
    losses: list
    reason: str = "budget"
    norms: dict = field(default_factory=dict)


def minimize(guard, batch, params=None, *, steps=120, seconds=5.0, memory=8):
    """Lower the loss on `batch` by limited-memory BFGS with a backtracking line search.

    It reads the program's own loss and gradient and sets its own step, so that what it reaches says
    something about those two alone, not about the learning rate or the update rule.

    Parameters
    ----------
    guard, batch, params
        The program, the examples to fit, and where to start (the initial parameters by default).
    steps, seconds, memory
        Largest number of steps, time after which to stop, number of remembered steps.

    Returns
    -------
    Fit

    References
    ----------
    J. Nocedal, Mathematics of Computation 35 (1980).
    """
    shape = _Flat(guard.params() if params is None else params)
    x, best = shape.start, guard.loss(shape.unpack(shape.start), batch)
    g = shape.pack(guard.grad(shape.unpack(x), batch))
    fit, pairs, scale = Fit({}, [best]), deque(maxlen=memory), np.linalg.norm(g)
    end = time.monotonic() + seconds
    for _ in range(steps):
        if time.monotonic() > end or not np.isfinite(best) or not np.isfinite(g).all():
            break
        if _is_flat(x, g, best, scale):
            fit.reason = "converged"
            break
        step = _line_search(guard, batch, shape, x, best, g, pairs)
        if step is None and pairs:
            pairs.clear()
            step = _line_search(guard, batch, shape, x, best, g, pairs)
        if step is None:
            fit.reason = "no-descent"
            break
        new_x, best = step
        new_g = shape.pack(guard.grad(shape.unpack(new_x), batch))
        if np.dot(new_x - x, new_g - g) > 0.0:
            pairs.append((new_x - x, new_g - g))
        x, g = new_x, new_g
        fit.losses.append(best)
    fit.params = shape.unpack(x)
    return fit


def _is_flat(x, g, loss, scale):
    """Say whether the gradient is zero to rounding, beside its first value or beside the loss."""
    size = np.linalg.norm(g)
    return size <= 1e-9 * max(scale, 1e-300) or size * max(np.linalg.norm(x), 1e-3) <= 1e-7 * abs(loss)


def train_by_rule(guard, batch, *, steps=200, seconds=3.0):
    """Train by the program's own update rule and learning rate, full batch.

    Where the program has no rule, plain gradient descent is its rule.

    Parameters
    ----------
    guard : Guard
        The program; its optimizer is reset before and after.
    batch : tuple of ndarray
        Training examples.
    steps : int
        Number of steps.
    seconds : float
        Time after which to stop, at least two steps are made.

    Returns
    -------
    Fit
    """
    params, rate = guard.params(), guard.problem.learning_rate
    guard.reset_update()
    fit = Fit(
        params, [guard.loss(params, batch)], norms={name: [_rms(value)] for name, value in params.items()}
    )
    end = time.monotonic() + seconds
    for step in range(steps):
        if step >= 2 and time.monotonic() > end:
            break
        grads = guard.grad(params, batch)
        if guard.problem.update is not None:
            params = guard.update(params, grads, 1.0 if rate is None else rate)
        else:
            params = {name: value - rate * grads[name] for name, value in params.items()}
        loss = guard.loss(params, batch) if finite(params) else np.inf
        fit.losses.append(loss)
        for name, value in params.items():
            fit.norms[name].append(_rms(value))
        if not np.isfinite(loss) or abs(loss) > 1e100:
            fit.reason = "diverged"
            break
        fit.params = params
    guard.reset_update()
    return fit


def trained(guard):
    """Return the program's training run: by its own rule, or where it has none by `minimize`."""
    if "trained" not in guard.memo:
        own = guard.problem.update is not None or guard.problem.learning_rate is not None
        run = train_by_rule if own else minimize
        guard.memo["trained"] = run(guard, guard.problem.train)
    return guard.memo["trained"]


def _line_search(guard, batch, shape, x, best, g, pairs):
    """Return the first point of a backtracking search that lowers the loss enough, with its loss."""
    direction = -_inverse_hessian(pairs, g)
    slope = float(np.dot(direction, g))
    if slope >= 0.0:
        direction, slope = -g, -float(np.dot(g, g))
    size = 1.0 if pairs else min(1.0, max(np.linalg.norm(x), 1.0) / max(np.linalg.norm(g), 1e-300))
    for _ in range(40):
        trial = x + size * direction
        loss = guard.loss(shape.unpack(trial), batch)
        if np.isfinite(loss) and loss < best + 1e-4 * size * slope and loss < best:
            return trial, loss
        size *= 0.3
    return None


def _inverse_hessian(pairs, g):
    """Apply the approximate inverse Hessian of the remembered steps to `g`."""
    q, weights = g.copy(), []
    for s, y in reversed(pairs):
        a = np.dot(s, q) / np.dot(s, y)
        weights.append(a)
        q -= a * y
    if pairs:
        s, y = pairs[-1]
        q *= np.dot(s, y) / np.dot(y, y)
    for (s, y), a in zip(pairs, reversed(weights), strict=True):
        q += (a - np.dot(y, q) / np.dot(s, y)) * s
    return q


def _rms(value):
    with np.errstate(all="ignore"):
        return float(np.sqrt(np.mean(np.square(value, dtype=float))))


class _Flat:
    """Parameters as one float64 vector and back in their own types."""

    def __init__(self, params):
        self.names = list(params)
        self.like = {
            name: value if value.dtype.kind == "f" else value.astype(float) for name, value in params.items()
        }
        self.start = self.pack(params)

    def pack(self, arrays):
        return np.concatenate([np.ravel(arrays[name]).astype(float) for name in self.names])

    def unpack(self, vector):
        arrays, at = {}, 0
        for name, value in self.like.items():
            arrays[name] = vector[at : at + value.size].reshape(value.shape).astype(value.dtype)
            at += value.size
        return arrays
