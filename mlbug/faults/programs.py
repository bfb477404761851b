"""Random learning programs without a fault: data, network, optimizer and rate."""

from dataclasses import dataclass, field

import numpy as np

from ..problem import Problem
from .datasets import classes, standardized, values
from .mixture import mixture_fields
from .networks import Feedforward
from .rules import RULES
from .sequence_networks import Convolutional, Recurrent

KINDS = ("linear", "logistic", "tanh", "relu", "deep", "autoencoder", "recurrent", "convolutional")


@dataclass(frozen=True)
class Program:
    """A learning program that faults can be planted into.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    network : Network
        Its network.
    fields : dict
        The fields of `Problem`.
    notes : dict
        What a planted fault needs to know: ``rule``, the optimizer's name.
    """

    kind: str
    network: object
    fields: dict
    notes: dict = field(default_factory=dict)

    def problem(self):
        """Return the program as a `Problem`."""
        return Problem(**self.fields)

    def using(self, network):
        """Return the program with another network in place of its own."""
        fields = self.fields | functions_of(network)
        return Program(self.kind, network, fields, self.notes)

    def having(self, **fields):
        """Return the program with some fields of the Problem replaced."""
        return Program(self.kind, self.network, self.fields | fields, self.notes)


def functions_of(network):
    """Return the functions of a network as fields of `Problem`."""
    names = ("loss", "grad", "scores", "activations")
    return {name: getattr(network, name) for name in names}


def random_program(rng, kind=None, rule=None):
    """Return a right program of a random kind, size, data set and optimizer.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of all choices.
    kind : str, optional
        One of `KINDS`, or ``mixture``: a mixture of densities fitted by whole steps.
    rule : str, optional
        Name of the optimizer, one of ``RULES``.

    Returns
    -------
    Program
    """
    if kind == "mixture":
        return Program(kind, *mixture_fields(rng))
    kind = kind or str(rng.choice(KINDS))
    rule = rule or str(rng.choice(list(RULES)))
    n = int(rng.integers(70, 140))
    l2 = float(rng.choice([0.0, 0.0, 1e-3]))
    network, draw = _MAKERS[kind](rng, l2)
    train, test = standardized(draw(n), draw(n))
    params = network.start(rng)
    fields = {"params": params, "train": train, "test": test, **functions_of(network)}
    if l2:
        fields["regularizer"] = "l2"
    rate, factory = _rate(network, params, train, rule), RULES[rule]
    fields |= {"learning_rate": rate, "update": factory()}
    return Program(kind, network, fields, {"rule": rule})


def healthy_models(count, seed=0):
    """Yield `count` programs without a fault: all kinds in turn, then a mixture of densities.

    Parameters
    ----------
    count : int
        Number of programs.
    seed : int, optional
        Seed of all choices.

    Yields
    ------
    Program
    """
    kinds = (*KINDS, "mixture")
    for i in range(count):
        yield random_program(np.random.default_rng([seed, i]), kinds[i % len(kinds)])


def _rate(network, params, train, rule):
    """Return a rate at which twenty steps of the rule lower the loss steadily enough."""
    rate = {"adam": 0.01, "adamw": 0.01, "rmsprop": 0.003, "adagrad": 0.05}.get(rule, 0.5)
    for _ in range(20):
        p, update, losses = dict(params), RULES[rule](), []
        with np.errstate(all="ignore"):  # a rate that is too high may overflow
            for _ in range(20):
                losses.append(network.loss(p, train))
                p = update(p, network.grad(p, train), rate)
            losses.append(network.loss(p, train))
        if np.isfinite(losses).all() and np.max(losses) <= losses[0] * 1.02:
            return rate
        rate /= 2.0
    return rate


def _linear(rng, l2):
    d = int(rng.integers(2, 8))
    return Feedforward((d, 1), "tanh", "values", l2), values(rng, d, 0.0)


def _logistic(rng, l2):
    d, k = int(rng.integers(2, 8)), int(rng.integers(2, 5))
    return Feedforward((d, k), "tanh", "classes", l2), classes(rng, d, k)


def _hidden(activation, depth):
    def make(rng, l2):
        d, h, k = int(rng.integers(3, 8)), int(rng.integers(8, 16)), int(rng.integers(2, 5))
        if rng.random() < 0.5:
            return Feedforward((d, *[h] * depth, 1), activation, "values", l2), values(rng, d, 0.5)
        return Feedforward((d, *[h] * depth, k), activation, "classes", l2), classes(rng, d, k)

    return make


def _deep(rng, l2):
    return _hidden(str(rng.choice(["tanh", "relu"])), 3)(rng, l2)


def _autoencoder(rng, l2):
    d, h = int(rng.integers(6, 10)), int(rng.integers(3, 5))
    mix = rng.normal(0.0, 0.7, (h, d))

    def draw(n):
        X = rng.normal(size=(n, h)) @ mix + rng.normal(0.0, 0.1, (n, d))
        return (X,)

    return Feedforward((d, h, d), "tanh", "inputs", l2), draw


def _recurrent(rng, l2):
    steps, d, h = int(rng.integers(3, 6)), int(rng.integers(1, 3)), int(rng.integers(5, 9))
    v = rng.normal(size=d)

    def draw(n):
        X = rng.normal(size=(n, steps, d))
        return X, ((X @ v).sum(axis=1) > 0).astype(int)

    return Recurrent(d, h, 2, "classes", l2), draw


def _convolutional(rng, l2):
    length, width, h = int(rng.integers(8, 14)), 3, int(rng.integers(5, 9))
    shape = np.array([1.0, -1.0, 1.0]) * rng.uniform(1.5, 2.5)

    def draw(n):
        X, y = rng.normal(0.0, 0.7, (n, length)), rng.permutation(np.arange(n) % 2)
        for i in np.flatnonzero(y):
            at = rng.integers(0, length - width + 1)
            X[i, at : at + width] += shape
        return X, y

    return Convolutional(width, h, 2, "classes", l2), draw


_MAKERS = {
    "linear": _linear,
    "logistic": _logistic,
    "tanh": _hidden("tanh", 1),
    "relu": _hidden("relu", 1),
    "deep": _deep,
    "autoencoder": _autoencoder,
    "recurrent": _recurrent,
    "convolutional": _convolutional,
}
