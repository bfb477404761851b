"""The linear model of the book's example, whose faulty bias rule its weight makes up for."""

import math
from dataclasses import dataclass

import numpy as np

from .moments import Moments

__all__ = [
    "RULES",
    "Moments",
    "Trace",
    "best_weight",
    "compensation",
    "error_floor",
    "linear_data",
    "train_linear",
]

RULES = ("gradient", "constant-bias", "constant-weight")


@dataclass(frozen=True)
class Trace:
    """What gradient descent on the linear model did, step by step.

    Parameters
    ----------
    weight, bias, error : ndarray, shape (steps + 1,)
        Weight, bias and mean squared error, the start included. Once the error exceeds the range of
        float64 all three stay infinite.
    """

    weight: np.ndarray
    bias: np.ndarray
    error: np.ndarray


def linear_data(n=200, input_mean=1.0, input_spread=1.0, seed=0, true_weight=2.0, true_bias=0.0, noise=0.1):
    """Draw inputs and the targets that a line gives them.

    Parameters
    ----------
    n : int
        Number of examples.
    input_mean, input_spread : float
        Mean and standard deviation of the normal inputs.
    seed : int
        Seed of the draw; the same normal numbers serve every mean and spread.
    true_weight, true_bias : float
        The line.
    noise : float
        Standard deviation of the normal noise on the targets.

    Returns
    -------
    x, y : ndarray, shape (n,)
    """
    rng = np.random.default_rng(seed)
    x = input_mean + input_spread * rng.standard_normal(n)
    return x, true_weight * x + true_bias + noise * rng.standard_normal(n)


def train_linear(x, y, *, learning_rate, steps, rule="gradient", weight=0.0, bias=0.0):
    """Fit y = weight x + bias by gradient descent on the mean squared error.

    The time does not depend on the number of examples once their moments are known.

    Parameters
    ----------
    x, y : array_like, shape (n,), or x : Moments and y : None
        Inputs and targets.
    learning_rate : float
        Step size.
    steps : int
        Number of steps.
    rule : {"gradient", "constant-bias", "constant-weight"}
        ``"gradient"`` is right. ``"constant-bias"`` takes the learning rate itself off the bias at each
        step and never reads the gradient; ``"constant-weight"`` does the same to the weight.
    weight, bias : float
        Where to start.

    Returns
    -------
    Trace

    Raises
    ------
    ValueError
        If `rule` is unknown, `steps` negative, or the data are not two vectors of one length.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, p. 437, eq. 11.4.
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, but {rule!r} came")
    if steps < 0:
        raise ValueError(f"steps must not be negative, but {steps} came")
    moments = x if isinstance(x, Moments) else Moments.of(x, y)
    rate, w, b = float(learning_rate), float(weight), float(bias)
    weights, biases, errors = [w], [b], [moments.error(w, b)]
    for _ in range(steps):
        by_weight, by_bias = moments.gradient(w, b)
        w = w - rate if rule == "constant-weight" else w - rate * by_weight
        b = b - rate if rule == "constant-bias" else b - rate * by_bias
        error = moments.error(w, b)
        if not math.isfinite(error):
            left = steps + 1 - len(errors)
            weights += left * [math.copysign(math.inf, w)]
            biases += left * [math.copysign(math.inf, b)]
            errors += left * [math.inf]
            break
        weights.append(w)
        biases.append(b)
        errors.append(error)
    return Trace(np.array(weights), np.array(biases), np.array(errors))


def best_weight(x, y, bias):
    """Return the weight of least mean squared error while the bias is held at `bias`.

    It is mean(x (y - bias)) / mean(x²): what the weight drifts to when the bias is out of its reach.

    Parameters
    ----------
    x, y : array_like, shape (n,), or x : Moments and y : None
        Inputs and targets.
    bias : float
        The bias that is held.

    Returns
    -------
    float
        NaN if every input is zero, since then no weight is better than another.
    """
    m = x if isinstance(x, Moments) else Moments.of(x, y)
    second_moment = m.variance + m.x * m.x
    return (m.variance * m.slope + m.x * (m.y - bias)) / second_moment if second_moment > 0.0 else math.nan


def error_floor(input_mean, input_spread, bias_error, noise=0.0):
    """Return the least mean squared error that the best weight leaves under a wrong bias.

    With inputs of mean m and standard deviation s, a bias that is off by d costs
    d² s² / (m² + s²) on top of the noise: nothing when s is 0 and m is not (the weight makes up for all
    of it), everything when m is 0 (it can make up for nothing).

    Parameters
    ----------
    input_mean, input_spread : float
        Mean and standard deviation of the inputs.
    bias_error : float
        Bias minus true bias.
    noise : float
        Standard deviation of the noise on the targets.

    Returns
    -------
    float
    """
    second_moment = input_mean * input_mean + input_spread * input_spread
    visible = input_spread * input_spread / second_moment if second_moment > 0.0 else 1.0
    return noise * noise + bias_error * bias_error * visible


def compensation(input_mean, input_spread, bias_error):
    """Return how far the best weight moves from the true one when the bias is off by `bias_error`.

    The amount is -bias_error m / (m² + s²) for inputs of mean m and standard deviation s; 0 if both are 0.
    """
    second_moment = input_mean * input_mean + input_spread * input_spread
    return -bias_error * input_mean / second_moment if second_moment > 0.0 else 0.0
