"""Tests of the demo of random directions."""

import math

import pytest

from demos import random_projections as demo

FIRST = {name: entry["value"] for name, entry in demo.controls.items()}


def frame(**changes):
    """Return a state's frame."""
    return demo.frame(**{**FIRST, **changes})


@pytest.mark.parametrize("fault", demo.controls["fault"]["options"])
@pytest.mark.parametrize("directions", [1, 2, 3])
def test_count_agrees_with_theory(fault, directions):
    """The counted share of escapes lies within four standard errors of the predicted chance."""
    n = frame(fault=fault, directions=directions)["numbers"]
    expected = n["escape_all"] / 100
    error = math.sqrt(expected * (1 - expected) / (demo.DRAWN // directions))
    assert abs(n["escape_counted"] / 100 - expected) <= 4 * error


def test_stray_term_escapes_by_the_arctangent_law():
    """With a share of a tenth, one direction at tolerance 0.1 misses it every second time."""
    assert frame(fault="stray", directions=1)["numbers"]["escape_one"] == pytest.approx(50.0)


def test_more_directions_lower_the_chance_by_equal_factors():
    """Theory is the chance of one direction to the power of their number."""
    one, three = (frame(directions=k)["numbers"]["escape_all"] / 100 for k in (1, 3))
    assert three == pytest.approx(one**3)


def test_one_wrong_entry_hides_better_in_a_larger_layer():
    """Among more entries a single wrong one is a smaller share, and escapes more often."""
    small, large = (frame(size=size)["numbers"] for size in (4, 14))
    assert small["share"] > large["share"]
    assert small["escape_one"] < large["escape_one"]


def test_wrong_sign_everywhere_is_caught_by_the_first_direction():
    """A pure sign error never escapes, and the verdict says so."""
    state = frame(fault="sign", directions=1)
    assert state["numbers"]["escape_all"] == 0.0
    assert "0 %" in state["verdict"]
    assert state["tone"] == "good"


def test_projections_are_judged_against_the_tolerance():
    """Each direction in use is said to catch or to miss, the others are not used."""
    seen = frame(directions=5)["tables"]["seen"]
    for i, (value, verdict) in enumerate(zip(seen["disagreement"], seen["verdict"], strict=True)):
        assert verdict == ("not used" if i >= 5 else "misses" if value <= 0.1 else "catches")


def test_verdict_names_the_chance_and_turns_with_it():
    """One direction is a bad bet, eight are a good one."""
    one, eight = frame(directions=1), frame(directions=8)
    assert "24 %" in one["verdict"]
    assert (one["tone"], eight["tone"]) == ("bad", "good")
