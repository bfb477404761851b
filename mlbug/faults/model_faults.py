"""Faults of models, layers and their start."""

import copy

import numpy as np

from .catalog import classes, fault, layered


def _start(program, change):
    """Return the program with ``change(name, value)`` in place of each initial parameter."""
    return program.having(params={n: change(n, v) for n, v in program.fields["params"].items()})


def _slip(program, name):
    network = copy.copy(program.network)
    network.slip = name
    return program.using(network)


def _weights(program, hidden=False):
    last = str(getattr(program.network, "depth", 0))
    tables = [n for n, v in program.fields["params"].items() if v.ndim > 1]
    return tuple(n for n in tables if not (hidden and n.endswith(last)))


@fault("model", "setup updates activations", "symmetry copies", layered)
def units_alike(program, rng):
    """All weights start with one value."""
    names = _weights(program)
    return _start(program, lambda n, v: np.full_like(v, 0.1) if n in names else np.zeros_like(v)), names


@fault("model", "setup", "ignores-inputs", lambda p: layered(p) and p.network.task != "inputs")
def input_lost(program, rng):
    """The network multiplies its input by zero."""
    return _slip(program, "input-lost"), ("inputs",)


@fault("shape", "setup", "examples-mix", classes)
def softmax_over_examples(program, rng):
    """The softmax runs over the examples instead of the classes."""
    return _slip(program, "softmax-axis"), ()


@fault("layer", "activations", "dead-units dead", lambda p: p.kind in ("relu", "convolutional"))
def units_dead(program, rng):
    """All ReLU units of a layer start below zero for every example."""
    name, layer = ("c", "layer1") if program.kind == "convolutional" else ("b1", "layer1")
    return _start(program, lambda n, v: v - 40.0 if n == name else v), (layer, name)


@fault("layer", "activations", "saturated saturation", lambda p: p.kind == "tanh")
def units_saturated(program, rng):
    """The units of a tanh layer start far out in its flat parts."""
    return _start(program, lambda n, v: 60.0 * v if n == "W1" else v), ("layer1", "W1")


@fault("layer", "activations", "vanishing vanishing-gradient", lambda p: p.kind == "deep")
def start_too_small(program, rng):
    """Hidden weights start a hundred times too small."""
    hidden = _weights(program, hidden=True)
    return _start(program, lambda n, v: 0.01 * v if n in hidden else v), (
        "layer1",
        "layer2",
        "layer3",
        *hidden,
    )


@fault("layer", "activations updates", "exploding saturated", lambda p: p.kind == "deep")
def start_too_large(program, rng):
    """Hidden weights start fifteen times too large."""
    hidden = _weights(program, hidden=True)
    return _start(program, lambda n, v: 15.0 * v if n in hidden else v), (
        "layer1",
        "layer2",
        "layer3",
        *hidden,
    )


@fault("model", "setup", "start-loss", lambda p: p.kind == "logistic")
def start_too_sure(program, rng):
    """The output weights start so large that wrong answers are given with certainty."""
    names = _weights(program)
    return _start(program, lambda n, v: 300.0 * v if n in names else v), names


@fault("activation", "activations tiny-dataset train-test", "dead-units dead unreachable-targets",
       lambda p: p.network.task == "values" and layered(p))  # fmt: skip
def output_cut_at_zero(program, rng):
    """A regression's output goes through a ReLU that starts below zero."""
    last = f"b{program.network.depth}"
    program = _start(_slip(program, "dead-output"), lambda n, v: v - 8.0 if n == last else v)
    return program, (f"layer{program.network.depth}", last)


@fault("hyperparameters", "tiny-dataset train-test", "penalty-too-strong", layered)
def penalty_too_strong(program, rng):
    """The penalty on the weights is thousands of times too strong."""
    network = copy.copy(program.network)
    network.l2 = 3.0
    right = network

    def loss(p, batch, l2=3.0):
        return right.loss(p, batch, l2)

    def grad(p, batch, l2=3.0):
        return right.grad(p, batch, l2)

    rate = min(program.fields["learning_rate"], 0.05)
    return program.having(loss=loss, grad=grad, regularizer="l2", learning_rate=rate), ("l2",)
