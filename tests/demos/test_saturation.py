"""Tests of the demo of saturated units."""

import numpy as np
import pytest

from demos import saturation as demo

FIRST = {name: control["value"] for name, control in demo.controls.items()}


@pytest.mark.parametrize("spread", [0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("draw", range(4))
def test_count_and_formula_agree_within_sampling_error(spread, draw):
    """Counted and computed share differ by at most four of the sampling errors that the demo shows."""
    n = demo.frame(**{**FIRST, "spread": spread, "draw": draw})["numbers"]
    assert abs(n["share"] - n["share_formula"]) <= 4.0 * n["error"]


def test_outer_bars_are_the_share():
    """The two bars beyond 0.9 hold the units that the share counts, out of 2,000."""
    frame = demo.frame(**{**FIRST, "spread": 2.0})
    bars = frame["tables"]["outputs"]
    outer = sum(n for n, kind in zip(bars["units"], bars["kind"], strict=True) if kind == "beyond 0.9")
    assert sum(bars["units"]) == 2000
    assert 100.0 * outer / 2000 == pytest.approx(frame["numbers"]["share"])


def test_mean_absolute_pre_activation_is_that_of_a_normal():
    """It is close to spread times the square root of 2 / pi."""
    n = demo.frame(**FIRST)["numbers"]
    assert n["mean_absolute"] == pytest.approx(np.sqrt(2.0 / np.pi), rel=0.03)


def test_the_message_holds_and_the_verdict_changes():
    """Alive at spread 1, saturated at 5, and the sentence names the share it rests on."""
    alive, saturated = demo.frame(**FIRST), demo.frame(**{**FIRST, **demo.presets["Saturated"]})
    assert (alive["tone"], saturated["tone"]) == ("good", "bad")
    assert f"{saturated['numbers']['share']:.1f} %" in saturated["verdict"]
    assert saturated["numbers"]["mean_derivative"] < 0.2 < 0.5 < alive["numbers"]["mean_derivative"]
