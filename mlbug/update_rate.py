"""Learning rates that make the loss explode, and gradients that pile up between calls."""

import numpy as np

from .report import Finding

STEPS = 20
EXPLODED = 100.0  # growth of the loss over its start that no correct program shows in so few steps


def check_accumulation(guard):
    """Find gradients that add up from call to call: the second of two equal calls gives twice the first."""
    first, second = (guard.grad(guard.params(), guard.problem.train) for _ in range(2))
    where = [n for n in first if np.any(first[n]) and _same(second[n], 2.0 * first[n])]
    if not where:
        return []
    meaning = (
        f"Called twice at one point, `grad` gives {', '.join(where)} doubled: gradients add up between calls."
    )
    return [
        Finding(
            "updates", "fault", tuple(where), {"ratio of the second call to the first": 2.0}, meaning,
            "Set the gradient to zero at the start of each backward pass.", "accumulates",
        )
    ]  # fmt: skip


def _same(a, b):
    return bool(np.isfinite(a).all() and np.allclose(a, b, rtol=1e-9, atol=0.0))


def descend(guard, rate, steps=STEPS, names=None, own=False):
    """Return the losses of full-batch steps, shape (steps + 1,) or less once one is not finite.

    Parameters
    ----------
    guard : Guard
    rate : float
    steps : int
    names : iterable of str, optional
        Parameters that move; all by default.
    own : bool
        Whether the program's update rule is used; plain gradient descent otherwise.
    """
    params, train = guard.params(), guard.problem.train
    losses = [guard.loss(params, train)]
    for _ in range(steps):
        grads = guard.grad(params, train)
        if own:
            params = guard.update(params, grads, rate)
        else:
            params = {n: v - rate * grads[n] if names is None or n in names else v for n, v in params.items()}
        losses.append(guard.loss(params, train))
        if not np.isfinite(losses[-1]) or not all(np.isfinite(v).all() for v in params.values()):
            break
    return np.array(losses)


def check_rate(guard, seed):
    """Find a stated rate at which the loss explodes, or one so low that nothing is learned."""
    rate = guard.problem.learning_rate
    if rate is None:
        return []
    own = guard.problem.update is not None
    losses = _fresh(guard, rate, own)
    if not np.isfinite(losses[0]):
        return []
    if not _exploded(losses):
        return _too_low(guard, rate, losses, own)
    for factor in 4.0 ** -np.arange(1.0, 25.0):
        calm = descend(guard, rate * factor)
        if _steady(calm):
            return [_too_high(guard, rate, rate * factor, losses, calm)]
    return []


def _fresh(guard, rate, own):
    guard.reset_update()
    losses = descend(guard, rate, own=own)
    guard.reset_update()
    return losses


def _steady(losses):
    return len(losses) == STEPS + 1 and bool(np.all(np.diff(losses) < 0))


def _too_low(guard, rate, losses, own):
    """Compare with rates many thousand times higher: if the loss still falls steadily, the rate is lost."""
    gain = losses[0] - losses[-1]
    for factor, status in ((1e5, "fault"), (1e3, "suspect")):
        faster = _fresh(guard, rate * factor, own)
        learned = faster[0] - faster[-1]
        if _steady(faster) and learned > 0.01 * abs(faster[0]) and abs(gain) < 30.0 / factor * learned:
            evidence = {
                "stated rate": rate, "loss at start": losses[0], "last loss": losses[-1], "steps": STEPS,
                "higher rate": rate * factor, "last loss with it": faster[-1],
            }  # fmt: skip
            meaning = (
                f"At the rate {rate:g} the loss goes from {losses[0]:.6g} to {losses[-1]:.6g} in "
                f"{STEPS} steps; at {factor:g} times that it still falls at every step, to {faster[-1]:.3g}."
            )
            step = "Raise the learning rate by factors of ten until the loss no longer falls steadily."
            where = tuple(guard.problem.params)
            return [Finding("updates", status, where, evidence, meaning, step, "rate-too-low")]
    return []


def _exploded(losses):
    start = abs(losses[0])
    return not np.isfinite(losses[-1]) or losses[-1] - losses[0] > EXPLODED * max(start, 1e-12)


def _too_high(guard, rate, good, losses, calm):
    where = [n for n in guard.problem.params if _exploded(descend(guard, rate, names=(n,)))]
    evidence = {
        "stated rate": rate, "loss at start": losses[0], "loss after the first step": losses[1],
        "last loss": losses[-1], "steps": len(losses) - 1, "rate that lowers the loss": good,
        "loss with it": calm[-1],
    }  # fmt: skip
    meaning = (
        f"At the rate {rate:g} the loss goes from {losses[0]:.3g} to {losses[1]:.3g} in one step and "
        f"explodes; at {good:.2g} it falls at each of {STEPS} steps. The rate is too high for the curvature."
    )
    step = "Scale the inputs to mean 0 and deviation 1, or lower the learning rate."
    return Finding(
        "updates", "fault", tuple(where or guard.problem.params), evidence, meaning, step, "rate-too-high"
    )
