"""Whether a gradient is right but for its regularizer."""

from dataclasses import replace

import numpy as np

from .evaluations import Evaluations
from .gradient_terms import Cause, fit
from .guard import UserFunctionError
from .slopes import Slopes

LOOK = "Give loss and gradient the same penalty: d/dw of c * sum(w**2) is 2 * c * w."
SHARES = {
    -1.0: ("regularizer-missing", "right but for the regularizer, whose gradient is missing"),
    1.0: ("regularizer-doubled", "right but for the regularizer, whose gradient is in it twice"),
    -0.5: (
        "regularizer-halved",
        "right but for the regularizer, whose gradient is half of what it should be",
    ),
    -2.0: ("regularizer-sign", "right but for the regularizer, whose gradient has the wrong sign"),
}


def regularizer_cause(evaluations, point, block, slips):
    """Switch the regularizer off in the loss and see whether the error is a multiple of its slope.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Where the gradient is wrong.
    block : str
        Name of the parameter.
    slips : Slips
        Given and true slopes with the regularizer on.

    Returns
    -------
    Cause or None
        None where there is no regularizer, or it does not explain the error.
    """
    guard = evaluations.guard
    if guard.problem.regularizer is None or not guard.regularized:
        return None
    try:
        plain, bare = without_regularizer(evaluations, point)
        true = np.array([bare.slopes.at(u, bare.grads).value for u in slips.directions])
    except UserFunctionError:
        return None
    given = slips.slopes_of(block, np.asarray(bare.grads[block], dtype=float))
    evaluations.losses += plain.losses
    evaluations.grads += plain.grads
    return _judge(slips, slips.true - true, given - true)


def without_regularizer(evaluations, point):
    """Return evaluations and point with the regularizer switched off, where there is one.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Parameters and examples.
    """
    guard = evaluations.guard
    if guard.problem.regularizer is None or not guard.regularized:
        return evaluations, point
    plain = Evaluations(guard.without_regularizer())
    grads = plain.grad(point.params, point.batch)
    slopes = Slopes(plain, point.params, point.batch, point.slopes.noise)
    slopes.like(point.slopes)
    return plain, replace(point, grads=grads, slopes=slopes)


def _judge(slips, penalty, error_without):
    """Compare the error with the slopes of the penalty, and with the error that stays without it."""
    error = slips.given - slips.true
    noise = slips.tolerance * float(np.linalg.norm(slips.true)) / float(np.linalg.norm(error))
    c, residual = fit(error, penalty)
    if residual <= min(max(1e-6, noise), 1e-2):
        for share, (kind, text) in SHARES.items():
            if abs(c - share) <= 1e-3 * abs(share):
                return Cause(kind, text, LOOK, residual, {"share of the regularizer in the error": c})
        text = f"right but for the regularizer, whose gradient is {1.0 + c:.6g} times the true one"
        return Cause("regularizer-factor", text, LOOK, residual, {"factor": 1.0 + c})
    left = float(np.linalg.norm(error_without)) / float(np.linalg.norm(error))
    if left <= min(max(1e-6, noise), 1e-2):
        text = (
            "right without the regularizer, whose gradient belongs to another penalty than that of the loss"
        )
        return Cause("regularizer-wrong", text, LOOK, left)
    return None
