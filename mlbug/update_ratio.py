"""The size of an update against the size of the parameter that it changes."""

from dataclasses import dataclass

import numpy as np

MARKS = {"far too large": 0.5, "about right": 0.01, "far too small": 1e-5}


def update_ratio(learning_rate, gradient, parameter):
    """Return the size of one step of gradient descent over the size of the parameter.

    About 1 % is the book's advice; 50 % and 0.001 % are its examples of too much and too little.

    Parameters
    ----------
    learning_rate : float
        Learning rate.
    gradient, parameter : float or ndarray
        Gradient and parameter, of one shape; arrays are measured by their Euclidean norms.

    Returns
    -------
    float
        Infinite for a parameter of 0 that moves, NaN for one that does not.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, p. 439; the formula is added.
    """
    step = abs(learning_rate) * np.linalg.norm(np.ravel(gradient))
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(step / np.linalg.norm(np.ravel(parameter)))


def nearest_mark(ratio):
    """Return which of `MARKS` lies nearest to `ratio` on a log scale; ``"not a number"`` for NaN."""
    if np.isnan(ratio):
        return "not a number"
    if ratio == 0.0:
        return "far too small"
    if np.isinf(ratio):
        return "far too large"
    return min(MARKS, key=lambda name: abs(np.log(ratio / MARKS[name])))


@dataclass(frozen=True)
class WatchedRun:
    """A training run whose updates were measured.

    Parameters
    ----------
    ratios : ndarray, shape (steps, layers)
        Update ratio of each layer's weights at each step.
    first_loss, last_loss : float
        Loss on all of the data before the first step and after the last.
    params : dict
        The parameters at the end.
    """

    ratios: np.ndarray
    first_loss: float
    last_loss: float
    params: dict


def watch_updates(network, params, batch, *, learning_rate, steps, minibatch=32, seed=0):
    """Train by gradient descent on minibatches and measure every update.

    Parameters
    ----------
    network : DeepNetwork
        What is trained.
    params : dict of ndarray
        Where to start; left as it is.
    batch : tuple of ndarray
        Inputs and targets.
    learning_rate : float
        Step size.
    steps, minibatch : int
        Number of steps, and examples in each.
    seed : int
        Seed of the choice of examples.

    Returns
    -------
    WatchedRun
    """
    rng = np.random.default_rng(seed)
    names = [f"W{layer}" for layer in range(1, network.depth + 1)]
    ratios, first_loss = [], network.loss(params, batch)
    for _ in range(steps):
        rows = rng.choice(len(batch[0]), size=min(minibatch, len(batch[0])), replace=False)
        grads = network.grad(params, tuple(array[rows] for array in batch))
        ratios.append([update_ratio(learning_rate, grads[name], params[name]) for name in names])
        params = {name: value - learning_rate * grads[name] for name, value in params.items()}
    return WatchedRun(
        np.reshape(ratios, (steps, network.depth)), first_loss, network.loss(params, batch), params
    )
