"""How far tanh units sit in the flat part of their curve: from a sample, and by formula for normal inputs."""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Saturation:
    """What a sample of pre-activations does to tanh units.

    Parameters
    ----------
    share : float
        Share of outputs whose size exceeds the limit.
    mean_absolute : float
        Mean absolute pre-activation.
    mean_derivative : float
        Mean of 1 - tanh², by which gradients are multiplied on their way back; 1 at best.
    """

    share: float
    mean_absolute: float
    mean_derivative: float

    @classmethod
    def of(cls, pre_activations, beyond=0.9):
        """Measure `pre_activations`, array_like of any shape; `beyond` is the limit on abs(tanh).

        NaN in the sample makes the means NaN; the share counts it as not beyond the limit.

        References
        ----------
        Goodfellow, Bengio and Courville, *Deep Learning*, 2016, p. 439 (mean absolute pre-activation).
        """
        z = np.asarray(pre_activations, dtype=float)
        if z.size == 0:
            raise ValueError("there are no pre-activations to measure")
        h = np.tanh(z)
        share = np.mean(np.abs(h) > beyond)
        return cls(float(share), float(np.mean(np.abs(z))), float(np.mean(1.0 - h * h)))


def draw_pre_activations(n=2000, spread=1.0, mean=0.0, seed=0):
    """Draw normal pre-activations.

    Parameters
    ----------
    n : int
        Number of them.
    spread, mean : float
        Standard deviation and mean.
    seed : int
        Seed of the draw; the same normal numbers serve every spread and mean.

    Returns
    -------
    ndarray, shape (n,)
    """
    return mean + spread * np.random.default_rng(seed).standard_normal(n)


def saturated_share(spread, mean=0.0, beyond=0.9):
    """Return the probability that abs(tanh(z)) exceeds `beyond` for a normal z.

    With a = artanh(beyond) it is half of erfc((a - mean) / (spread √2)) + erfc((a + mean) / (spread √2)).

    Parameters
    ----------
    spread, mean : float
        Standard deviation, positive, and mean of z.
    beyond : float
        Limit, between 0 and 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `spread` is not positive or `beyond` not between 0 and 1.
    """
    if not spread > 0.0 or not 0.0 < beyond < 1.0:
        raise ValueError(
            f"spread must be positive and beyond between 0 and 1, but {spread} and {beyond} came"
        )
    a, scale = math.atanh(beyond), spread * math.sqrt(2.0)
    return 0.5 * (math.erfc((a - mean) / scale) + math.erfc((a + mean) / scale))


def sampling_error(share, n):
    """Return the standard deviation of a share that is counted among `n` independent draws."""
    return math.sqrt(share * (1.0 - share) / n)
