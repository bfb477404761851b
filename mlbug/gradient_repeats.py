"""Whether equal calls of loss and gradient give equal values."""

import numpy as np

from .gradient_calls import accumulates


def first_calls(evaluations, result, stack):
    """Call loss and gradient repeatedly with the same arguments; freeze random draws where they differ.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    result : GradientVerdict
        Gets `start_loss`, `random` and `accumulating`.
    stack : contextlib.ExitStack
        Keeps the draws frozen until it is closed.
    """
    params, batch = evaluations.guard.params(), evaluations.guard.problem.train
    losses, grads = _repeat(evaluations, params, batch)
    result.accumulating = accumulates(grads)
    if not result.accumulating and not _alike(losses, grads):
        stack.enter_context(evaluations.freeze_randomness())
        losses, grads = _repeat(evaluations, params, batch)
        result.random = "frozen" if _alike(losses, grads) else "not-deterministic"
    result.start_loss = losses[0]


def _repeat(evaluations, params, batch):
    losses = [evaluations.loss(params, batch) for _ in range(2)]
    return losses, [evaluations.grad(params, batch) for _ in range(3)]


def _alike(losses, grads):
    """Equal calls may differ by the order of a sum, that is by rounding, and no more."""
    coarse = _coarse(grads)
    return _close(np.array(losses[0]), np.array(losses[1]), 1e-5 if coarse else 1e-12) and all(
        _close(first, grads[1][name], 1e-4 if coarse else 1e-9) for name, first in grads[0].items()
    )


def _close(first, second, tolerance):
    size = np.max(np.abs(first), initial=0.0, where=np.isfinite(first))
    with np.errstate(invalid="ignore"):
        near = np.abs(np.asarray(first, dtype=float) - second) <= tolerance * size
    return bool(np.all(near | (first == second) | (np.isnan(first) & np.isnan(second))))


def _coarse(grads):
    return any(value.dtype.kind == "f" and value.dtype.itemsize < 8 for value in grads[0].values())
