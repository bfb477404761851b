"""Tests of measured and expected errors of the difference formulas."""

import numpy as np
import pytest

from mlbug.difference_errors import best_steps, expected_errors, measured_errors
from mlbug.example_functions import EXAMPLE_FUNCTIONS
from mlbug.finite_differences import METHODS

BUMP = EXAMPLE_FUNCTIONS["bump"]


def test_forward_error_tends_to_half_the_second_derivative_times_the_step():
    """Where truncation rules, the forward error is |f''| h / 2."""
    steps = np.array([1e-4, 1e-5])
    errors = measured_errors(BUMP, 0.3, steps)["forward"]
    assert errors == pytest.approx(abs(BUMP.second(0.3)) * steps / 2, rel=2e-3)


def test_centred_error_tends_to_a_sixth_of_the_third_derivative_times_the_squared_step():
    """Where truncation rules, the centred error is |f'''| h² / 6."""
    steps = np.array([1e-2, 1e-3])
    errors = measured_errors(BUMP, 0.3, steps)["centred"]
    assert errors == pytest.approx(abs(BUMP.third(0.3)) * steps**2 / 6, rel=2e-2)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_complex_error_stays_at_rounding_for_any_small_step(dtype):
    """From 1e-9 down to 1e-30 the complex step is right to a few units in the last place."""
    errors = measured_errors(BUMP, 0.3, [10.0**-k for k in range(9, 31)], dtype)["complex"]
    assert np.all(errors <= 8 * np.finfo(dtype).eps * abs(BUMP.derivative(0.3)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_measured_errors_stay_below_a_small_multiple_of_the_expected(dtype):
    """Over fifteen decades of steps no estimate is more than a few times worse than its line."""
    steps = np.geomspace(1e-15 if dtype is np.float64 else 1e-6, 1e-3, 40)
    measured = measured_errors(BUMP, 0.3, steps, dtype)
    expected = expected_errors(BUMP, 0.3, steps, dtype)
    for method in METHODS:
        assert np.all(measured[method] <= 6 * expected[method]), method


def test_a_derivative_of_the_wrong_sign_is_off_by_twice_its_size():
    """Errors are measured against the stated derivative: turn its sign and every error is 2 |f'|."""
    wrong = type(BUMP)("wrong", "", BUMP.f, lambda x: -BUMP.derivative(x), BUMP.second, BUMP.third, 0.3)
    errors = measured_errors(wrong, 0.3, [1e-6])
    for method in METHODS:
        assert errors[method][0] == pytest.approx(2 * abs(BUMP.derivative(0.3)), rel=1e-4)


def test_a_step_that_vanishes_is_not_a_number():
    """Below the spacing of numbers at x the two differences have no value, the complex step has one."""
    errors = measured_errors(BUMP, 0.3, [1e-20])
    assert np.isnan(errors["forward"][0])
    assert np.isnan(errors["centred"][0])
    assert errors["complex"][0] < 1e-15


def test_a_rescaled_function_rescales_errors_and_keeps_best_steps():
    """Multiplying the function by a power of two multiplies both errors by it and moves no best step."""
    big = type(BUMP)("big", "", *map(_scaled, (BUMP.f, BUMP.derivative, BUMP.second, BUMP.third)), 0.3)
    steps = [1e-3, 1e-8]
    for errors in (measured_errors, expected_errors):
        for method in METHODS:
            assert np.array_equal(errors(big, 0.3, steps)[method], 1024.0 * errors(BUMP, 0.3, steps)[method])
    assert best_steps(big, 0.3) == best_steps(BUMP, 0.3)


def test_best_steps_use_the_sizes_at_the_point():
    """Far from zero the offset function needs a longer forward step, and its centred step has no end."""
    steps = best_steps(EXAMPLE_FUNCTIONS["offset"], 0.5)
    assert steps["forward"] > 10 * best_steps(BUMP, 0.3)["forward"]
    assert steps["centred"] == np.inf


def _scaled(function):
    return lambda x: 1024.0 * function(x)
