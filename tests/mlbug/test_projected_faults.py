"""Tests of what random directions see of planted faults."""

import math

import numpy as np
import pytest

from mlbug.projected_faults import (
    FAULTS,
    STRAY_SHARE,
    directions_to_catch,
    disagreement,
    escape_probability,
    escape_rate,
    gaussian_directions,
    layer_gradient,
    plant_fault,
)
from mlbug.projections import miss_probability

GRADIENT = layer_gradient(8)


def test_layer_gradient_is_the_derivative_of_its_loss():
    """Summed against a direction it is the centred difference of the squared error."""
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(8, 8)) / math.sqrt(8)
    inputs, targets = rng.normal(size=(16, 8)), rng.normal(size=(16, 8))
    direction = gaussian_directions(1, (8, 8), seed=3)[0]

    def loss(t):
        return np.mean((np.tanh(inputs @ (weights + t * direction).T) - targets) ** 2)

    assert np.vdot(GRADIENT, direction) == pytest.approx((loss(1e-5) - loss(-1e-5)) / 2e-5, rel=1e-7)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("tolerance", [0.01, 0.1])
def test_measured_escapes_agree_with_theory(fault, tolerance):
    """Over 6,000 directions the share of escapes is the predicted one within four standard errors."""
    error = plant_fault(GRADIENT, fault)
    seen = disagreement(GRADIENT, error, gaussian_directions(6000, GRADIENT.shape, seed=5))
    for k in (1, 2):
        expected = escape_probability(GRADIENT, error, tolerance, k)
        rate, trials = escape_rate(seen, tolerance, k)
        assert abs(rate - expected) <= 4 * math.sqrt(expected * (1 - expected) / trials) + 1e-12


def test_orthogonal_error_has_the_arctangent_law():
    """For the stray term the chance is 2 / pi * arctan(tolerance / share), to the power of the directions."""
    error = plant_fault(GRADIENT, "stray")
    for k in (1, 3):
        expected = miss_probability(0.05, STRAY_SHARE, k)
        assert escape_probability(GRADIENT, error, 0.05, k) == pytest.approx(expected, rel=1e-12)


def test_wrong_sign_of_the_whole_gradient_never_escapes():
    """A pure sign error is twice the gradient along every direction."""
    error = plant_fault(GRADIENT, "sign")
    assert disagreement(GRADIENT, error, gaussian_directions(50, GRADIENT.shape)) == pytest.approx(2.0)
    assert escape_probability(GRADIENT, error, 0.5) == 0.0
    assert directions_to_catch(GRADIENT, error, 0.5) == 1


def test_no_error_always_passes():
    """A right gradient shows no disagreement; no number of directions catches it."""
    nothing = np.zeros_like(GRADIENT)
    assert escape_probability(GRADIENT, nothing, 1e-6) == 1.0
    assert directions_to_catch(GRADIENT, nothing, 1e-6) == math.inf
    assert not disagreement(GRADIENT, nothing, gaussian_directions(5, GRADIENT.shape)).any()


def test_rescaling_gradient_and_error_changes_nothing():
    """Only the ratio of error and gradient counts."""
    error = plant_fault(GRADIENT, "entry")
    assert escape_probability(2.0**-60 * GRADIENT, 2.0**-60 * error, 0.1) == escape_probability(
        GRADIENT, error, 0.1
    )


def test_nan_in_the_gradient_is_not_let_pass():
    """A direction that meets a NaN does not count as agreement."""
    error = np.where(np.arange(64).reshape(8, 8) == 9, np.nan, 0.0)
    seen = disagreement(GRADIENT, error, gaussian_directions(10, GRADIENT.shape))
    assert escape_rate(seen, 0.1) == (0.0, 10)


def test_directions_to_catch_is_the_smallest_number():
    """One direction fewer leaves a larger chance than the bound."""
    error = plant_fault(GRADIENT, "entry")
    k = directions_to_catch(GRADIENT, error, 0.1, bound=1e-4)
    assert (
        escape_probability(GRADIENT, error, 0.1, k) <= 1e-4 < escape_probability(GRADIENT, error, 0.1, k - 1)
    )


@pytest.mark.parametrize(
    ("fault", "entries"), [("entry", 1), ("unit", 8), ("input", 8), ("stray", 64), ("sign", 64)]
)
def test_faults_sit_where_they_are_said_to(fault, entries):
    """Each fault touches as many entries as its name says."""
    assert np.count_nonzero(plant_fault(GRADIENT, fault)) == entries


def test_unknown_fault_is_named():
    """A fault that does not exist is repeated in the error."""
    with pytest.raises(ValueError, match="'diagonal'"):
        plant_fault(GRADIENT, "diagonal")
