"""Faults in how a program is evaluated, and functions that break their promises."""

import numpy as np

from .catalog import classes, fault, layered, tabular


@fault("evaluation", "train-test setup", "scores-exchanged scores-agree loss-contradicts-scores",
       lambda p: p.kind == "deep" and classes(p))  # fmt: skip
def layers_restored_swapped(program, rng):
    """Two layers of equal shape change places between training and prediction."""
    right, swap = program.fields["scores"], {"W2": "W3", "W3": "W2"}
    # weights as after some training, when layers have taken different parts
    params = {n: 2.0 * v for n, v in program.fields["params"].items()}
    changed = program.having(params=params, scores=lambda p, x: right({n: p[swap.get(n, n)] for n in p}, x))
    return changed, ("W2", "W3")


@fault("evaluation", "train-test setup", "loss-contradicts-scores scores-agree",
       lambda p: tabular(p) and classes(p))  # fmt: skip
def inputs_scaled_again(program, rng):
    """Prediction scales inputs that are scaled already."""
    right = program.fields["scores"]
    return program.having(scores=lambda p, x: right(p, (x - 1.5) / 4.0)), ("inputs", "scores")


@fault("evaluation", "setup train-test", "random-scores", classes)
def dropout_left_on(program, rng):
    """Dropout stays on in prediction."""
    right, coins = program.fields["scores"], np.random.default_rng(1)

    def scores(p, x):
        return right(p, x * (coins.random(x.shape) > 0.3) / 0.7)

    return program.having(scores=scores), ()


@fault("evaluation", "setup train-test", "examples-mix", tabular)
def statistics_of_the_test_batch(program, rng):
    """Prediction scales inputs by the statistics of the batch at hand."""
    right = program.fields["scores"]
    return program.having(scores=lambda p, x: right(p, (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-5))), ()


@fault("training process", "setup", "random-loss not-deterministic")
def loss_random(program, rng):
    """The loss has noise that differs between equal calls."""
    right, coins = program.fields["loss"], np.random.default_rng(1)

    def loss(p, batch, l2=program.network.l2):
        return right(p, batch, l2) * (1.0 + 0.05 * coins.normal())

    return program.having(loss=loss), ()


@fault("training process", "setup", "writes-arguments arguments-kept")
def inputs_overwritten(program, rng):
    """The gradient function scales the caller's inputs in place."""
    right = program.fields["grad"]

    def grad(p, batch, l2=program.network.l2):
        batch[0][...] *= 0.5
        return right(p, batch, l2)

    return program.having(grad=grad), ("inputs",)


@fault("shape", "setup", "user-function cannot-run")
def shape_of_gradient(program, rng):
    """One gradient has a trailing axis too many."""
    right = program.fields["grad"]
    name = max(program.fields["params"], key=lambda n: program.fields["params"][n].ndim)

    def grad(p, batch, l2=program.network.l2):
        g = right(p, batch, l2)
        return g | {name: g[name][..., None] * np.ones(2)}

    return program.having(grad=grad), (name,)


@fault("layer", "setup", "ignores-inputs dead", lambda p: layered(p) and classes(p))
def output_independent_of_input(program, rng):
    """Prediction ignores its input."""
    right = program.fields["scores"]
    return program.having(scores=lambda p, x: right(p, np.zeros_like(x))), ("inputs",)
