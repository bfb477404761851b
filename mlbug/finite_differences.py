"""Derivatives of a scalar function from its values: three formulas, their best steps, their errors."""

import numpy as np

from .example_functions import EXAMPLE_FUNCTIONS

__all__ = [
    "EXAMPLE_FUNCTIONS",
    "METHODS",
    "best_step",
    "centred_difference",
    "complex_step",
    "error_model",
    "exact_step",
    "forward_difference",
]

METHODS = ("forward", "centred", "complex")


def forward_difference(f, x, step, dtype=np.float64):
    """Return (f(x + h) - f(x)) / h.

    Parameters
    ----------
    f : callable
        Function of one scalar of type `dtype`.
    x : float
        Point.
    step : float
        Wanted step h; the step taken is `exact_step` of it.
    dtype : {float64, float32}
        Precision of the whole computation.

    Returns
    -------
    dtype
        NaN if the step is too small to change `x`.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, p. 439, eqs. 11.5 and 11.6.
    """
    x, h = np.dtype(dtype).type(x), exact_step(x, step, dtype)
    with np.errstate(all="ignore"):
        return (f(x + h) - f(x)) / h


def centred_difference(f, x, step, dtype=np.float64):
    """Return (f(x + h) - f(x - h)) / (2 h).

    Parameters and result are those of `forward_difference`. The book's epsilon is the distance between
    the two points, 2 h here.

    References
    ----------
    *Deep Learning*, p. 439, eq. 11.7.
    """
    x, h = np.dtype(dtype).type(x), exact_step(x, step, dtype)
    with np.errstate(all="ignore"):
        return (f(x + h) - f(x - h)) / (h + h)


def complex_step(f, x, step=1e-20, dtype=np.float64):
    """Return the imaginary part of f(x + ih), divided by h.

    There is no difference, so nothing cancels and h may be tiny. `f` must be analytic and built from
    operations that keep the imaginary part: ``abs``, for one, drops it.

    Parameters
    ----------
    f : callable
        Function of one complex scalar.
    x : float
        Point.
    step : float
        Step h along the imaginary axis.
    dtype : {float64, float32}
        Precision; complex128 or complex64 is used.

    Returns
    -------
    dtype
        0 where `f` drops the imaginary part; NaN if the step is zero in this precision.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, p. 439, eqs. 11.8 and 11.9;
    W. Squire and G. Trapp, SIAM Review 40 (1998).
    """
    real = np.dtype(dtype).type
    h = real(step)
    with np.errstate(all="ignore"):
        value = f(np.result_type(real, np.complex64).type(complex(real(x), h)))
        return real(np.imag(value)) / h


def exact_step(x, step, dtype=np.float64):
    """Return a step near `step` by which `x` can be moved without rounding.

    Parameters
    ----------
    x, step : float
        Point and wanted step.
    dtype : {float64, float32}
        Precision.

    Returns
    -------
    dtype
        (x + step) - x; 0 if the step vanishes beside `x`.

    References
    ----------
    W. H. Press et al., *Numerical Recipes*, 3rd ed., section 5.7.
    """
    real = np.dtype(dtype).type
    x = real(x)
    return (x + real(step)) - x


def best_step(method, dtype=np.float64, *, f=1.0, second=1.0, third=1.0):
    """Return the step of least total error in `error_model`.

    Parameters
    ----------
    method : {"forward", "centred", "complex"}
        Formula.
    dtype : {float64, float32}
        Precision.
    f, second, third : float
        Sizes of the function and of its second and third derivative at the point. With the defaults the
        step is the usual one: about eps**(1/2) and eps**(1/3) for the differences.

    Returns
    -------
    float
        Infinite where the formula has no truncation error. For the complex step every small step is
        equally good, and 1e-20 is returned.

    Raises
    ------
    ValueError
        For another method.
    """
    eps = float(np.finfo(dtype).eps)
    if method == "complex":
        return 1e-20
    if method == "forward":  # h |f''| / 2 + 2 eps |f| / h
        return _root(4.0 * eps * abs(f), abs(second), 1.0 / 2.0)
    if method == "centred":  # h² |f'''| / 6 + eps |f| / h
        return _root(3.0 * eps * abs(f), abs(third), 1.0 / 3.0)
    raise ValueError(f"method must be one of {', '.join(METHODS)}, but {method!r} came")


def error_model(method, step, dtype=np.float64, *, f=1.0, first=1.0, second=1.0, third=1.0):
    """Return the two parts of the expected error of a formula.

    ========  =====================  =====================
    method    truncation             rounding
    ========  =====================  =====================
    forward   h abs(f'') / 2         2 eps abs(f) / h
    centred   h² abs(f''') / 6       eps abs(f) / h
    complex   h² abs(f''') / 6       eps abs(f')
    ========  =====================  =====================

    Parameters
    ----------
    method : {"forward", "centred", "complex"}
        Formula.
    step : float or ndarray
        Step h.
    dtype : {float64, float32}
        Precision; eps is its machine epsilon.
    f, first, second, third : float
        The function and its derivatives at the point.

    Returns
    -------
    truncation, rounding : float or ndarray
        In the units of the derivative, shape of `step`.

    Raises
    ------
    ValueError
        If the method is unknown.
    """
    eps, h = float(np.finfo(dtype).eps), np.asarray(step, dtype=float)
    if method == "forward":
        return h * abs(second) / 2.0, 2.0 * eps * abs(f) / h
    if method == "centred":
        return h * h * abs(third) / 6.0, eps * abs(f) / h
    if method == "complex":
        return h * h * abs(third) / 6.0, np.full_like(h, eps * abs(first))
    raise ValueError(f"method must be one of {', '.join(METHODS)}, but {method!r} came")


def _root(above, below, power):
    return float("inf") if below == 0.0 else (above / below) ** power
