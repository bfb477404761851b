"""How far a loss can be trusted: the noise that its own evaluation makes."""

import math

import numpy as np

from .projections import gaussian_direction, shift

POINTS = 7


def noise_of_table(values):
    """Estimate the noise of equally spaced function values from their differences.

    Differences of order k of a smooth function fall with the spacing, those of independent noise do
    not: their variance is that of the noise times the binomial coefficient (2k, k) (More and Wild, 2011,
    ECnoise).

    Parameters
    ----------
    values : array_like, shape (m,)
        Function values at m equally spaced, close points.

    Returns
    -------
    float
        Standard deviation of the noise; the median over the orders from 2 on.
    """
    values = np.asarray(values, dtype=float)
    levels = []
    for order in range(1, len(values) - 1):
        values = np.diff(values)
        if order >= 2:
            levels.append(math.sqrt(np.mean(values**2) / math.comb(2 * order, order)))
    return float(np.median(levels))


def loss_noise(evaluations, params, batch, rng, epsilon):
    """Measure the noise of the loss near `params`.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    params : dict of str to ndarray
        The point.
    batch : tuple of ndarray
        The examples.
    rng : numpy.random.Generator
        Chooses the line along which the loss is taken.
    epsilon : float
        Rounding unit of the program's arithmetic; noise is never reported below half of it times the loss.

    Returns
    -------
    float
        Standard deviation of the noise, in units of the loss.
    """
    direction = {}
    for name in params:
        u = gaussian_direction(params, name, rng)[name]
        direction[name] = u * np.maximum(np.abs(params[name]), 1e-3 * typical_size(params[name]))

    def at(step):
        values = [evaluations.loss(shift(params, direction, step * i), batch) for i in range(POINTS)]
        return max(noise_of_table(values), 0.5 * epsilon * float(np.max(np.abs(values))))

    # longer steps see rounding to fewer digits; a kink would fade with the step, such noise does not
    return max(at(8.0 * epsilon), min(at(max(8.0 * epsilon, 2.0**-20)), at(max(8.0 * epsilon, 2.0**-26))))


def typical_size(array):
    """Return the root mean square of `array`, or 1 where it is zero throughout."""
    top = float(np.max(np.abs(array)))
    if not (0.0 < top < math.inf):
        return 1.0
    return top * float(np.sqrt(np.mean((np.asarray(array, dtype=float) / top) ** 2)))


def precision_of(values, *arrays):
    """Return the rounding unit of the coarsest floating type that shows in what a program handles.

    Parameters
    ----------
    values : list of float
        Some values of the loss: if all of them are numbers of single precision, so is the program.
    *arrays : ndarray
        Parameters and gradients. Integer arrays do not count.
    """
    epsilon = np.finfo(np.float64).eps
    for array in arrays:
        if array.dtype.kind == "f":
            epsilon = max(epsilon, float(np.finfo(array.dtype).eps))
            if array.dtype == np.float64 and _is_single(array):
                epsilon = max(epsilon, float(np.finfo(np.float32).eps))
    if _is_single(np.asarray(values)):
        epsilon = max(epsilon, float(np.finfo(np.float32).eps))
    return epsilon


def _is_single(array):
    """Say whether double-precision numbers, whole ones aside, all have just 24 bits."""
    some = np.ravel(array)[:256].astype(float)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        scaled = np.frexp(some)[0]
        told = scaled[(scaled * 2**12 % 1.0) != 0]  # short fractions say nothing
        return len(told) > 2 and bool(np.all(told == told.astype(np.float32)))
