"""Three training runs that end at one loss, and differ in everything that a picture shows."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from .deep_network import DeepNetwork, deep_data

TARGET = 0.25
NETWORK = DeepNetwork((8, 16, 16, 1), "relu")
RUNS = {
    "sound": {"learning_rate": 0.05, "first_bias": 0.0},
    "jagged": {"learning_rate": 0.3, "first_bias": 0.0},
    "dead": {"learning_rate": 0.05, "first_bias": -3.0},
}


@dataclass(frozen=True)
class AlikeRun:
    """A run that was stopped at the first loss not above `TARGET`.

    Parameters
    ----------
    losses : ndarray, shape (steps + 1,)
        Loss before the first step and after each.
    first_layer : ndarray, shape (n, units)
        Pre-activations of the first layer at the end.
    outputs, targets : ndarray, shape (n,)
        What the network gives at the end, and what it should.
    """

    losses: np.ndarray
    first_layer: np.ndarray
    outputs: np.ndarray
    targets: np.ndarray

    @property
    def largest_rise(self):
        """Largest rise of the loss in one step; 0 if it never rose."""
        return max(0.0, float(np.diff(self.losses).max()))

    @property
    def dead_share(self):
        """Share of the first layer's units that no example switches on."""
        return float(np.mean((self.first_layer <= 0.0).all(axis=0)))


def descend_to(network, params, batch, *, learning_rate, target, steps):
    """Train by gradient descent on all of the data until the loss is at most `target`.

    Parameters
    ----------
    network : DeepNetwork
        What is trained.
    params : dict of ndarray
        Where to start; left as it is.
    batch : tuple of ndarray
        Inputs and targets.
    learning_rate, target : float
        Step size, and the loss at which to stop.
    steps : int
        Most steps to take.

    Returns
    -------
    losses : ndarray, shape (steps taken + 1,)
    params : dict of ndarray
    """
    losses = [network.loss(params, batch)]
    while len(losses) <= steps and not losses[-1] <= target:
        grads = network.grad(params, batch)
        params = {name: value - learning_rate * grads[name] for name, value in params.items()}
        losses.append(network.loss(params, batch))
    return np.array(losses), params


@cache
def alike_run(name):
    """Return one of `RUNS`, trained on the spot; an unknown name is a KeyError."""
    settings, batch = RUNS[name], deep_data(96)
    start = NETWORK.start(np.sqrt(2.0), seed=3)
    start["b1"] = start["b1"] + settings["first_bias"]
    losses, params = descend_to(
        NETWORK, start, batch, learning_rate=settings["learning_rate"], target=TARGET, steps=200
    )
    layers = NETWORK.activations(params, batch[0])
    return AlikeRun(losses, layers["layer1"], layers["layer3"][:, 0], batch[1][:, 0])
