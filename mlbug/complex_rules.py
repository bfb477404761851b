"""First-order complex continuations of numpy functions that drop, or spoil, an imaginary part.

Each rule gives ``f(a) + i f'(a) b`` for the argument ``a + i b`` with an infinitesimal ``b``, which is
what a complex step asks for (Squire and Trapp 1998); the real part is numpy's own result for real
arguments, to the last bit. At a kink the sign of ``b`` chooses the side, as in numpy's own
lexicographic order of complex numbers.
"""

import numpy as np


def _parts(value):
    value = np.asarray(value)
    return (value.real, value.imag) if np.iscomplexobj(value) else (value, np.zeros_like(value, dtype=float))


def _join(real, imag):
    """Put the parts together; an infinite slope times a step of zero counts as zero."""
    real, imag = np.broadcast_arrays(real, imag)
    result = np.empty(real.shape, np.result_type(real.dtype, np.complex64))
    result.real, result.imag = real, imag
    return result


def _times(slope, step):
    return np.where(step == 0, 0.0, slope * step)


def _unary(function, slope):
    def rule(x):
        a, b = _parts(x)
        value = function(a)
        return _join(value, _times(slope(a, value), b))

    return rule


def _flat(function):
    return lambda x, *rest: function(_parts(x)[0], *(_parts(value)[0] for value in rest))


def _absolute(x):
    a, b = _parts(x)
    side = np.where((a > 0) | ((a == 0) & (b >= 0)), 1.0, -1.0)
    return _join(np.abs(a), side * b)


def _divide(x, y):
    (a, da), (b, db) = _parts(x), _parts(y)
    value = a / b
    slope = _times(1.0 / b, da) - _times(value / b, db)
    return _join(value, np.where(np.isinf(b), 0.0, slope))


def _power(x, y):
    (a, da), (b, db) = _parts(x), _parts(y)
    value = np.power(a, b)
    with_base = _times(b * np.power(a, np.where(b == 0, 1.0, b - 1.0)), da)
    return _join(value, with_base + (_times(value * np.log(a), db) if np.any(db) else 0.0))


def _logaddexp(x, y):
    (a, da), (b, db) = _parts(x), _parts(y)
    value = np.logaddexp(a, b)
    return _join(value, _times(np.exp(a - value), da) + _times(np.exp(b - value), db))


def _hypot(x, y):
    (a, da), (b, db) = _parts(x), _parts(y)
    value = np.hypot(a, b)
    return _join(
        value, np.where(value == 0, np.hypot(da, db), (a * da + b * db) / np.where(value == 0, 1.0, value))
    )


def _arctan2(x, y):
    (a, da), (b, db) = _parts(x), _parts(y)
    return _join(np.arctan2(a, b), (b * da - a * db) / (a * a + b * b))


def _remainder(x, y):
    (a, da), (b, db) = _parts(x), _parts(y)
    return _join(np.remainder(a, b), da - np.floor(a / b) * db)


UFUNC_RULES = {
    "absolute": _absolute,
    "fabs": _absolute,
    "conjugate": lambda x: np.array(x),
    "sign": _flat(np.sign),
    "signbit": _flat(np.signbit),
    "floor": _flat(np.floor),
    "ceil": _flat(np.ceil),
    "rint": _flat(np.rint),
    "trunc": _flat(np.trunc),
    "heaviside": _flat(np.heaviside),
    "floor_divide": _flat(np.floor_divide),
    "remainder": _remainder,
    "divide": _divide,
    "reciprocal": lambda x: _divide(1.0, x),
    "power": _power,
    "float_power": _power,
    "logaddexp": _logaddexp,
    "hypot": _hypot,
    "arctan2": _arctan2,
    "exp": _unary(np.exp, lambda a, f: f),
    "exp2": _unary(np.exp2, lambda a, f: f * np.log(2.0)),
    "expm1": _unary(np.expm1, lambda a, f: f + 1.0),
    "log": _unary(np.log, lambda a, f: 1.0 / a),
    "log2": _unary(np.log2, lambda a, f: 1.0 / (a * np.log(2.0))),
    "log10": _unary(np.log10, lambda a, f: 1.0 / (a * np.log(10.0))),
    "log1p": _unary(np.log1p, lambda a, f: 1.0 / (1.0 + a)),
    "sqrt": _unary(np.sqrt, lambda a, f: 0.5 / f),
    "cbrt": _unary(np.cbrt, lambda a, f: 1.0 / (3.0 * f * f)),
    "tanh": _unary(np.tanh, lambda a, f: 1.0 - f * f),
}


def variance(x, axis=None, ddof=0, keepdims=False, **_):
    """Return the variance of complex `x` without the complex conjugate that ``np.var`` takes."""
    x = np.asarray(x)
    count = x.size if axis is None else np.prod([x.shape[i] for i in np.atleast_1d(axis)])
    centred = x - x.mean(axis=axis, keepdims=True)
    return (centred * centred).sum(axis=axis, keepdims=keepdims) / (count - ddof)


def deviation(x, *args, **keywords):
    """Return the standard deviation of complex `x`, as `variance`."""
    return UFUNC_RULES["sqrt"](variance(x, *args, **keywords))


def norm(x, ord=None, axis=None, keepdims=False):
    """Return the 1-, 2-, infinity or Frobenius norm of complex `x` as a function of its real part."""
    x = np.asarray(x)
    length = 2 if np.size(axis) > 1 or (axis is None and x.ndim > 1) else 1
    if ord in (None, "fro") or (ord == 2 and length == 1):
        square = (x * x).sum(axis=axis, keepdims=keepdims)
        return UFUNC_RULES["sqrt"](square)
    if length == 1 and ord in (1, np.inf):
        size = _absolute(x)
        return size.sum(axis=axis, keepdims=keepdims) if ord == 1 else size.max(axis=axis, keepdims=keepdims)
    raise TypeError(f"np.linalg.norm with ord={ord!r} has no complex continuation here")


def cholesky(a):
    """Return the Cholesky factor and its derivative (Murray 2016, arXiv 1602.07527, section 3.1)."""
    real, imag = _parts(a)
    factor = np.linalg.cholesky(real)
    inverse = np.linalg.inv(factor)
    inner = np.tril(inverse @ imag @ np.swapaxes(inverse, -1, -2))
    inner[..., np.arange(inner.shape[-1]), np.arange(inner.shape[-1])] *= 0.5
    return _join(factor, factor @ inner)


def slogdet(a):
    """Return the sign and the logarithm of a determinant, with the derivative of the latter."""
    real, imag = _parts(a)
    sign, value = np.linalg.slogdet(real)
    return sign, _join(value, np.trace(np.linalg.solve(real, imag), axis1=-2, axis2=-1))


def eigvalsh(a):
    """Return the eigenvalues of a symmetric matrix, with their derivatives."""
    real, imag = _parts(a)
    values, vectors = np.linalg.eigh(real)
    return _join(values, np.einsum("...ji,...jk,...ki->...i", vectors, imag, vectors))


FUNCTION_RULES = {
    "var": variance,
    "std": deviation,
    "norm": norm,
    "vdot": lambda a, b: (np.ravel(a) * np.ravel(b)).sum(),
    "cholesky": cholesky,
    "slogdet": slogdet,
    "eigvalsh": eigvalsh,
}
"""By name: the functions above, for those that numpy does not build from ufuncs."""

FOLLOWED = {"dot": np.dot, "where": np.where, "einsum": np.einsum}
"""Functions that numpy continues itself, and whose operands and results are to be seen one by one."""

UNSAFE = {
    "interp",
    "svd",
    "eigh",
    "qr",
    "svdvals",
    "matrix_norm",
    "percentile",
    "quantile",
    "real",
    "imag",
    "angle",
}
"""Functions that lose an imaginary part and have no rule: a complex step stops at them."""
