"""Where the linear model's broken rule shows in the error, and behind which inputs it hides."""

import functools

import numpy as np

from .linear_model import RULES, Moments, linear_data


def error_map(input_mean, input_spread, *, learning_rate, steps, rule="gradient"):
    """Return the error that `linear_model.train_linear` ends with, for many distributions of inputs at once.

    The steps of gradient descent are one affine map, taken to its power by repeated squaring: the time
    grows with the logarithm of `steps`.

    Parameters
    ----------
    input_mean, input_spread : array_like, broadcast together
        Means and standard deviations of the inputs, as in `linear_model.linear_data` with its defaults.
    learning_rate : float
        Step size.
    steps : int
        Number of steps from weight and bias 0.
    rule : {"gradient", "constant-bias", "constant-weight"}
        The rule, as in `train_linear`.

    Returns
    -------
    ndarray
        Mean squared errors, infinite where training diverges beyond the range of float64.

    Raises
    ------
    ValueError
        If `rule` is unknown or `steps` negative.
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, but {rule!r} came")
    if steps < 0:
        raise ValueError(f"steps must not be negative, but {steps} came")
    x, y, variance, slope, residual = _moments(input_mean, input_spread)
    rate = np.full_like(x, learning_rate)
    weight_row = (1 - 2 * rate * (x * x + variance), -2 * rate * x, 2 * rate * (x * y + variance * slope))
    bias_row = (-2 * rate * x, 1 - 2 * rate, 2 * rate * y)
    zero, one = np.zeros_like(x), np.ones_like(x)
    if rule == "constant-weight":
        weight_row = (one, zero, -rate)
    if rule == "constant-bias":
        bias_row = (zero, one, -rate)
    with np.errstate(over="ignore", invalid="ignore"):
        weight, bias = _after((weight_row, bias_row), steps, zero, one)
        offset, tilt = weight * x + bias - y, weight - slope
        error = offset * offset + variance * (tilt * tilt) + residual
    return np.where(np.isfinite(error), error, np.inf)


def visible_error(input_mean, input_spread, wrong_by, *, part="bias"):
    """Return the error above the noise when the sound part has made up for the broken one as far as it can.

    Two terms: what the best cover-up leaves, and a lag. The broken part moves on by the learning rate in
    each step, and the sound one, which follows its gradient, trails the moving optimum at a distance that
    does not depend on the learning rate. With M = m² + s² they are d² s² / M + m² / (4 M³) where the bias is
    broken, and d² s² + m² / 4 where the weight is.

    Parameters
    ----------
    input_mean, input_spread : array_like, broadcast together
        Mean m and standard deviation s of the inputs; not both 0.
    wrong_by : float
        By how much the broken part is off its true value: d.
    part : {"bias", "weight"}
        The broken part.

    Returns
    -------
    ndarray
        Mean squared error, without the noise.
    """
    mean, spread = np.asarray(input_mean, dtype=float), np.asarray(input_spread, dtype=float)
    square, seen = mean * mean, wrong_by * wrong_by * spread * spread
    if part == "weight":
        return seen + square / 4.0
    moment = square + spread * spread
    return seen / moment + square / (4.0 * moment * moment * moment)


def hiding_spread(input_mean, wrong_by, *, part="bias", noise=0.1, factor=2.0):
    """Return the spread of the inputs below which the error stays under `factor` times a sound one.

    Parameters
    ----------
    input_mean : array_like
        Means of the inputs.
    wrong_by : float
        By how much the broken part is off its true value.
    part : {"bias", "weight"}
        The broken part; the other one makes up for it.
    noise : float
        Standard deviation of the noise, whose square is the error of a sound program.
    factor : float
        Multiple of the sound error that is still taken for sound, above 1.

    Returns
    -------
    ndarray
        Standard deviations; NaN where the fault hides behind no spread.
    """
    mean = np.asarray(input_mean, dtype=float)
    allowed = (factor - 1.0) * noise * noise
    low, high = np.full_like(mean, 1e-6), np.full_like(mean, 1e3)
    hides = visible_error(mean, low, wrong_by, part=part) < allowed
    for _ in range(45):
        middle = 0.5 * (low + high)
        under = visible_error(mean, middle, wrong_by, part=part) < allowed
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    return np.where(hides, high, np.nan)


@functools.cache
def _noise_moments():
    """Return the moments of the standard inputs and the noise that `linear_data` draws."""
    z, noise = linear_data(input_mean=0.0, true_weight=0.0)
    fit = Moments.of(z, noise)
    return fit.x, fit.y, fit.variance, fit.slope, fit.residual


def _moments(input_mean, input_spread, true_weight=2.0):
    """Return what `Moments.of` would return for each mean and spread, as arrays: all data share one draw."""
    mean, spread = np.broadcast_arrays(np.asarray(input_mean, float), np.asarray(input_spread, float))
    z, noise, variance, tilt, residual = _noise_moments()
    x = mean + spread * z
    varied = spread > 0.0
    slope = np.where(varied, true_weight + tilt / np.where(varied, spread, 1.0), 0.0)
    left = np.where(varied, residual, residual + tilt * tilt * variance)
    return x, true_weight * x + noise, spread * spread * variance, slope, left


def _after(rows, steps, weight, one):
    """Apply an affine map (two rows of weight, bias and constant) `steps` times to weight and bias 0."""
    state = (weight, 0.0 * one)
    while steps:
        if steps & 1:
            state = tuple(a * state[0] + b * state[1] + c for a, b, c in rows)
        (a, b, c), (d, e, f) = rows
        rows = (
            (a * a + b * d, a * b + b * e, a * c + b * f + c),
            (d * a + e * d, d * b + e * e, d * c + e * f + f),
        )
        steps >>= 1
    return state
