"""Tests of the linear model with the faulty bias rule."""

import numpy as np
import pytest

from mlbug.linear_model import (
    RULES,
    Moments,
    best_weight,
    compensation,
    error_floor,
    linear_data,
    train_linear,
)


def direct(x, y, learning_rate, steps, rule):
    """Gradient descent written out over all examples, as an independent reference."""
    w = b = 0.0
    rows = [(w, b, np.mean((w * x + b - y) ** 2))]
    for _ in range(steps):
        r = w * x + b - y
        gw, gb = 2 * np.mean(r * x), 2 * np.mean(r)
        w = w - learning_rate * (1.0 if rule == "constant-weight" else gw)
        b = b - learning_rate * (1.0 if rule == "constant-bias" else gb)
        rows.append((w, b, np.mean((w * x + b - y) ** 2)))
    return np.array(rows).T


@pytest.mark.parametrize("rule", RULES)
def test_trace_equals_descent_over_all_examples(rule):
    """The moments give the same run as sums over the examples do."""
    x, y = linear_data(50, 1.5, 0.7, seed=3)
    trace = train_linear(x, y, learning_rate=0.05, steps=40, rule=rule)
    np.testing.assert_allclose(
        [trace.weight, trace.bias, trace.error], direct(x, y, 0.05, 40, rule), rtol=1e-11
    )


def test_right_rule_finds_the_line():
    """Gradient descent reaches weight 2 and the true bias on data without noise."""
    x, y = linear_data(100, 0.5, 1.0, true_bias=-1.0, noise=0.0)
    trace = train_linear(x, y, learning_rate=0.2, steps=500)
    assert trace.weight[-1] == pytest.approx(2.0, abs=1e-12)
    assert trace.bias[-1] == pytest.approx(-1.0, abs=1e-12)
    assert trace.error[-1] < 1e-24


def test_faulty_bias_falls_whatever_the_data_say():
    """Under the rule of eq. 11.4 the bias after t steps is -t times the learning rate."""
    x, y = linear_data(30, 2.0, 1.0, true_bias=5.0)
    trace = train_linear(x, y, learning_rate=0.01, steps=100, rule="constant-bias")
    np.testing.assert_allclose(trace.bias, -0.01 * np.arange(101), atol=1e-15)


def test_weight_makes_up_for_the_bias():
    """With nearly constant inputs the error stays small while the weight is far from its true value."""
    x, y = linear_data(200, 3.0, 0.01, noise=0.0)
    trace = train_linear(x, y, learning_rate=0.05, steps=200, rule="constant-bias")
    assert trace.bias[-1] == pytest.approx(-10.0)
    assert trace.weight[-1] - 2.0 == pytest.approx(10.0 / 3.0, rel=0.05)
    assert trace.error[-1] < 0.05


def test_best_weight_is_the_least_squares_answer():
    """No weight nearby has a smaller error under the same bias."""
    x, y = linear_data(80, 1.0, 2.0, seed=5)
    best = best_weight(x, y, bias=-3.0)
    moments = Moments.of(x, y)
    assert moments.error(best, -3.0) < min(moments.error(best - 1e-4, -3.0), moments.error(best + 1e-4, -3.0))


def test_floor_and_compensation_hold_on_real_data():
    """The closed forms agree with a large sample to sampling error."""
    x, y = linear_data(200_000, 1.5, 0.8, seed=1, noise=0.3)
    weight = best_weight(x, y, bias=-2.0)
    assert weight - 2.0 == pytest.approx(compensation(1.5, 0.8, -2.0), rel=0.01)
    assert Moments.of(x, y).error(weight, -2.0) == pytest.approx(error_floor(1.5, 0.8, -2.0, 0.3), rel=0.01)


def test_bug_hides_without_spread_and_shows_without_mean():
    """A constant input hides a wrong bias altogether, a centered one not at all."""
    assert error_floor(2.0, 0.0, -1.0) == 0.0
    assert error_floor(0.0, 2.0, -1.0) == 1.0
    assert error_floor(0.0, 0.0, -1.0) == 1.0
    assert compensation(0.0, 0.0, -1.0) == 0.0


def test_divergence_gives_infinity_without_a_warning(recwarn):
    """A rate far too high ends in infinite traces of full length, and nothing is raised."""
    trace = train_linear([1.0, 2.0], [1.0, 0.0], learning_rate=1e200, steps=30)
    assert len(trace.error) == 31
    assert np.isinf(trace.error[-1])
    assert np.isinf(trace.weight[-1])
    assert not np.isnan(trace.bias).any()
    assert not recwarn.list


def test_same_noise_for_every_mean_and_spread():
    """Moving mean and spread keeps the examples in place, so that a slider changes one thing."""
    x, _y = linear_data(20, 0.0, 1.0, seed=4)
    moved, _ = linear_data(20, 3.0, 2.0, seed=4)
    np.testing.assert_allclose(moved, 3.0 + 2.0 * x)


def test_all_inputs_zero_leave_the_weight_undetermined():
    """Without any input there is no best weight, and training leaves it alone."""
    assert np.isnan(best_weight([0.0, 0.0], [1.0, 2.0], bias=0.0))
    assert train_linear([0.0, 0.0], [1.0, 2.0], learning_rate=0.1, steps=3).weight[-1] == 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "momentum"}, "rule must be"),
        ({"steps": -1}, "steps"),
        ({"x": [[1.0]]}, "one length"),
        ({"x": []}, "one length"),
    ],
)
def test_bad_arguments_are_named(change, message):
    """Each wrong argument gives an error that says which one it is."""
    call = {"x": [1.0], "y": [1.0], "learning_rate": 0.1, "steps": 2} | change
    with pytest.raises(ValueError, match=message):
        train_linear(**call)
