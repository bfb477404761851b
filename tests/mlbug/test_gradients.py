"""The gradient check on programs with planted faults and on right ones."""

import numpy as np
import pytest

from mlbug import check_gradients
from tests.mlbug.gradient_programs import MLP_FAULTS, mlp
from tests.mlbug.gradient_programs_hard import HARD
from tests.mlbug.gradient_programs_nets import NETS

NET_FAULTS = [(net, fault, *told) for net, faults in NETS.items() for fault, told in faults.items()]
HARD_FAULTS = [(program, fault, where) for program, faults in HARD.items() for fault, where in faults.items()]
SETTINGS = {
    "double": {},
    "no complex step": {"safe": False},
    "single": {"dtype": np.float32},
    "tiny": {"scale": 1e-10},
    "huge": {"scale": 1e8},
}


def faults_of(program, seed=0):
    """Return the fault findings on a program."""
    return [f for f in check_gradients(program, seed) if f.status == "fault"]


def places(findings):
    """Return all names that some findings tell."""
    return {name for finding in findings for name in finding.where}


@pytest.mark.parametrize("fault", MLP_FAULTS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_planted_fault_is_found_placed_and_named(fault, setting):
    """Each slip is found in its blocks alone and named first, in every precision and at every scale."""
    where, kind = MLP_FAULTS[fault]
    found = faults_of(mlp(fault, **SETTINGS[setting]))
    assert places(found) == set(where)
    assert found[0].kind == kind


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_a_right_gradient_is_called_right(setting, seed):
    """Nothing but `ok` on the right program, in every precision and at every scale."""
    assert {f.status for f in check_gradients(mlp("", seed, **SETTINGS[setting]), seed)} == {"ok"}


@pytest.mark.parametrize(("net", "fault", "where", "kind"), NET_FAULTS)
def test_faults_in_networks_of_other_kinds(net, fault, where, kind):
    """Recurrent, convolutional, attention, embedding, normalization and residual slips are named."""
    found = faults_of(net(fault, 1), 1)
    assert places(found) == where
    assert kind in {f.kind for f in found}


@pytest.mark.parametrize(("program", "fault", "where"), HARD_FAULTS)
def test_faults_among_kinks_noise_and_randomness(program, fault, where):
    """Kinks, random draws, noise and offsets do not hide a fault."""
    assert places(faults_of(program(fault, 2), 2)) == where


@pytest.mark.parametrize("program", [*NETS, *HARD])
@pytest.mark.parametrize("seed", range(3))
def test_no_false_alarm_on_programs_that_mislead(program, seed):
    """Right programs with kinks, noise, random draws, zeros or constraints give no fault."""
    assert faults_of(program("", seed), seed) == []


def test_the_sum_for_a_mean_is_told_with_its_numbers():
    """The finding says how many times too large the gradient is, and why."""
    (finding,) = faults_of(mlp("sum-for-mean"))
    assert "32 times the true one, and the batch has 32 examples" in finding.meaning


def test_a_single_wrong_entry_is_pointed_at():
    """The place of one wrong entry is given by its index."""
    (finding,) = faults_of(mlp("one-entry"))
    assert "W2[1, 2]" in finding.meaning


def test_the_bound_on_what_was_missed_is_printed():
    """The `ok` finding states the smallest error that would have been seen."""
    (finding,) = check_gradients(mlp())
    assert "missed with a probability below 1e-06" in finding.meaning


def test_the_operation_at_fault_is_given_with_its_line():
    """A derivative left out is told with the line of the loss."""
    from tests.mlbug.gradient_programs_nets import convolution

    (finding,) = faults_of(convolution("relu-missing"))
    assert "np.maximum" in finding.meaning
    assert "H = np.maximum(A, 0)" in finding.meaning


def test_whole_number_buffers_are_recognized():
    """A gradient cut to whole numbers is named so."""

    def grad(p, batch):
        return {"w": (2 * batch[0].T @ (batch[0] @ p["w"] - batch[1])).astype(int)}

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 4)), rng.normal(size=20)
    program = {
        "params": {"w": rng.normal(size=4)}, "loss": lambda p, b: np.sum((b[0] @ p["w"] - b[1]) ** 2),
        "grad": grad, "train": (X, y),
    }  # fmt: skip
    assert faults_of(program)[0].kind == "integer"


def test_a_loss_that_is_not_finite_is_skipped():
    """Nothing is said of a gradient whose loss is NaN."""
    program = mlp() | {"loss": lambda p, batch, l2=0.0: np.nan}
    assert [f.status for f in check_gradients(program)] == ["skipped"]


def test_a_gradient_that_raises_is_a_fault():
    """The finding repeats what was raised."""

    def grad(p, batch, l2=0.0):
        raise KeyError("W9")

    (finding,) = check_gradients(mlp() | {"grad": grad})
    assert (finding.status, finding.kind) == ("fault", "cannot-run")
    assert "W9" in finding.meaning


def test_a_parameter_that_the_loss_does_not_use_is_unreached():
    """Zero gradient and no influence: suspect, since it may be meant."""
    program = mlp()
    grad = program["grad"]
    program["params"]["spare"] = np.ones(3)
    program["grad"] = lambda p, batch, l2=1e-2: grad(p, batch, l2) | {"spare": np.zeros(3)}
    found = [f for f in check_gradients(program) if f.status != "ok"]
    assert [(f.status, f.kind, f.where) for f in found] == [("suspect", "unreached", ("spare",))]
