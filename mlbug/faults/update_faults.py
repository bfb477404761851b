"""Wrong update rules and rates."""

import numpy as np

from .catalog import fault, pick
from .rules import adam, momentum, patched, plain, wrapped

GROUP = "training process"


def _patch(program, step, names):
    return program.having(update=patched(program.notes["rule"], names, step)), tuple(names)


def _wrap(program, change, names=()):
    return program.having(update=wrapped(program.notes["rule"], change)), tuple(names)


def _all(program):
    return tuple(program.fields["params"])


@fault(GROUP, "updates", "ignores-gradient")
def gradient_ignored(program, rng):
    """A bias falls by a fixed amount whatever its gradient (the book's equation 11.4)."""
    return _patch(program, lambda w, g, lr, m, t: w - 0.002, [pick(program, rng, axes=1)])


@fault(GROUP, "updates", "sign")
def step_uphill(program, rng):
    """Every step goes along the gradient instead of against it."""
    return _wrap(program, lambda p, g, m: {n: -v for n, v in g.items()}, _all(program))


@fault("optimizer", "updates", "twice")
def step_twice(program, rng):
    """Every step is applied two times."""
    rule = program.fields["update"]
    return program.having(update=lambda p, g, lr: rule(rule(p, g, lr), g, lr)), _all(program)


@fault(GROUP, "updates", "accumulates")
def gradients_accumulate(program, rng):
    """Gradients are never set to zero and add up from step to step."""

    def change(p, g, memory):
        for name, value in g.items():
            memory[name] = memory.get(name, 0.0) + value
        return dict(memory)

    return _wrap(program, change, _all(program))


@fault(GROUP, "updates", "last-batch")
def last_gradient(program, rng):
    """Every step uses the gradient of the step before."""

    def change(p, g, memory):
        old = memory.get("old", {n: np.zeros_like(v) for n, v in g.items()})
        memory["old"] = {n: v.copy() for n, v in g.items()}
        return old

    return _wrap(program, change, _all(program))


@fault(GROUP, "updates", "never-moves")
def block_frozen(program, rng):
    """One array never moves."""
    return _patch(program, lambda w, g, lr, m, t: w.copy(), [pick(program, rng)])


@fault("optimizer", "updates", "parameter")
def velocity_of_the_value(program, rng):
    """The momentum of a bias is fed with the bias in place of its gradient."""
    return _patch(program, lambda w, g, lr, m, t: momentum(w, w, lr, m, t), [pick(program, rng, axes=1)])


@fault(GROUP, "updates", "swapped", lambda p: p.kind == "deep")
def gradients_swapped(program, rng):
    """Two layers of equal shape get each other's gradient."""
    swap = {"W2": "W3", "W3": "W2"}
    return _wrap(program, lambda p, g, m: {n: g[swap.get(n, n)] for n in g}, swap)


@fault("hyperparameters", "updates", "rate own-rate", lambda p: p.notes["rule"] in ("plain", "momentum"))
def rate_not_the_stated(program, rng):
    """The rule multiplies the stated learning rate by a factor."""
    factor = float(rng.choice([0.2, 0.01, 1.0 / len(program.fields["train"][0])]))
    rule = program.fields["update"]
    return program.having(update=lambda p, g, lr: rule(p, g, factor * lr)), _all(program)


@fault("hyperparameters", "updates train-test tiny-dataset", "rate-too-high",
       lambda p: p.notes["rule"] == "plain" and p.network.task != "classes")  # fmt: skip
def rate_too_high(program, rng):
    """The learning rate is hundreds of times too high."""
    return program.having(learning_rate=200.0 * program.fields["learning_rate"]), _all(program)


@fault("optimizer", "updates", "integer")
def step_cut_to_integers(program, rng):
    """New values of one array are cut to whole numbers."""
    return _patch(program, lambda w, g, lr, m, t: np.trunc(w - lr * g), [pick(program, rng)])


@fault("optimizer", "updates", "bias-correction")
def half_corrected(program, rng):
    """Adam corrects its first moment for the start at zero, but not its second."""
    names = list(_all(program))
    return _patch(program, lambda w, g, lr, m, t: adam(w, g, lr, m, t, second=False), names)


@fault("optimizer", "updates", "step-counter")
def counter_stuck(program, rng):
    """Adam's step counter stays at 1."""
    return _patch(program, lambda w, g, lr, m, t: adam(w, g, lr, m, 1), list(_all(program)))


@fault("optimizer", "updates", "decay-sign")
def decay_that_grows(program, rng):
    """Weight decay has the wrong sign."""
    tables = [n for n, v in program.fields["params"].items() if v.ndim > 1]
    return _patch(program, lambda w, g, lr, m, t: plain(w, g - 0.01 * w, lr, m, t), tables)
