"""Extrapolated differences, their errors, kinks and the Taylor remainder."""

import math

import numpy as np
import pytest

from mlbug.directional_differences import extrapolated_difference, one_sided_slopes, taylor_order
from mlbug.noise import noise_of_table, precision_of, typical_size

SMOOTH = {
    "exp": (math.exp, 1.0),
    "sine": (lambda x: math.sin(3 * x), 3.0),
    "far": (lambda x: (x - 9) ** 4, -2916.0),
}


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("scale", [1.0, -1.0, 1e-10, 1e8])
def test_slope_and_error_of_smooth_functions(name, scale):
    """The slope is right to ten digits, within its own error, at every scale and sign."""
    f, slope = SMOOTH[name][0], scale * SMOOTH[name][1]
    noise = 1e-16 * abs(scale * f(0.0))
    found = extrapolated_difference(lambda x: scale * f(x), scale * f(0.0), noise, 1e-9 * abs(slope))
    assert found.value == pytest.approx(slope, rel=1e-9)
    assert abs(found.value - slope) <= 4.0 * found.error


def test_noise_is_in_the_error():
    """With noise of 1e-6 the error says so, and holds."""
    rng = np.random.default_rng(0)
    found = extrapolated_difference(lambda x: math.exp(x) + 1e-6 * rng.standard_normal(), 1.0, 1e-6, 0.0)
    assert 1e-6 < found.error < 1e-2
    assert abs(found.value - 1.0) < 4.0 * found.error


def test_nan_gives_an_infinite_error():
    """Where there are no finite values there is no slope."""
    assert extrapolated_difference(lambda x: math.nan, 0.0, 1e-16, 1e-9).error == math.inf


def test_taylor_orders():
    """Order 2 for the right slope, 1 for one that is 3 % or a sign off."""
    found = extrapolated_difference(lambda x: math.exp(2 * x), 1.0, 1e-16, 1e-12)
    assert taylor_order(found, 2.0, 1e-16) == pytest.approx(2.0, abs=0.05)
    assert taylor_order(found, 2.06, 1e-16) < 1.7
    assert taylor_order(found, -2.0, 1e-16) == pytest.approx(1.0, abs=0.1)


def test_a_kink_is_told_from_a_bend():
    """Slopes at a kink stay apart, those of a parabola do not."""
    left, right, kink = one_sided_slopes(lambda x: abs(x) + x, 0.0, 1e-16, 0.5)
    assert kink
    assert (left, right) == pytest.approx((0.0, 2.0))
    assert not one_sided_slopes(lambda x: 50 * x * x, 0.0, 1e-16, 0.5)[2]


def test_noise_of_a_table_of_values():
    """Noise on a line is measured to a factor of two, and a smooth table has next to none."""
    x = np.arange(2000.0)
    noisy = x + 1e-3 * np.random.default_rng(0).standard_normal(2000)
    levels = [noise_of_table(noisy[i : i + 7]) for i in range(0, 1990, 7)]
    assert np.median(levels) == pytest.approx(1e-3, rel=0.5)
    assert noise_of_table(x[:7]) == 0.0
    assert np.isnan(noise_of_table([np.nan] * 7))


def test_precision_is_the_coarsest_that_shows():
    """Single precision shows in a type, or in double-precision numbers of 24 bits."""
    rng = np.random.default_rng(0)
    double, single = rng.normal(size=9), rng.normal(size=9).astype(np.float32)
    assert precision_of([0.1, 0.2, 0.3], double) == np.finfo(np.float64).eps
    assert precision_of([0.1], single) == np.finfo(np.float32).eps
    assert precision_of([0.1], single.astype(float)) == np.finfo(np.float32).eps
    assert precision_of(list(single.astype(float))) == np.finfo(np.float32).eps


def test_typical_size():
    """The root mean square, 1 for zeros, without underflow."""
    assert typical_size(np.array([3.0, -4.0])) == pytest.approx(12.5**0.5)
    assert typical_size(np.zeros(3)) == 1.0
    assert typical_size(np.full(4, 1e-200)) == pytest.approx(1e-200)
