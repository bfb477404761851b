"""What random directions see of a fault in a gradient, and the chance that it escapes them."""

import math
from functools import lru_cache

import numpy as np

from .projections import MISS_PROBABILITY

__all__ = [
    "FAULTS",
    "directions_to_catch",
    "disagreement",
    "escape_probability",
    "escape_rate",
    "gaussian_directions",
    "layer_gradient",
    "plant_fault",
]

FAULTS = ("entry", "unit", "input", "stray", "sign")
STRAY_SHARE = 0.1


@lru_cache(maxsize=32)
def layer_gradient(size, seed=0):
    """Return the gradient of a squared error with respect to the weights of a tanh layer.

    Parameters
    ----------
    size : int
        Number of units, and of inputs.
    seed : int
        Seed of weights, inputs and targets.

    Returns
    -------
    ndarray, shape (size, size)
        One row a unit, one column an input.
    """
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(size, size)) / math.sqrt(size)
    inputs, targets = rng.normal(size=(16, size)), rng.normal(size=(16, size))
    out = np.tanh(inputs @ weights.T)
    return (2.0 * (out - targets) * (1.0 - out**2) / out.size).T @ inputs


def plant_fault(gradient, fault):
    """Return the error that a fault makes: wrong gradient minus right one.

    Parameters
    ----------
    gradient : ndarray, shape (m, n)
        The right gradient.
    fault : {"entry", "unit", "input", "stray", "sign"}
        An entry of typical size with its sign turned; a row of zeros in the middle; a column that is
        counted twice; a term orthogonal to the gradient, a tenth of its size; all signs turned.

    Returns
    -------
    ndarray, shape (m, n)

    Raises
    ------
    ValueError
        If there is no such fault.
    """
    error = np.zeros_like(gradient)
    rows, columns = gradient.shape
    if fault == "entry":
        typical = math.sqrt(np.mean(gradient**2))
        place = np.unravel_index(np.argmin(np.abs(np.abs(gradient) - typical)), gradient.shape)
        error[place] = -2.0 * gradient[place]
    elif fault == "unit":
        error[rows // 2] = -gradient[rows // 2]
    elif fault == "input":
        error[:, columns // 2] = gradient[:, columns // 2]
    elif fault == "stray":
        error = _orthogonal(gradient)
    elif fault == "sign":
        error = -2.0 * gradient
    else:
        raise ValueError(f"fault must be one of {', '.join(FAULTS)}, but {fault!r} came")
    return error


def gaussian_directions(count, shape, seed=0):
    """Draw standard-normal directions.

    Parameters
    ----------
    count : int
        Number of directions.
    shape : tuple of int
        Shape of the parameter.
    seed : int
        Seed of the draws.

    Returns
    -------
    ndarray, shape (count, *shape)
    """
    return np.random.default_rng(seed).standard_normal((count, *shape))


def disagreement(gradient, error, directions):
    """Return what each direction sees: the relative difference of the two slopes along it.

    Parameters
    ----------
    gradient, error : ndarray, shape (m, n)
        The right gradient, and wrong minus right.
    directions : ndarray, shape (k, m, n)
        Directions V.

    Returns
    -------
    ndarray, shape (k,)
        ``abs(<error, V>) / abs(<gradient, V>)``.
    """
    flat = directions.reshape(len(directions), -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.abs(flat @ error.ravel()) / np.abs(flat @ gradient.ravel())


def escape_probability(gradient, error, tolerance, directions=1):
    """Return the chance that a fault stays below the tolerance in all Gaussian directions.

    Split the error into a multiple a of the gradient and a rest orthogonal to it, s times the gradient's
    norm. The relative difference of the slopes is then a + s C with C Cauchy distributed, and it stays
    within the tolerance t with probability (arctan((t - a) / s) + arctan((t + a) / s)) / pi. With a = 0
    this is `mlbug.projections.miss_probability`, 2 / pi * arctan(t / s).

    Parameters
    ----------
    gradient, error : ndarray
        The right gradient, and wrong minus right; of one shape.
    tolerance : float
        Relative difference that is let pass.
    directions : int
        Number of independent directions.

    Returns
    -------
    float
    """
    norm = float(np.linalg.norm(gradient))
    along = float(np.vdot(error, gradient)) / norm**2
    rest = float(np.linalg.norm(error - along * gradient)) / norm
    if rest <= 4.0 * np.finfo(float).eps * abs(along):  # the error is a multiple of the gradient
        return 1.0 if abs(along) <= tolerance else 0.0
    single = (math.atan2(tolerance - along, rest) + math.atan2(tolerance + along, rest)) / math.pi
    return single**directions


def escape_rate(seen, tolerance, directions=1):
    """Return the share of trials in which a fault escaped.

    Parameters
    ----------
    seen : ndarray, shape (k,)
        Result of `disagreement` for many directions.
    tolerance : float
        Relative difference that is let pass.
    directions : int
        Number of directions in one trial; the trials are successive groups of `seen`.

    Returns
    -------
    rate : float
    trials : int
    """
    trials = len(seen) // directions
    passed = (seen[: trials * directions] <= tolerance).reshape(trials, directions)
    return float(passed.all(axis=1).mean()), trials


def directions_to_catch(gradient, error, tolerance, bound=MISS_PROBABILITY):
    """Return how many directions bring the chance of an escape to `bound`; infinite if no number does."""
    single = escape_probability(gradient, error, tolerance)
    if single >= 1.0:
        return math.inf
    return 1 if single <= bound else math.ceil(math.log(bound) / math.log(single) - 1e-12)


def _orthogonal(gradient):
    """Return a fixed matrix orthogonal to the gradient, `STRAY_SHARE` of its norm."""
    start = np.random.default_rng(1).standard_normal(gradient.shape)
    rest = start - np.vdot(start, gradient) / np.vdot(gradient, gradient) * gradient
    return STRAY_SHARE * np.linalg.norm(gradient) / np.linalg.norm(rest) * rest
