"""Name the slip behind a wrong gradient: each hypothesis in turn, the simplest first."""

import numpy as np

from .block_verdict import compare
from .gradient_calls import examples_cause, history_cause, repeats_cause
from .gradient_constants import clipped_cause, repeated_cause, whole_number_cause, zero_cause
from .gradient_examples import single_examples_cause
from .gradient_factors import known_factors
from .gradient_operations import operation_cause
from .gradient_outputs import output_cause
from .gradient_regularizer import regularizer_cause, without_regularizer
from .gradient_terms import Slips, fit, penalty_cause, rearranged_cause, scalar_cause
from .gradient_units import units_cause
from .gradient_uses import uses_cause

DIRECTIONS = 8


def name_cause(evaluations, point, other, block, comparisons, rng, coupled, guesses=()):
    """Return the first hypothesis that explains a wrong block of the gradient.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Where the gradient is wrong.
    other : Point or None
        A second point.
    block : str
        Name of the parameter.
    comparisons : list of Comparison
        Given and true slopes known so far.
    rng : numpy.random.Generator
        Source of directions.
    coupled : bool
        Whether the loss couples the examples of a batch.
    guesses : iterable of dict
        Slips in single operations that explained other blocks.

    Returns
    -------
    Cause or None
        None where no hypothesis leaves the true slopes without residual.
    """
    known = list(comparisons)
    while len(known) < DIRECTIONS:
        known.append(compare(point, point.slopes.direction(block, rng)))
    slips = Slips.of(known)
    grad, value = point.grads[block], np.asarray(point.params[block], dtype=float)
    factors = known_factors(point, evaluations.guard.problem)

    def true_slope(direction):
        return point.slopes.at(direction, point.grads).value

    def bare():
        return without_regularizer(evaluations, point)

    hypotheses = (
        lambda: whole_number_cause(grad, true_slope, block, rng) if grad.dtype.kind in "iu" else None,
        lambda: zero_cause(grad),
        lambda: regularizer_cause(evaluations, point, block, slips),
        lambda: _scalar(slips, point, block, factors),
        lambda: rearranged_cause(slips, block, grad, factors),
        lambda: penalty_cause(slips, block, value),
        lambda: whole_number_cause(grad, true_slope, block, rng),
        lambda: clipped_cause(point.grads, block, None),
        lambda: repeated_cause(grad, true_slope, block, slips.tolerance),
        lambda: output_cause(*bare(), block),
        lambda: repeats_cause(evaluations, point, block),
        lambda: examples_cause(evaluations, point, block),
        lambda: history_cause(evaluations, point, other, block),
        lambda: units_cause(*bare(), block, rng),
        lambda: uses_cause(point, block, rng, slips.tolerance),
        lambda: operation_cause(point, block, slips, guesses),
        lambda: single_examples_cause(*bare(), block, rng, coupled),
    )
    return next((cause for cause in (hypothesis() for hypothesis in hypotheses) if cause is not None), None)


def name_cause_in_box(evaluations, point, block, box, comparisons):
    """Return what explains a gradient that is wrong in a part of a block, from slopes of that part alone."""
    part = np.asarray(point.grads[block])[box]
    if not np.any(part):
        return zero_cause(part)
    plain = [
        f
        for f in known_factors(point, evaluations.guard.problem)
        if f.kind in ("sign", "factor-2", "factor-half")
    ]
    return scalar_cause(Slips.of(comparisons), block, part.shape, plain)


def _scalar(slips, point, block, factors):
    """A constant factor; where it has no known reason, a round norm tells of clipping."""
    cause = scalar_cause(slips, block, point.params[block].shape, factors)
    if cause is not None and cause.kind == "factor":
        return clipped_cause(point.grads, block, cause.evidence["factor"]) or cause
    return cause


def likeness(comparisons):
    """Return how parallel given and true gradient are along the directions at hand, from -1 to 1."""
    given = np.array([c.given for c in comparisons])
    true = np.array([c.slope.value for c in comparisons])
    c, residual = fit(true, given)
    return float(np.sign(c) * np.sqrt(max(0.0, 1.0 - residual**2)))
