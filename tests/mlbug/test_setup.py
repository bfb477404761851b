"""Tests of the setup check: each question with a planted fault and a clean program."""

import numpy as np
import pytest

from mlbug.setup import check_setup
from tests.mlbug.programs import ACTIVATIONS, classifier, fault, kinds, regressor


def wrapped(program, name, function):
    """Return the program with ``function(original, params, data)`` in place of one of its functions."""
    original = program[name]
    return program | {name: lambda p, data: function(original, p, data)}


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", [classifier, regressor])
def test_correct_programs_pass(program, activation, dtype):
    """Correct networks of several kinds give neither fault nor suspicion."""
    findings = check_setup(program(activation=activation, dtype=dtype))
    assert kinds(findings) | kinds(findings, "suspect") == set()


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_rescaled_loss_passes(scale):
    """Multiplying loss and gradient by a constant raises nothing but a remark on the start loss."""
    program = classifier()
    program = wrapped(program, "loss", lambda f, p, b: scale * f(p, b))
    program = wrapped(program, "grad", lambda f, p, b: {k: scale * v for k, v in f(p, b).items()})
    assert kinds(check_setup(program)) == set()


def test_pure_sign_error_is_left_to_the_gradient_check():
    """A gradient of the wrong sign scales with the batch as it should: no fault here."""
    program = wrapped(classifier(), "grad", lambda f, p, b: {k: -v for k, v in f(p, b).items()})
    assert kinds(check_setup(program)) == set()


def test_nan_in_the_data_is_traced_to_it():
    """A NaN among the inputs that reaches the loss is a fault of the inputs."""
    program = classifier()
    program["train"][0][7, 2] = np.nan
    assert fault(check_setup(program), "not-finite").where == ("inputs",)


def test_nan_in_a_parameter_is_traced_to_it():
    """A NaN in one parameter names that parameter."""
    program = classifier()
    program["params"]["b1"][0] = np.nan
    assert fault(check_setup(program), "not-finite").where == ("b1",)


def test_overflow_names_the_example():
    """Where data and parameters are finite the first example with an infinite loss is told."""
    program = wrapped(classifier(), "loss", lambda f, p, b: f(p, b) if len(b[0]) < 2 else np.inf)
    found = fault(check_setup(program), "not-finite")
    assert "first example" not in found.evidence
    program = wrapped(classifier(), "loss", lambda f, p, b: f(p, b) + np.log(np.min(b[0][:, 0] > -1.0)))
    first = int(np.argmax(program["train"][0][:, 0] <= -1.0))
    assert fault(check_setup(program), "not-finite").evidence["first example"] == first


def test_raising_function_is_the_only_fault():
    """A loss that raises gives one fault with its message, and nothing is concluded from the rest."""
    findings = check_setup(classifier(loss=lambda p, b: p["missing"]))
    assert "loss raised KeyError: 'missing'" in fault(findings, "user-function").meaning
    assert len(findings) == 1


def test_integer_gradient_is_cut():
    """A gradient buffer of integers is a fault where fractions are lost, a suspicion where they are not."""
    cut = wrapped(regressor(), "grad", lambda f, p, b: f(p, b) | {"W2": f(p, b)["W2"].astype(int)})
    assert fault(check_setup(cut), "integer-gradient").where == ("W2",)


def test_integer_parameters_are_told():
    """An integer parameter that the update keeps integer is a fault, otherwise a suspicion."""

    def keep(p, grads, lr):
        new = {name: value.copy() for name, value in p.items()}
        for name in new:
            new[name][...] = p[name] - lr * grads[name]
        return new

    program = regressor(params=regressor()["params"] | {"b1": np.zeros(10, int)})
    assert "integer-parameter" in kinds(check_setup(program), "suspect")
    found = [f for f in check_setup(program | {"update": keep}) if f.kind == "integer-parameter"]
    assert [(f.status, f.where) for f in found] == [("fault", ("b1",))]


def test_random_scores_are_a_fault():
    """Dropout left on in the prediction is a fault."""
    rng = np.random.default_rng(0)
    program = wrapped(classifier(), "scores", lambda f, p, x: f(p, x * (rng.random(x.shape) < 0.8)))
    assert "random-scores" in kinds(check_setup(program))


def test_random_loss_is_a_suspicion():
    """Noise in the loss alone may be meant: it is no fault."""
    rng = np.random.default_rng(0)
    program = wrapped(classifier(), "loss", lambda f, p, b: f(p, b) * (1.0 + 0.01 * rng.normal()))
    findings = check_setup(program)
    assert kinds(findings) == set()
    assert "random-loss" in kinds(findings, "suspect")


def test_loss_with_a_memory_is_a_fault():
    """A loss that grows with each call keeps something between calls."""
    calls = []
    program = wrapped(classifier(), "loss", lambda f, p, b: f(p, b) + 0.01 * (calls.append(1) or len(calls)))
    assert "stateful-loss" in kinds(check_setup(program))


@pytest.mark.parametrize(
    ("name", "write", "place"),
    [
        ("loss", lambda p, b: b[0].__isub__(b[0].mean(axis=0)), "inputs"),
        ("grad", lambda p, b: b[1].__iadd__(0.1), "targets"),
        ("scores", lambda p, x: p["W1"].__imul__(2.0), "W1"),
        ("activations", lambda p, x: x.__imul__(0.5), "inputs"),
    ],
)
def test_written_argument_is_named(name, write, place):
    """A function that changes an argument in place is a fault of that argument."""

    def change(f, p, data):
        result = f(p, data)
        write(p, data)
        return result

    assert fault(check_setup(wrapped(regressor(), name, change)), "writes-arguments").where == (place,)


def test_shared_array_is_a_fault_where_steps_are_in_place():
    """One array for two biases is a fault for an update in place, else a suspicion."""

    def in_place(p, grads, lr):
        for name in p:
            p[name] -= lr * grads[name]
        return p

    zero = np.zeros(6)
    program = classifier(sizes=(4, 6, 6, 3))
    program["params"] |= {"b1": zero, "b2": zero}
    assert "shared-parameters" in kinds(check_setup(program), "suspect")
    assert fault(check_setup(program | {"update": in_place}), "shared-parameters").where == ("b1", "b2")


def test_sum_in_the_gradient_alone_is_a_fault():
    """A gradient that sums where the loss averages names all its arrays."""
    program = wrapped(classifier(), "grad", lambda f, p, b: {k: len(b[0]) * v for k, v in f(p, b).items()})
    assert fault(check_setup(program), "sum-or-mean").where == ("W1", "b1", "W2", "b2")


@pytest.mark.parametrize(("rate", "expected"), [(0.2, {"sum-loss"}), (0.001, set())])
def test_sum_is_judged_by_the_learning_rate(rate, expected):
    """A sum over the examples is a fault only where the learning rate expects a mean."""
    program = classifier(learning_rate=rate, l2=1e-3)
    program = wrapped(program, "loss", lambda f, p, b, **k: len(b[0]) * f(p, b))
    program = wrapped(program, "grad", lambda f, p, b: {k: len(b[0]) * v for k, v in f(p, b).items()})
    assert kinds(check_setup(program | {"regularizer": None})) == expected


def test_broadcast_targets_are_a_fault():
    """Outputs (n, 1) beside targets (n,) compare each prediction with every target."""
    program = regressor()
    net = program["loss"].__self__
    for field in ("train", "test"):
        x, y = program[field]
        program[field] = (x, y[:, 0])
    program["loss"] = lambda p, b: np.mean((net.scores(p, b[0]) - b[1]) ** 2)
    program["grad"] = lambda p, b: net.grad(p, (b[0], np.full((len(b[0]), 1), b[1].mean())))
    assert fault(check_setup(program), "targets-broadcast").where == ("targets",)
    program["loss"] = lambda p, b: net.loss(p, (b[0], b[1][:, None]))
    program["grad"] = lambda p, b: net.grad(p, (b[0], b[1][:, None]))
    assert kinds(check_setup(program)) == set()


def test_mixing_examples_are_traced_to_a_layer():
    """Normalization by the batch at prediction mixes examples; the first layer that does is named."""
    program = classifier(sizes=(4, 8, 8, 3))
    net = program["loss"].__self__

    def activations(p, x):
        first = net.forward(p, x)[0][0]
        second = np.tanh(first - first.mean(axis=0)) @ p["W2"] + p["b2"]
        return {"layer1": first, "layer2": second}

    def scores(p, x):
        z = np.tanh(activations(p, x)["layer2"]) @ p["W3"] + p["b3"]
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    found = fault(check_setup(program | {"scores": scores, "activations": activations}), "examples-mix")
    assert found.where == ("layer2", "inputs")


def test_unread_input_is_a_fault():
    """Scores that are the same for all inputs, at random parameters too, do not read them."""
    program = wrapped(classifier(), "scores", lambda f, p, x: f(p, 0.0 * x))
    assert fault(check_setup(program), "ignores-inputs").where == ("inputs",)


def test_units_that_stay_alike_are_a_fault():
    """A constant start keeps all hidden units equal; zeros in a linear softmax are fine."""
    program = classifier()
    program["params"] |= {"W1": np.full((4, 8), 0.1), "W2": np.full((8, 3), 0.1)}
    assert fault(check_setup(program), "symmetry").where == ("W1", "W2")
    linear = classifier(sizes=(4, 3))
    linear["params"]["W1"][:] = 0.0
    assert kinds(check_setup(linear)) == set()


def test_zero_output_layer_is_fine():
    """A last layer that starts at zero breaks its symmetry in the first step."""
    program = classifier()
    program["params"]["W2"][:] = 0.0
    assert kinds(check_setup(program)) == set()


def test_sure_start_is_a_suspicion():
    """A classifier that starts sure of wrong answers is told, not accused."""
    program = classifier()
    program["params"]["W2"] *= 60.0
    findings = check_setup(program)
    assert kinds(findings) == set()
    assert "start-loss" in kinds(findings, "suspect")
