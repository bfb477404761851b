"""Tests of the activations check: each question with a planted fault and a clean program."""

import numpy as np
import pytest

from mlbug.activations import check_activations
from mlbug.nonlinearity import identify
from mlbug.problem import as_guard
from tests.mlbug.programs import ACTIVATIONS, classifier, fault, kinds, regressor


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", [classifier, regressor])
def test_correct_programs_pass(program, activation, dtype):
    """Networks with usual weights are alive."""
    assert {
        f.status for f in check_activations(program(activation=activation, dtype=dtype, sizes=(4, 9, 9, 3)))
    } == {"ok"}


@pytest.mark.parametrize("scale", [1e-10, 1e10])
def test_rescaled_loss_passes(scale):
    """Gradients are judged beside each other, so that the unit of the loss does not matter."""
    program = classifier()
    grad, loss = program["grad"], program["loss"]
    program["loss"] = lambda p, b: scale * loss(p, b)
    program["grad"] = lambda p, b: {k: scale * v for k, v in grad(p, b).items()}
    assert kinds(check_activations(program)) == set()


def test_pure_sign_error_passes():
    """The sign of the gradient is not this check's matter."""
    program = classifier()
    grad = program["grad"]
    program["grad"] = lambda p, b: {k: -v for k, v in grad(p, b).items()}
    assert kinds(check_activations(program)) == set()


def test_nan_pre_activations_are_skipped():
    """Pre-activations that are not finite are the setup check's matter."""
    program = classifier(activations=lambda p, x: {"h": np.full((len(x), 3), np.nan)})
    assert {f.status for f in check_activations(program)} == {"skipped"}


def test_dead_layer_is_named():
    """A ReLU layer below zero for every example, to which nothing comes back, is a fault."""
    program = classifier(activation="relu")
    program["params"]["b1"] -= 30.0
    assert fault(check_activations(program), "dead-units").where == ("layer1",)


def test_negative_layer_that_learns_is_fine():
    """A tanh layer may be below zero throughout: its gradient still comes back."""
    program = classifier(activation="tanh")
    program["params"]["b1"] -= 2.0
    program["params"]["W1"] *= 0.1
    assert kinds(check_activations(program)) == set()


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_saturated_layer_is_named(activation):
    """Unscaled inputs drive tanh and sigmoid into their flat parts; a ReLU does not mind."""
    program = classifier(activation=activation)
    program["train"] = (200.0 * program["train"][0], program["train"][1])
    assert "layer1" in fault(check_activations(program), "saturated").where
    relu = classifier(activation="relu")
    relu["train"] = (200.0 * relu["train"][0], relu["train"][1])
    assert kinds(check_activations(relu)) == set()


@pytest.mark.parametrize(("factor", "kind"), [(0.05, "vanishing"), (30.0, "exploding")])
def test_depth_is_judged(factor, kind):
    """Weights much too small or too large shrink or blow up the signal from layer to layer."""
    program = regressor(sizes=(4, 8, 8, 8, 8, 1), activation="relu")
    for name in ("W1", "W2", "W3", "W4", "W5"):
        program["params"][name] *= factor
    assert kind in kinds(check_activations(program))


def test_vanishing_gradient_names_the_first_layers():
    """In ten sigmoid layers hardly anything comes back to the first weights."""
    program = classifier(sizes=(4, *[8] * 10, 3), activation="sigmoid", activations=None)
    found = [f for f in check_activations(program) if f.kind == "vanishing-gradient"]
    assert found[0].status == "fault"
    assert "W1" in found[0].where
    assert "W11" not in found[0].where


def test_zero_output_layer_is_no_vanishing_gradient():
    """A last layer that starts at zero sends nothing back in the first step alone."""
    program = classifier(sizes=(4, 8, 8, 3))
    program["params"]["W3"][:] = 0.0
    assert kinds(check_activations(program)) == set()


def test_copied_units_are_found():
    """A layer all of whose units do the same is named."""
    program = classifier()
    program["params"]["W1"][:] = 0.3
    assert fault(check_activations(program), "symmetry").where == ("layer1",)


def test_huge_step_is_a_suspicion():
    """A first step of many times the parameter is told."""
    findings = check_activations(classifier(learning_rate=1e4))
    assert kinds(findings) == set()
    assert "large-update" in kinds(findings, "suspect")


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("program", [classifier, regressor])
def test_nonlinearity_is_recognized(program, activation):
    """The function of a hidden layer is found from what follows it, with or without the matrix."""
    guard = as_guard(program(activation=activation))
    x = guard.problem.train[0]
    layers = guard.activations(guard.params(), x)
    params = {
        name: value + 1.0 for name, value in guard.params().items()
    }  # least squares has to find the map
    for known in (guard.params(), params):
        assert identify(layers, "layer1", known, x, guard.scores(guard.params(), x)) == activation
