"""How wrong each difference formula is on a function whose derivative is known, over the step."""

import numpy as np

from .finite_differences import (
    METHODS,
    best_step,
    centred_difference,
    complex_step,
    error_model,
    forward_difference,
)

__all__ = ["best_steps", "expected_errors", "measured_errors"]

_FORMULAS = dict(zip(METHODS, (forward_difference, centred_difference, complex_step), strict=True))


def measured_errors(entry, x, steps, dtype=np.float64):
    """Return the distance of every estimate from the true derivative.

    Parameters
    ----------
    entry : ExampleFunction
        Function with its derivatives.
    x : float
        Point; it is first rounded to `dtype`, so that this rounding is no part of the error.
    steps : array_like of float, shape (n,)
        Steps h.
    dtype : {float64, float32}
        Precision of the estimates. The true derivative is always taken in float64.

    Returns
    -------
    dict of str to ndarray, shape (n,)
        Absolute error by method, in the order of `METHODS`; NaN where the step vanishes beside `x`.
    """
    x = float(np.dtype(dtype).type(x))
    true = float(entry.derivative(x))
    return {
        method: np.array([abs(float(formula(entry.f, x, step, dtype)) - true) for step in steps])
        for method, formula in _FORMULAS.items()
    }


def expected_errors(entry, x, steps, dtype=np.float64):
    """Return truncation plus rounding by `error_model`, with the function's own sizes at the point.

    Parameters and result are those of `measured_errors`.
    """
    steps = np.asarray(steps, dtype=float)
    sizes = _sizes(entry, x, dtype)
    return {method: sum(error_model(method, steps, dtype, **sizes)) for method in METHODS}


def best_steps(entry, x, dtype=np.float64):
    """Return the step of least expected error by method.

    Parameters
    ----------
    entry, x, dtype
        As for `measured_errors`.

    Returns
    -------
    dict of str to float
        Infinite where the formula has no truncation error at `x`; 0 where the function itself is 0.
    """
    sizes = _sizes(entry, x, dtype)
    del sizes["first"]
    return {method: best_step(method, dtype, **sizes) for method in METHODS}


def _sizes(entry, x, dtype):
    x = float(np.dtype(dtype).type(x))
    known = {"f": entry.f, "first": entry.derivative, "second": entry.second, "third": entry.third}
    return {name: float(function(x)) for name, function in known.items()}
