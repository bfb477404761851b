"""The map of errors agrees with training cell by cell, and with the formula of the best cover-up."""

import numpy as np
import pytest

from mlbug.hidden_bug import error_map, hiding_spread, visible_error
from mlbug.linear_model import RULES, error_floor, linear_data, train_linear

MEANS, SPREADS = (-3.0, 0.0, 0.4, 2.0), (0.0, 0.02, 0.5, 2.0)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("steps", [0, 1, 7, 400])
def test_each_cell_is_what_training_reaches(rule, steps):
    """Powers of the affine map end where step-by-step training ends."""
    mapped = error_map(
        np.array(MEANS)[:, None], np.array(SPREADS), learning_rate=0.01, steps=steps, rule=rule
    )
    for i, mean in enumerate(MEANS):
        for j, spread in enumerate(SPREADS):
            x, y = linear_data(input_mean=mean, input_spread=spread)
            end = train_linear(x, y, learning_rate=0.01, steps=steps, rule=rule).error[-1]
            assert mapped[i, j] == pytest.approx(end, rel=1e-9)


def test_divergence_is_infinite():
    """A rate that makes training diverge gives infinite errors, never NaN."""
    assert error_map(3.0, 2.0, learning_rate=1.0, steps=600, rule="gradient") == np.inf
    assert error_map(3.0, 2.0, learning_rate=1.5, steps=600, rule="constant-weight") == np.inf


def test_bad_arguments_are_named():
    """An unknown rule and a negative number of steps are refused with what came."""
    with pytest.raises(ValueError, match="'momentum' came"):
        error_map(1.0, 1.0, learning_rate=0.1, steps=1, rule="momentum")
    with pytest.raises(ValueError, match="-1 came"):
        error_map(1.0, 1.0, learning_rate=0.1, steps=-1)


@pytest.mark.parametrize(
    ("mean", "spread", "part"), [(2.0, 0.5, "bias"), (3.0, 0.02, "bias"), (2.0, 0.5, "weight")]
)
def test_formula_gives_what_training_reaches(mean, spread, part):
    """Floor and lag together are the trained error above the repaired copy's, at two learning rates."""
    for rate in (0.01, 0.005):
        cell = {"learning_rate": rate, "steps": 2000}
        excess = error_map(mean, spread, rule=f"constant-{part}", **cell) - error_map(mean, spread, **cell)
        wrong_by = -rate * 2000 - (2.0 if part == "weight" else 0.0)
        assert visible_error(mean, spread, wrong_by, part=part) == pytest.approx(excess, rel=0.15)


def test_floor_is_that_of_the_linear_model():
    """Without a lag to speak of, the formula is the linear model's floor."""
    assert visible_error(50.0, 1.0, 3.0) == pytest.approx(error_floor(50.0, 1.0, 3.0), rel=1e-3)


@pytest.mark.parametrize(("mean", "part"), [(3.0, "bias"), (-2.5, "bias"), (0.1, "weight")])
def test_hiding_spread_is_the_border(mean, part):
    """At the spread returned the visible error is what was allowed, and above it more."""
    spread = float(hiding_spread(mean, -4.0, part=part, noise=0.1, factor=2.0))
    assert visible_error(mean, spread, -4.0, part=part) == pytest.approx(0.01, rel=1e-6)
    assert visible_error(mean, 2 * spread, -4.0, part=part) > 0.01


def test_nothing_hides_where_the_lag_alone_shows():
    """With the mean near 0 for the bias, or far from it for the weight, no spread hides the fault."""
    assert np.isnan(hiding_spread([0.0, 0.5, 1.0], -4.0)).all()
    assert np.isnan(hiding_spread(2.0, -4.0, part="weight"))
