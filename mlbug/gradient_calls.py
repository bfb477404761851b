"""Gradients that depend on the wrong call, or on the wrong examples."""

import numpy as np

from .gradient_terms import Cause
from .guard import UserFunctionError


def accumulates(grads):
    """Say whether three equal calls gave sums that grow by the same amount.

    Parameters
    ----------
    grads : list of dict
        Gradients of three calls with the same arguments.

    Returns
    -------
    list of str
        The blocks that grow.
    """
    growing = []
    for name in grads[0]:
        first, second, third = (np.asarray(g[name], dtype=float) for g in grads)
        if not (np.all(np.isfinite(first)) and np.all(np.isfinite(third))):
            continue
        step, next_step = second - first, third - second
        size = float(np.max(np.abs(step), initial=0.0))
        grows = size > 1e-9 * np.max(np.abs(third), initial=0.0)
        if grows and np.max(np.abs(next_step - step), initial=0.0) <= 1e-6 * size:
            growing.append(name)
    return growing


def history_cause(evaluations, point, other, block):
    """Try whether the gradient hangs on an earlier call instead of on its arguments.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Where the gradient is wrong.
    other : Point or None
        Another point.
    block : str
        Name of the parameter.
    """
    if other is None:
        return None
    here = np.asarray(point.grads[block], dtype=float)
    fresh = {}
    for name, function in (("loss", evaluations.loss), ("grad", evaluations.grad)):
        function(other.params, other.batch)
        fresh[name] = np.asarray(evaluations.grad(point.params, point.batch)[block], dtype=float)
    for name, value in fresh.items():
        if not _same(value, here, point):
            text = f"another one after {name} was called elsewhere: it uses values kept from an earlier call"
            return Cause("stale", text, "Compute the forward pass inside grad, from its own arguments.", 0.0)
    there = evaluations.grad(other.params, point.batch)
    if _same(np.asarray(there[block], dtype=float), here, point) and np.any(here):
        text = "the same at other parameters: it was computed from values that no longer hold"
        return Cause(
            "stale", text, "Look for parameters or activations that are kept from the first call.", 0.0
        )
    return None


def examples_cause(evaluations, point, block):
    """Try whether the gradient is that of a part of the batch, or of other examples than the batch's."""
    n = len(point.batch[0])
    here = np.asarray(point.grads[block], dtype=float)
    if n < 3 or not np.any(here):
        return None
    parts = (("the first example", slice(0, 1)), ("the last example", slice(n - 1, n)),
             ("the first half of the batch", slice(0, n // 2)),
             ("all examples but the last", slice(0, n - 1)),
             ("all examples but the first", slice(1, n)))  # fmt: skip
    grads = {}
    for words, part in parts:
        try:
            found = evaluations.grad(point.params, evaluations.guard.take(point.batch, part))
            grads[words] = np.asarray(found[block], dtype=float)
        except UserFunctionError:
            continue
    if len(grads) == len(parts) and all(_same(there, here, point) for there in grads.values()):
        text = "the same for any part of the batch: it does not look at the batch that it is given"
        return Cause(
            "ignores-batch", text, "Use the batch argument, not data from outside the function.", 0.0
        )
    for words, part in parts:
        there = grads.get(words)
        if there is None:
            continue
        share = len(range(*part.indices(n))) / n
        for factor, note in ((1.0, ""), (share, f", divided by all {n}")):
            if _same(here, factor * there, point):
                text = f"that of {words} alone{note}"
                return Cause(
                    "one-example", text, "Look for = where += belongs, or a loop that ends early.", 0.0
                )
    return None


def repeats_cause(evaluations, point, block):
    """Try whether rows that occur several times in the batch count once, as in ``g[index] += ...``.

    With every example twice the loss stays (a mean) or doubles (a sum), and so must the gradient; one
    that loses repeats comes out half as large.
    """
    whole = [array for array in point.batch if array.dtype.kind in "iu"]
    here = np.asarray(point.grads[block], dtype=float)
    if not whole or here.ndim < 1 or not np.any(here) or here.shape[0] < 2:
        return None
    twice = tuple(np.concatenate([array, array]) for array in point.batch)
    try:
        growth = evaluations.loss(point.params, twice) / evaluations.loss(point.params, point.batch)
        there = np.asarray(evaluations.grad(point.params, twice)[block], dtype=float)
    except (UserFunctionError, ZeroDivisionError):
        return None
    last = np.asarray(evaluations.grad(point.params, tuple(a[-1:] for a in point.batch))[block], dtype=float)
    n = len(point.batch[0])
    if round(growth) not in (1, 2) or not _same(there, 0.5 * round(growth) * here, point):
        return None
    if _same(here, last / n, point) or _same(here, last, point):
        return None
    text = "without repeats: where several examples use the same row, only one of them counts"
    return Cause("repeats-lost", text, "g[index] += values adds once to a repeated row: use np.add.at.", 0.0)


def _same(a, b, point):
    tolerance = max(1e-9, 8.0 * point.epsilon) * np.max(np.abs(b), initial=0.0)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance))
