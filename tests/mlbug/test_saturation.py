"""Tests of the measures of saturated tanh units."""

import math

import numpy as np
import pytest

from mlbug.saturation import Saturation, draw_pre_activations, sampling_error, saturated_share


@pytest.mark.parametrize("spread", [0.5, 1.0, 1.5, 3.0, 10.0])
@pytest.mark.parametrize("mean", [-1.0, 0.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_sample_and_formula_agree_within_sampling_error(spread, mean, seed):
    """The share of 2,000 draws lies within four standard deviations of the formula's."""
    share = saturated_share(spread, mean)
    found = Saturation.of(draw_pre_activations(2000, spread, mean, seed))
    assert abs(found.share - share) <= 4.0 * sampling_error(share, 2000)


def test_formula_by_hand():
    """artanh(0.9) is half the logarithm of 19; at that spread the share is that of |normal| > 1."""
    assert saturated_share(0.5 * math.log(19.0)) == pytest.approx(0.31731050786291415, rel=1e-12)


def test_scale_and_sign():
    """Opposite means give one share; a wider spread gives a larger one; a sign error would not."""
    assert saturated_share(1.0, 2.0) == pytest.approx(saturated_share(1.0, -2.0), rel=1e-14)
    shares = [saturated_share(spread) for spread in np.geomspace(0.1, 10.0, 30)]
    assert np.all(np.diff(shares) > 0.0)
    z = draw_pre_activations(500, 1.3)
    assert Saturation.of(z) == Saturation.of(-z)


def test_means_of_three_values():
    """The three measures of 0, 1 and -3, computed by hand."""
    found = Saturation.of([0.0, 1.0, -3.0])
    assert found.share == pytest.approx(1.0 / 3.0)
    assert found.mean_absolute == pytest.approx(4.0 / 3.0)
    assert found.mean_derivative == pytest.approx(
        (1.0 + 1.0 / math.cosh(1.0) ** 2 + 1.0 / math.cosh(3.0) ** 2) / 3.0
    )


def test_nan_shows_in_the_means():
    """One value that is not a number makes both means not a number."""
    found = Saturation.of([0.0, math.nan])
    assert math.isnan(found.mean_absolute)
    assert math.isnan(found.mean_derivative)


@pytest.mark.parametrize(("spread", "beyond"), [(0.0, 0.9), (math.nan, 0.9), (1.0, 1.0), (1.0, 0.0)])
def test_impossible_arguments(spread, beyond):
    """A spread that is not positive or a limit outside 0 to 1 is refused."""
    with pytest.raises(ValueError, match="spread"):
        saturated_share(spread, beyond=beyond)


def test_an_empty_sample_is_refused():
    """No pre-activations have no mean."""
    with pytest.raises(ValueError, match="no pre-activations"):
        Saturation.of([])
