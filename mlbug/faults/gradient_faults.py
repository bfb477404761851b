"""Wrong gradients."""

import copy

import numpy as np

from .catalog import classes, fault, layered, pick

GROUP = "loss and gradient"


def _slip(program, name):
    """Return the program with a network that makes a mistake."""
    network = copy.copy(program.network)
    network.slip = name
    return program.using(network)


def _changed(program, change):
    """Return the program with ``change(grads, params, batch)`` in place of its gradient."""
    right = program.fields["grad"]

    def grad(p, batch, l2=program.network.l2):
        return change(right(p, batch, l2), p, batch)

    return program.having(grad=grad)


def _block(program, name, change):
    """Return the program whose gradient of one block goes through ``change(value)``."""
    return _changed(program, lambda g, p, batch: g | {name: change(g[name])}), (name,)


def _below(program):
    """Return the names of what the last layer does not hold."""
    last = str(program.network.depth)
    return tuple(name for name in program.fields["params"] if not name.endswith(last))


@fault(GROUP, "gradients", "sign")
def gradient_sign(program, rng):
    """The gradient of one array has the wrong sign."""
    return _block(program, pick(program, rng), lambda g: -g)


@fault(GROUP, "gradients", "factor-2 factor term-doubled")
def gradient_doubled(program, rng):
    """The gradient of one array is twice the true one."""
    return _block(program, pick(program, rng), lambda g: 2.0 * g)


@fault(GROUP, "gradients setup", "sum-for-mean batch-reduction", lambda p: not p.network.l2)
def gradient_summed(program, rng):
    """The gradient sums over the examples where the loss averages."""
    changed = _changed(program, lambda g, p, batch: {n: len(batch[0]) * v for n, v in g.items()})
    return changed, tuple(program.fields["params"])


@fault(GROUP, "gradients setup", "mean-for-sum batch-reduction", lambda p: not p.network.l2)
def gradient_averaged_twice(program, rng):
    """The gradient is divided by the number of examples twice."""
    changed = _changed(program, lambda g, p, batch: {n: v / len(batch[0]) for n, v in g.items()})
    return changed, tuple(program.fields["params"])


@fault(GROUP, "gradients", "transposed transpose-missing", lambda p: p.kind in ("deep", "recurrent"))
def gradient_transposed(program, rng):
    """The gradient of a square matrix is transposed."""
    return _block(program, "Wh" if program.kind == "recurrent" else "W2", lambda g: g.T.copy())


@fault(GROUP, "gradients", "derivative-missing activation-derivative-missing", layered)
def derivative_missing(program, rng):
    """The backward pass leaves out the derivative of the nonlinearity."""
    return _slip(program, "derivative-missing"), _below(program)


@fault(GROUP, "gradients", "unreached zero detached", layered)
def branch_detached(program, rng):
    """No gradient reaches the first layer."""
    return _slip(program, "detached"), ("W1", "b1")


@fault(GROUP, "gradients setup", "one-example some-examples batch-reduction")
def one_example_only(program, rng):
    """The gradient is that of the first example of the batch."""
    right = program.fields["grad"]

    def grad(p, batch, l2=program.network.l2):
        return right(p, tuple(part[:1] for part in batch), l2)

    return program.having(grad=grad), tuple(program.fields["params"])


@fault(GROUP, "gradients", "unreached zero detached")
def bias_forgotten(program, rng):
    """The gradient of a bias is zero."""
    return _block(program, pick(program, rng, axes=1), np.zeros_like)


@fault(GROUP, "gradients", "regularizer-missing", lambda p: p.network.l2)
def penalty_missing(program, rng):
    """The loss has a penalty that the gradient lacks."""
    tables = tuple(n for n, v in program.fields["params"].items() if v.ndim > 1)
    return _slip(program, "penalty-missing"), tables


@fault(GROUP, "gradients", "regularizer-doubled", lambda p: p.network.l2)
def penalty_doubled(program, rng):
    """The gradient of the penalty is twice the true one."""
    tables = tuple(n for n, v in program.fields["params"].items() if v.ndim > 1)
    return _slip(program, "penalty-doubled"), tables


@fault(GROUP, "gradients", "probability-missing softmax-missing", classes)
def softmax_term_missing(program, rng):
    """The gradient of the softmax loss lacks the probabilities."""
    return _slip(program, "softmax-term"), tuple(program.fields["params"])


@fault(GROUP, "gradients", "one-entry some-entries single-entry")
def one_entry_wrong(program, rng):
    """One entry of a gradient is wrong."""
    name = pick(program, rng, least=4)
    place = int(rng.integers(program.fields["params"][name].size))

    def change(g):
        g = g.copy()
        g.flat[place] = 1.5 * g.flat[place] + 0.1 * np.max(np.abs(g))
        return g

    return _block(program, name, change)


@fault(GROUP, "gradients setup", "integer integer-gradient")
def integer_buffer(program, rng):
    """A gradient is kept in an integer array."""
    return _block(program, pick(program, rng), lambda g: g.astype(int))


@fault("shape", "gradients", "wrong-axis axis-count averaged detached")
def bias_summed_over_units(program, rng):
    """The gradient of a bias is averaged over its units."""
    name = pick(program, rng, axes=1, least=2) if program.kind != "linear" else "W1"
    return _block(program, name, lambda g: np.full_like(g, g.mean()))


@fault(GROUP, "gradients", "stale not-deterministic")
def stale_value(program, rng):
    """The gradient of one array is that at the initial parameters."""
    right, start = program.fields["grad"], {n: v.copy() for n, v in program.fields["params"].items()}
    name = pick(program, rng, axes=2)

    def grad(p, batch, l2=program.network.l2):
        return right(p, batch, l2) | {name: right(start, batch, l2)[name]}

    return program.having(grad=grad), (name,)


@fault(GROUP, "gradients", "missing-uses no-carry one-step", lambda p: p.kind == "recurrent")
def no_carry_through_time(program, rng):
    """The gradient is not carried back from one time step to the step before."""
    return _slip(program, "no-carry"), ("Wx", "Wh", "bh")


@fault(GROUP, "gradients", "missing-uses one-window", lambda p: p.kind == "convolutional")
def first_window_only(program, rng):
    """The gradient of a convolution comes from its first window alone."""
    return _slip(program, "one-window"), ("K", "c")


@fault(GROUP, "gradients setup", "not-finite")
def gradient_not_a_number(program, rng):
    """The gradient of one array is NaN."""
    return _block(program, pick(program, rng), lambda g: g * np.nan)


@fault(GROUP, "setup gradients", "batch-reduction sum-for-mean mean-for-sum", lambda p: not p.network.l2)
def loss_summed(program, rng):
    """The loss sums over the examples where the gradient averages."""
    return _slip(program, "loss-sum"), ()


@fault("shape", "setup tiny-dataset train-test", "paired-targets targets-broadcast broadcast",
       lambda p: p.network.task == "values")  # fmt: skip
def targets_broadcast(program, rng):
    """Predictions (n, 1) and targets (n,) broadcast to a table (n, n)."""
    return _slip(program, "broadcast"), ("targets",)
