"""Tests of the demo of update sizes."""

import numpy as np
import pytest

from demos import update_size as demo

FIRST = {name: control["value"] for name, control in demo.controls.items()}


def test_marks_stand_at_the_book_s_percentages():
    """The chart's marks are 50 %, 1 % and 0.001 %."""
    marks = demo.frame(**FIRST)["tables"]["marks"]
    assert sorted(marks["ratio"]) == pytest.approx([0.00001, 0.01, 0.5])
    assert set(marks["mark"]) == {"50 %", "1 %", "0.001 %"}


def test_by_hand_is_rate_times_gradient_over_parameter():
    """The number by hand is the formula, in percent."""
    n = demo.frame(**{**FIRST, "learning_rate": 0.02, "gradient": 0.5, "parameter": 0.25})["numbers"]
    assert n["ratio"] == pytest.approx(4.0)


def test_one_percent_learns_and_a_hundredth_of_the_rate_does_not():
    """Near 1 % the loss of the run halves; with a hundredth of the rate it hardly moves."""
    right, slow = demo.frame(**FIRST), demo.frame(**{**FIRST, "learning_rate": 0.001})
    assert 0.5 < right["numbers"]["hidden"] < 2.0
    assert right["numbers"]["last_loss"] < 0.5 * right["numbers"]["first_loss"]
    assert slow["numbers"]["last_loss"] > 0.9 * slow["numbers"]["first_loss"]
    assert (right["tone"], slow["tone"]) == ("good", "bad")
    assert right["verdict"] != slow["verdict"]


def test_the_run_is_not_sensitive_to_rounding(monkeypatch):
    """Starts that differ by 1e-15 give ratios within 1e-10: no platform sees another picture."""
    plain = demo.frame(**{**FIRST, "learning_rate": 0.3, "weights": "large"})
    start = type(demo.NETWORK).start

    def jittered(self, scale):
        rng = np.random.default_rng(9)
        return {k: v * (1.0 + 1e-15 * rng.standard_normal(v.shape)) for k, v in start(self, scale).items()}

    monkeypatch.setattr(type(demo.NETWORK), "start", jittered)
    moved = demo.frame(**{**FIRST, "learning_rate": 0.3, "weights": "large"})
    assert np.any(moved["tables"]["run"]["ratio"] != plain["tables"]["run"]["ratio"])
    np.testing.assert_allclose(moved["tables"]["run"]["ratio"], plain["tables"]["run"]["ratio"], rtol=1e-10)
