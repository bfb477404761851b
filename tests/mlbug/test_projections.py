"""What Gaussian directions see, and with which probability they miss."""

import numpy as np
import pytest

from mlbug.projections import (
    directions_needed,
    gaussian_direction,
    miss_probability,
    project,
    shift,
    smallest_share,
    spread,
)


@pytest.mark.parametrize(("share", "tolerance"), [(1e-2, 1e-3), (1e-3, 1e-3), (1e-1, 1e-2)])
def test_the_miss_probability_is_the_measured_one(share, tolerance):
    """Of 20,000 directions, the formula's share lets an orthogonal error pass."""
    rng = np.random.default_rng(0)
    u = rng.standard_normal((20_000, 2))  # components along gradient and error
    missed = np.mean(np.abs(share * u[:, 1]) <= tolerance * np.abs(u[:, 0]))
    assert missed == pytest.approx(miss_probability(tolerance, share), abs=0.012)


def test_directions_needed_reach_the_bound():
    """One direction fewer would not do, and the published numbers come out."""
    assert directions_needed(1e-3, 1e-2) == 6
    assert directions_needed(1e-4, 1e-4) == 20
    k = directions_needed(1e-6, 1e-4)
    assert miss_probability(1e-6, 1e-4, k) <= 1e-6 < miss_probability(1e-6, 1e-4, k - 1)


def test_the_smallest_share_is_where_the_bound_is_met():
    """At the smallest share, the miss probability equals the bound."""
    assert miss_probability(1e-8, smallest_share(1e-8, 3), 3) == pytest.approx(1e-6)


def test_spread_does_not_cancel_or_underflow():
    """Opposite terms cancel in the projection and not in the spread; tiny ones keep their size."""
    u, g = {"w": np.array([1.0, 1.0])}, {"w": np.array([3e-200, -3e-200])}
    assert project(u, g) == 0.0
    assert spread(u, g) == pytest.approx(3e-200 * 2**0.5)
    assert spread(u, {"w": np.array([np.nan, 1.0])}) == 0.0


def test_directions_stay_in_their_box_and_shifts_leave_the_original():
    """Entries outside the box do not move, and the parameters are not written to."""
    params = {"w": np.zeros((4, 3), dtype=np.float32)}
    u = gaussian_direction(params, "w", np.random.default_rng(0), (slice(1, 2), slice(0, 3)))
    assert np.count_nonzero(u["w"]) == 3
    moved = shift(params, u, -2.0)
    assert moved["w"].dtype == np.float64
    assert not params["w"].any()
    np.testing.assert_allclose(moved["w"], -2.0 * u["w"])
