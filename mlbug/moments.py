"""The averages over the data that gradient descent on a line needs."""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Moments:
    """Averages over the data that fix the mean squared error of every weight and bias.

    The error is (w x̄ + b - ȳ)² + spread² (w - slope)² + residual: a sum of squares, so that nothing cancels.

    Parameters
    ----------
    x, y : float
        Means of inputs and targets.
    variance : float
        Variance of the inputs.
    slope : float
        Weight of the least-squares line; 0 if all inputs are equal.
    residual : float
        Mean squared error of the least-squares line.
    """

    x: float
    y: float
    variance: float
    slope: float
    residual: float

    @classmethod
    def of(cls, x, y):
        """Return the moments of `x` and `y`, both array_like of shape (n,).

        Raises
        ------
        ValueError
            If the two are empty or not vectors of the same length.
        """
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if x.ndim != 1 or x.shape != y.shape or x.size == 0:
            raise ValueError(
                f"x and y must be vectors of one length, at least 1; their shapes are {x.shape} and {y.shape}"
            )
        mean_x, mean_y = _mean(x), _mean(y)
        dx, dy = x - mean_x, y - mean_y
        variance = _mean(dx * dx)
        slope = _mean(dx * dy) / variance if variance > 0.0 else 0.0
        return cls(mean_x, mean_y, variance, slope, _mean((dy - slope * dx) ** 2))

    def error(self, weight, bias):
        """Return the mean of (weight x + bias - y)²; infinite where it exceeds the range of float64."""
        offset = weight * self.x + bias - self.y
        tilt = weight - self.slope
        value = offset * offset + self.variance * (tilt * tilt) + self.residual
        return value if value == value else math.inf

    def gradient(self, weight, bias):
        """Return the derivatives of the error by weight and by bias."""
        offset = weight * self.x + bias - self.y
        return 2.0 * (offset * self.x + self.variance * (weight - self.slope)), 2.0 * offset


def _mean(values):
    # fsum is correctly rounded, so that every platform gets the same average to the last bit
    return math.fsum(values.tolist()) / len(values)
