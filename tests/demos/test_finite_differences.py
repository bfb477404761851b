"""Tests of the demo of the three difference formulas."""

import math

import pytest

from demos import finite_differences as demo

FIRST = {name: entry["value"] for name, entry in demo.controls.items()}


def numbers(**changes):
    """Return the numbers of a state."""
    return demo.frame(**{**FIRST, **changes})["numbers"]


def test_first_state_shows_each_formula_better_than_the_one_before():
    """At the first step the errors fall from forward to centred to complex by factors of ten and more."""
    n = numbers()
    assert n["forward_error"] > 10 * n["centred_error"] > 1e6 * n["complex_error"]


def test_forward_error_tends_to_half_second_derivative_times_step():
    """With f = x³ - 2x at 1.3, f'' = 7.8: the forward error is 3.9 h where truncation rules."""
    assert numbers(function="cubic", point=1.3, step=1e-4)["forward_error"] == pytest.approx(3.9e-4, rel=1e-3)


def test_centred_error_tends_to_a_sixth_of_third_derivative_times_squared_step():
    """With f = x³ - 2x, f''' = 6: the centred error is h² where truncation rules."""
    assert numbers(function="cubic", point=1.3, step=1e-2)["centred_error"] == pytest.approx(1e-4, rel=1e-6)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_complex_step_is_at_rounding_for_any_small_step(precision):
    """From 1e-9 to 1e-20 the complex step errs by rounding alone."""
    unit = {"float64": 2e-16, "float32": 1e-7}[precision]
    for k in range(9, 21):
        assert numbers(step=10.0**-k, precision=precision)["complex_error"] <= 8 * unit


def test_single_precision_wants_a_longer_step():
    """The best forward step is the root of machine epsilon: it grows by the root of 2**29."""
    ratio = numbers(precision="float32")["best_forward"] / numbers()["best_forward"]
    assert ratio == pytest.approx(math.sqrt(2.0**29), rel=1e-3)


def test_verdict_and_tone_follow_the_step():
    """The three regimes, the vanished step and the function that is not analytic are each told apart."""
    said = [demo.frame(**{**FIRST, **state}) for state in demo.presets.values()]
    assert len({frame["verdict"] for frame in said}) == len(said)
    assert "is too coarse" in said[1]["verdict"]
    assert "loses to rounding" in said[2]["verdict"]
    assert "no difference is left" in said[3]["verdict"]
    assert "imaginary" in said[5]["verdict"]
    assert [said[0]["tone"], said[3]["tone"], said[5]["tone"]] == ["good", "bad", "bad"]


def test_best_steps_lie_on_the_theory_lines_minimum():
    """No step of the grid promises a smaller forward error than the diamond."""
    tables = demo.frame(**FIRST)["tables"]
    lowest = min(
        t
        for t, m in zip(tables["errors"]["theory"], tables["errors"]["method"], strict=True)
        if m == "forward"
    )
    assert tables["best"]["theory"][0] <= lowest


def test_a_step_without_a_value_leaves_a_gap():
    """Where a difference does not exist the column says so; nothing is drawn in its place."""
    column = demo.frame(**FIRST)["tables"]["errors"]["drawn"]
    assert math.isnan(column[0])
    assert not math.isnan(column[-1])
