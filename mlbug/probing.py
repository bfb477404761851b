"""Small tools by which the checks put questions to a program."""

import numpy as np

from .guard import UserFunctionError


def attempt(function, *args):
    """Return ``function(*args)``, or None where the user's function does not take what it was given.

    For questions that not every correct program answers, such as a batch of another size.
    """
    try:
        return function(*args)
    except UserFunctionError:
        return None


def perturbed(params, rng, size=0.1):
    """Return the parameters moved at random to a generic point near by.

    Parameters
    ----------
    params : dict of str to ndarray
        Parameters; integer ones become float64.
    rng : numpy.random.Generator
        Source of the moves.
    size : float
        Standard deviation of the move in units of each array's root mean square (0.3 where that is
        smaller than 1e-8). Arrays with positive entries alone are moved by a factor and stay positive.

    Returns
    -------
    dict of str to ndarray
    """
    moved = {}
    for name, value in params.items():
        dtype = value.dtype if value.dtype.kind == "f" else np.dtype(float)
        noise = rng.standard_normal(value.shape)
        if value.size and np.all(value > 0):
            moved[name] = (value * np.exp(size * noise)).astype(dtype)
        else:
            rms = float(np.sqrt(np.mean(np.square(value, dtype=float))))
            moved[name] = (value + size * (rms if rms > 1e-8 else 0.3) * noise).astype(dtype)
    return moved


def rounding(params):
    """Return the machine epsilon of the coarsest parameter array."""
    kinds = [value.dtype for value in params.values() if value.dtype.kind == "f"]
    return max([float(np.finfo(kind).eps) for kind in kinds], default=float(np.finfo(float).eps))


def first_rows(batch, count):
    """Return the first `count` examples of a batch."""
    return tuple(array[:count] for array in batch)


def repeated(batch, times):
    """Return the batch with all its examples `times` times over."""
    return tuple(np.concatenate([array] * times) for array in batch)


def finite(arrays):
    """Say whether every entry of every array of a dict is finite."""
    return all(bool(np.isfinite(value).all()) for value in arrays.values())


def all_inputs(batch):
    """Return the arrays of a batch that are inputs: all but the last, or the only one."""
    return batch[:1] if len(batch) == 1 else batch[:-1]


def as_table(arrays):
    """Return numeric arrays side by side as a float table (n, columns); None if one is not numeric."""
    if any(array.dtype.kind not in "fiub" for array in arrays):
        return None
    return np.concatenate([array.reshape(len(array), -1).astype(float) for array in arrays], axis=1)
