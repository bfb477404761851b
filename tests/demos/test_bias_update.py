"""The demo of the bias rule says what the page says of it."""

import math

import pytest

from demos import bias_update
from mlbug.linear_model import best_weight, linear_data


def run(**changes):
    first = {name: control["value"] for name, control in bias_update.controls.items()}
    return bias_update.frame(**{**first, **changes})


def test_first_state_shows_the_bug():
    """The bias falls by rate times steps, the weight passes 2, the error is far above the repaired copy's."""
    frame = run()
    ends = frame["numbers"]
    assert ends["bias"] == pytest.approx(-0.01 * 400)
    assert ends["weight"] > bias_update.TRUE_WEIGHT + 1.5
    assert ends["compensation"] == ends["weight"] - bias_update.TRUE_WEIGHT
    assert ends["error"] > 100 * ends["error_repaired"]
    assert frame["tone"] == "bad"
    assert "cannot keep up" in frame["verdict"]
    assert f"{ends['weight']:.2f}" in frame["verdict"]


def test_repaired_rule_finds_the_true_weight():
    """With the rule repaired both copies are one and the weight comes to 2."""
    frame = run(rule="gradient")
    assert frame["numbers"]["error"] == frame["numbers"]["error_repaired"]
    assert frame["numbers"]["weight"] == pytest.approx(2.0, abs=0.05)
    assert frame["tone"] == "good"


def test_hidden_preset_hides_the_bug():
    """Far from zero for their spread, the inputs let the weight cover for an equally wrong bias."""
    hidden, shown = run(**bias_update.presets["Hidden"]), run()
    assert hidden["numbers"]["bias"] == shown["numbers"]["bias"]
    assert hidden["numbers"]["error"] < 2.0 * hidden["numbers"]["error_repaired"]
    assert hidden["tone"] == "plain"
    assert "nobody suspects" in hidden["verdict"]


def test_centered_inputs_leave_the_weight_alone():
    """With inputs around 0 the weight stays at 2 and the whole fault shows; this is the bet's answer."""
    frame = run(**bias_update.bet["values"])
    assert frame["numbers"]["weight"] == pytest.approx(2.0, abs=0.1)
    assert frame["numbers"]["error"] == pytest.approx(16.0, rel=0.05)
    assert "cannot help" in frame["verdict"]


def test_weight_ends_near_the_best_one_for_its_bias():
    """The weight of the broken copy trails the best weight for the bias of that moment."""
    frame = run(input_mean=2.0)
    best = best_weight(*linear_data(input_mean=2.0, input_spread=1.0), frame["numbers"]["bias"])
    assert frame["numbers"]["weight"] == pytest.approx(best, rel=0.05)


def test_stuck_weight_moves_the_bias():
    """With the other rule broken the bias makes up for the weight."""
    frame = run(rule="constant-weight")
    assert frame["numbers"]["weight"] == pytest.approx(-4.0)
    assert frame["numbers"]["bias"] > 3.0
    assert "weight has fallen" in frame["verdict"]


def test_divergence_is_said_and_leaves_the_picture():
    """Too high a rate is named as such, and no line runs out of the picture's range."""
    frame = run(learning_rate=1.0)
    assert "diverges" in frame["verdict"]
    assert frame["tone"] == "bad"
    shown = [value for value in frame["tables"]["trace"]["error"] if not math.isnan(value)]
    assert 0 < len(shown) < len(frame["tables"]["trace"]["error"])
    assert max(shown) < bias_update.LARGEST_SHOWN
