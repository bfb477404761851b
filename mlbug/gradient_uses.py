"""Which uses of a parameter a gradient accounts for, where the loss uses it several times.

A recurrent weight is used at every step, a tied weight in two layers. With complex parameters each use
can be given its imaginary part alone, which splits the true slope into one part a use.
"""

import numpy as np

from .evaluations import NotComplexSafe
from .gradient_terms import Cause
from .trace_notes import Uses

MOST_USES = 24


def uses_cause(point, block, rng, tolerance):
    """Express the given gradient as a sum of the parts of the true one, use by use.

    Parameters
    ----------
    point : Point
        Where the gradient is wrong.
    block : str
        Name of the parameter.
    rng : numpy.random.Generator
        Source of directions.
    tolerance : float
        Relative residual that counts as none.

    Returns
    -------
    Cause or None
        None where the loss uses the parameter once, or no such sum fits.
    """
    if block in point.slopes.unsafe:
        return None
    try:
        count = _count(point, block, rng)
        if not 2 <= count <= MOST_USES or point.params[block].size < 2:
            return None
        directions = [
            point.slopes.direction(block, rng)
            for _ in range(min(count + 3, point.params[block].size + count))
        ]
        parts = np.array([[_part(point, u, j) for j in range(count)] for u in directions])
    except NotComplexSafe:
        return None
    given = np.array(
        [float(np.vdot(u[block], np.asarray(point.grads[block], dtype=float))) for u in directions]
    )
    return _explain(parts, given, tolerance, point.params[block].size)


def _count(point, block, rng):
    uses = Uses()
    point.slopes.imaginary(point.slopes.direction(block, rng), 1e-20, uses)
    return uses.count


def _part(point, direction, use):
    return point.slopes.imaginary(direction, 1e-20, Uses(only=use)) / 1e-20


def _explain(parts, given, tolerance, size):
    count = parts.shape[1]
    sizes = np.linalg.norm(parts, axis=0)
    live = np.flatnonzero(sizes > 1e-12 * sizes.max())
    scaled = parts[:, live] / sizes[live]
    if len(live) < 2 or np.linalg.matrix_rank(scaled, tol=1e-8) < len(live) or len(live) >= size + 1:
        return None
    solution = np.linalg.lstsq(scaled, given, rcond=None)[0]
    weights = solution / sizes[live]
    residual = float(np.linalg.norm(given - scaled @ solution) / np.linalg.norm(parts.sum(axis=1)))
    simple = np.round(2.0 * weights) / 2.0
    error = float(np.linalg.norm(given - parts.sum(axis=1)) / np.linalg.norm(parts.sum(axis=1)))
    if residual > min(max(1e-6, tolerance), 0.05 * error) or np.any(
        np.abs(weights - simple) > max(1e-4, 10.0 * tolerance)
    ):
        return None
    if np.all(simple == 1.0):
        return None
    text = _words(live, simple, count)
    next_step = "Add up the contributions of all uses: carry the gradient on from each to the one before."
    return Cause("missing-uses", text, next_step, residual, {"uses": count, "weights": simple.tolist()})


def _words(live, simple, count):
    dropped = [int(j) + 1 for j, w in zip(live, simple, strict=True) if w == 0.0]
    kept = [int(j) + 1 for j, w in zip(live, simple, strict=True) if w == 1.0]
    if len(dropped) + len(kept) < len(live):
        pairs = ", ".join(f"{w:g} times use {j + 1}" for j, w in zip(live, simple, strict=True) if w != 1.0)
        return f"the true one with a wrong share of some of the {count} uses of this parameter: {pairs}"
    if not kept:
        return f"without all of the {count} uses of this parameter that matter"
    return (
        f"made from {_numbers(kept)} alone, though the loss uses this parameter {count} times; "
        f"nothing comes from {_numbers(dropped)}"
    )


def _numbers(values):
    if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
        return f"uses {values[0]} to {values[-1]}"
    return ("use " if len(values) == 1 else "uses ") + ", ".join(map(str, values))
