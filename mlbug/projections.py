"""Gaussian directions by parameter block, and what a number of them can miss."""

import math

import numpy as np

MISS_PROBABILITY = 1e-6
"""The largest chance of missing the smallest error that matters which a verdict may leave."""


def gaussian_direction(params, block, rng, box=None):
    """Draw standard-normal numbers for one block of the parameters.

    Parameters
    ----------
    params : dict of str to ndarray
        The parameters.
    block : str
        Name of the block that moves.
    rng : numpy.random.Generator
        Source of the draws.
    box : tuple of slice, optional
        The part of the block that moves; the rest of the direction is zero.

    Returns
    -------
    dict of str to ndarray
        One array of float64 under `block`, of the block's shape.
    """
    shape = params[block].shape
    if box is None:
        return {block: rng.standard_normal(shape)}
    direction = np.zeros(shape)
    direction[box] = rng.standard_normal(direction[box].shape)
    return {block: direction}


def project(direction, grads):
    """Return the inner product of a direction and a gradient, in double precision."""
    return float(sum(np.vdot(u, np.asarray(grads[name], dtype=float)) for name, u in direction.items()))


def spread(direction, grads):
    """Return the root of the sum of the squared terms of `project`: its size without cancellation."""
    total = 0.0
    for name, u in direction.items():
        top = float(np.max(np.abs(grads[name]), initial=0.0))
        if top > 0 and math.isfinite(top):  # scaled, so that the squares of tiny gradients do not vanish
            total = math.hypot(
                total, top * float(np.linalg.norm(u * (np.asarray(grads[name], dtype=float) / top)))
            )
    return total


def in_double(params):
    """Return the parameters with all floating arrays in double precision."""
    return {
        name: value.astype(np.float64) if value.dtype.kind == "f" else value for name, value in params.items()
    }


def shift(params, direction, step):
    """Return copies of the parameters, moved by `step` along `direction`, in double precision."""
    moved = dict(params)
    for name, u in direction.items():
        moved[name] = np.asarray(params[name], dtype=np.float64) + step * u
    return moved


def miss_probability(tolerance, share, directions=1):
    """Return the chance that Gaussian directions all miss an error of a gradient.

    The projections of gradient and error on one direction are two normal variables, their ratio is
    Cauchy distributed, so that a relative `tolerance` lets an error pass with probability
    ``2 / pi * arctan(tolerance / share)``.

    Parameters
    ----------
    tolerance : float
        Relative difference of the slopes that is let pass.
    share : float
        Norm of the error over the norm of the gradient.
    directions : int
        Number of independent directions.
    """
    return (2.0 / math.pi * math.atan2(tolerance, share)) ** directions


def directions_needed(tolerance, share, bound=MISS_PROBABILITY):
    """Return the smallest number of directions that brings `miss_probability` to `bound` or below."""
    single = miss_probability(tolerance, share)
    return 1 if single <= 0.0 else max(1, math.ceil(math.log(bound) / math.log(single) - 1e-12))


def smallest_share(tolerance, directions, bound=MISS_PROBABILITY):
    """Return the smallest relative error that so many directions miss with probability `bound` at most."""
    return tolerance / math.tan(0.5 * math.pi * bound ** (1.0 / directions))
