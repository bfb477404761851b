"""Gradients whose numbers give the slip away: zeros, whole numbers, one number over and over."""

import numpy as np

from .gradient_terms import Cause

SAMPLED = 12


def zero_cause(grad):
    """Recognize a gradient that is zero throughout where the true one is not."""
    if np.any(grad):
        return None
    text = "zero throughout, though the loss depends on this parameter"
    return Cause("zero", text, "Look for a branch that is cut off, or a buffer that is never filled.", 1.0)


def whole_number_cause(grad, true_slope, block, rng):
    """Recognize a gradient that was cut to whole numbers.

    Parameters
    ----------
    grad : ndarray
        The given gradient of the block.
    true_slope : callable
        ``true_slope(direction)``, the true slope along a direction of the block.
    block : str
        Name of the parameter.
    rng : numpy.random.Generator
        Chooses entries.
    """
    g = np.asarray(grad, dtype=float)
    if not np.all(np.isfinite(g)) or np.any(g != np.round(g)):
        return None
    chosen = rng.permutation(g.size)[:SAMPLED]
    true = np.array([true_slope({block: _unit(g.shape, i)}) for i in chosen])
    given = g.ravel()[chosen]
    if not np.any(np.abs(true - given) > 1e-9 * np.abs(true)):
        return None
    for name, cut in (("cut", np.trunc), ("rounded", np.round), ("rounded down", np.floor)):
        if np.all(cut(true) == given):
            text = f"the true one {name} to whole numbers (its type is {np.asarray(grad).dtype})"
            return Cause(
                "integer",
                text,
                "Give the gradient's buffer a floating type: np.zeros(shape), not np.zeros_like of integers.",
                0.0,
            )
    return None


def repeated_cause(grad, true_slope, block, tolerance):
    """Recognize a gradient that repeats one number along an axis, as a sum over an axis too many does."""
    g = np.asarray(grad, dtype=float)
    top = np.unravel_index(int(np.argmax(np.abs(g))), g.shape)
    regions = [(slice(None),) * g.ndim] + [
        tuple(slice(None) if i == axis else place for i, place in enumerate(top)) for axis in range(g.ndim)
    ]
    for region in regions:
        part = g[region]
        if part.size < 2 or np.ptp(part) > 1e-12 * np.max(np.abs(part)):
            continue
        along = np.zeros(g.shape)
        along[region] = 1.0
        total = true_slope({block: along})
        one = float(part.ravel()[0])
        for value, words in ((total, "sum"), (total / part.size, "mean")):
            if abs(one - value) <= max(1e-6, tolerance) * abs(one):
                text = f"{one:.6g} in each of {part.size} entries, the {words} of the true ones"
                return Cause("wrong-axis", text, "Look for a sum over an axis too many.", 0.0, {"entry": one})
    return None


def clipped_cause(grads, block, factor):
    """Recognize a gradient that was clipped to a round norm or a round largest entry.

    `factor` is given over true gradient where the two are parallel, or None.
    """
    g = np.asarray(grads[block], dtype=float)
    total = float(np.sqrt(sum(np.sum(np.asarray(v, dtype=float) ** 2) for v in grads.values())))
    largest = float(np.max(np.abs(g)))
    if factor is not None and 0.0 < factor < 1.0:
        for norm, words in (
            (total, "of all gradients together"),
            (float(np.linalg.norm(g)), "of this block"),
        ):
            if _is_round(norm):
                return Cause(
                    "clipped",
                    f"scaled down to a norm {words} of {norm:.6g}: it is clipped",
                    "Clip in the update, not in the gradient.",
                    0.0,
                    {"norm": norm},
                    sure=False,
                )
    if np.sum(np.abs(g) == largest) > 1 and np.any(np.abs(g) < largest) and _is_round(largest):
        text = f"cut off at {largest:.6g} entry by entry: it is clipped"
        return Cause(
            "clipped", text, "Clip in the update, not in the gradient.", 0.0, {"limit": largest}, sure=False
        )
    return None


def _is_round(value):
    return value > 0 and abs(value - float(f"{value:.1g}")) <= 1e-6 * value


def _unit(shape, i):
    unit = np.zeros(shape)
    unit.flat[i] = 1.0
    return unit
