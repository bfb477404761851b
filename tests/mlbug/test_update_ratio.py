"""Tests of the update ratio and of the run that measures it."""

import math

import numpy as np
import pytest

from mlbug.deep_network import DeepNetwork, deep_data
from mlbug.update_ratio import MARKS, nearest_mark, update_ratio, watch_updates

NETWORK, DATA = DeepNetwork((8, 10, 10, 1)), deep_data(64)


def test_marks_are_the_book_s():
    """The marks stand at 50 %, 1 % and 0.001 %."""
    assert MARKS == {"far too large": 0.5, "about right": 0.01, "far too small": 0.00001}


@pytest.mark.parametrize(
    ("name", "ratio"), [("far too large", 0.5), ("about right", 0.01), ("far too small", 1e-5)]
)
def test_each_mark_is_reached_by_a_learning_rate(name, ratio):
    """With gradient and parameter of one size the rate is the ratio, and the mark is named."""
    assert update_ratio(ratio, 2.0, -2.0) == pytest.approx(ratio, rel=1e-15)
    assert nearest_mark(ratio) == name


def test_sign_and_scale():
    """The ratio has no sign, and does not change when gradient and parameter are rescaled together."""
    gradient, parameter = np.array([3.0, 4.0]), np.array([0.0, 10.0])
    assert update_ratio(0.1, gradient, parameter) == pytest.approx(0.05)
    assert update_ratio(0.1, -gradient, parameter) == pytest.approx(0.05)
    assert update_ratio(0.1, 1e6 * gradient, 1e6 * parameter) == pytest.approx(0.05)


def test_zero_and_nan():
    """A parameter of 0 that moves has an infinite ratio; NaN stays NaN and is named so."""
    assert update_ratio(0.1, 1.0, 0.0) == math.inf
    assert nearest_mark(math.inf) == "far too large"
    assert nearest_mark(0.0) == "far too small"
    assert nearest_mark(update_ratio(0.1, math.nan, 1.0)) == "not a number"


def test_first_ratio_is_that_of_the_first_step():
    """What the run records is the move of each layer's weights over their size."""
    start = NETWORK.start()
    run = watch_updates(NETWORK, start, DATA, learning_rate=0.1, steps=1)
    for layer in range(NETWORK.depth):
        before, after = start[f"W{layer + 1}"], run.params[f"W{layer + 1}"]
        moved = np.linalg.norm(after - before) / np.linalg.norm(before)
        assert run.ratios[0, layer] == pytest.approx(moved, rel=1e-9)


def test_the_run_learns_and_leaves_its_start_alone():
    """Near 1 % the loss falls by half in forty steps; the given parameters are not written to."""
    start = NETWORK.start()
    kept = {name: value.copy() for name, value in start.items()}
    run = watch_updates(NETWORK, start, DATA, learning_rate=0.1, steps=40)
    assert run.last_loss < 0.5 * run.first_loss
    assert nearest_mark(np.median(run.ratios)) == "about right"
    for name, value in start.items():
        np.testing.assert_array_equal(value, kept[name])
