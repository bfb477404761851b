"""Tests of the demo that fits one example."""

import math

import pytest

from demos import one_example as demo

FIRST = {name: entry["value"] for name, entry in demo.controls.items()}


def frame(**changes):
    """Return a state's frame."""
    return demo.frame(**{**FIRST, **changes})


def test_three_classes_start_at_1_0986():
    """The start loss of three classes is log 3, by any program that reports the right loss."""
    for fault in ("none", "sign", "softmax", "label"):
        assert f"{frame(fault=fault)['numbers']['start']:.4f}" == "1.0986"


@pytest.mark.parametrize("classes", range(2, 11))
def test_start_loss_is_log_k(classes):
    """For every number of classes the loss at the start equals the number beside it."""
    n = frame(classes=classes)["numbers"]
    assert n["start"] == pytest.approx(math.log(classes), rel=1e-14)
    assert n["expected"] == pytest.approx(n["start"], rel=1e-14)


def test_first_state_fits_the_example():
    """The correct program ends near zero, and the verdict is good."""
    state = frame()
    assert state["numbers"]["end"] < 0.1
    assert state["tone"] == "good"


@pytest.mark.parametrize(
    ("fault", "said"),
    [("sign", "rose"), ("label", "rose"), ("softmax", "sums to -1"), ("twice", "2 times log k")],
)
def test_each_fault_is_named_by_its_number(fault, said):
    """Rising loss, the gradient's sum, or the start loss gives each fault away."""
    state = frame(fault=fault)
    assert said in state["verdict"]
    assert state["tone"] == "bad"


def test_too_few_steps_are_not_called_a_fault():
    """A loss that still falls asks for more steps; none at all shows log k."""
    assert frame(steps=5)["tone"] == "plain"
    assert "log k" in frame(steps=0)["verdict"]


def test_curve_and_numbers_are_the_same_run():
    """The chart's last point is the number shown, and the probabilities add up to 1."""
    state = frame(steps=150)
    assert state["tables"]["loss"]["loss"][-1] == state["numbers"]["end"]
    assert sum(state["tables"]["classes"]["probability"]) == pytest.approx(1.0)
