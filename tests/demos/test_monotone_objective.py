"""Tests of the demo of objectives that must not rise."""

import pytest

from demos import monotone_objective as demo
from mlbug.monotone_examples import ALGORITHMS, FAULTS

FIRST = {name: control["value"] for name, control in demo.controls.items()}


def shown(**changes):
    """The frame of the first state with some values changed."""
    return demo.frame(**{**FIRST, **changes})


def test_controls_offer_what_the_library_has():
    """The choices are the algorithms and faults of mlbug, and each slip has its words."""
    assert set(demo.controls["algorithm"]["options"]) == set(ALGORITHMS)
    assert set(demo.controls["fault"]["options"]) == set(FAULTS)
    assert set(demo.SLIPS) == {(a, f) for a in ALGORITHMS for f in FAULTS if f != "none"}


@pytest.mark.parametrize("step", [14, 15, 20])
def test_first_rise_is_where_the_slip_sets_in(step):
    """EM's objective rises in the step in which variances become standard deviations."""
    frame = shown(fault_step=step)
    assert frame["numbers"]["first"] == step
    assert frame["tone"] == "bad"
    assert f"step {step}" in frame["verdict"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_without_a_slip_both_promises_hold(algorithm):
    """No rise, no gradient left, and the two lines are one."""
    frame = shown(algorithm=algorithm, fault="none")
    assert (frame["tone"], frame["numbers"]["first"]) == ("good", 0)
    run = frame["tables"]["run"]
    half = len(run["objective"]) // 2
    assert list(run["objective"][:half]) == list(run["objective"][half:])


def test_an_early_slip_is_silent_and_leaves_a_gradient():
    """From step 6 on the same slip never raises the objective; the gradient at the end tells."""
    frame = shown(fault_step=6)
    assert frame["numbers"]["first"] == 0
    assert frame["numbers"]["gradient"] > 5.0
    assert "did not reach" in frame["verdict"]


def test_a_loose_tolerance_hides_the_rise():
    """A tenth of the whole fall is more than the rise; a millionth is not."""
    assert shown(tolerance=0.1)["numbers"]["first"] == 0
    assert shown(tolerance=1e-6)["numbers"]["first"] == 15
