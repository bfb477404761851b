"""Tests of the difference formulas, their steps and their error model."""

import numpy as np
import pytest

from mlbug.example_functions import EXAMPLE_FUNCTIONS
from mlbug.finite_differences import (
    METHODS,
    best_step,
    centred_difference,
    complex_step,
    error_model,
    exact_step,
    forward_difference,
)

FORMULAS = {"forward": forward_difference, "centred": centred_difference, "complex": complex_step}
SMOOTH = [EXAMPLE_FUNCTIONS[name] for name in ("cubic", "bump", "offset")]


def sizes(entry, x):
    """Return the sizes that the error model takes."""
    return {
        "f": float(entry.f(x)),
        "first": float(entry.derivative(x)),
        "second": float(entry.second(x)),
        "third": float(entry.third(x)),
    }


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("entry", SMOOTH, ids=lambda entry: entry.name)
def test_error_stays_near_its_model(entry, method, dtype):
    """At the best step the true error is within a small multiple of truncation plus rounding."""
    x = float(dtype(entry.point))
    known = sizes(entry, x)
    step = best_step(method, dtype, **{k: known[k] for k in ("f", "second", "third")})
    step = min(step, 0.1)  # no truncation error at all: any step of ordinary size
    estimate = FORMULAS[method](entry.f, x, step, dtype)
    assert estimate.dtype == dtype
    bound = sum(error_model(method, step, dtype, **known))
    # the model counts the rounding of f alone; evaluating x and the result costs a few units more
    slack = 8 * np.finfo(dtype).eps * abs(known["first"])
    assert abs(float(estimate) - known["first"]) <= 4 * bound + slack


@pytest.mark.parametrize("method", ["forward", "centred"])
def test_error_rises_on_both_sides_of_the_best_step(method):
    """A step far larger, or far smaller, than the best one does much worse than it."""
    entry = EXAMPLE_FUNCTIONS["bump"]
    known = sizes(entry, 0.3)
    best = best_step(method, f=known["f"], second=known["second"], third=known["third"])
    errors = [abs(FORMULAS[method](entry.f, 0.3, best * k) - known["first"]) for k in (1e-3, 1.0, 1e3)]
    assert errors[1] * 20 < min(errors[0], errors[2])


def test_centred_beats_forward_and_complex_beats_both():
    """Each formula at its best step is better than the one before by orders of magnitude."""
    entry = EXAMPLE_FUNCTIONS["bump"]
    exact = entry.derivative(0.3)
    forward, centred, by_complex = (abs(FORMULAS[m](entry.f, 0.3, best_step(m)) - exact) for m in METHODS)
    assert centred < forward / 100
    assert by_complex <= centred / 100


@pytest.mark.parametrize("step", [1e-20, 1e-100, 1e-300])
def test_complex_step_needs_no_choice_of_step(step):
    """A step of 1e-300 is as good as one of 1e-20."""
    entry = EXAMPLE_FUNCTIONS["cubic"]
    assert complex_step(entry.f, 1.3, step) == pytest.approx(entry.derivative(1.3), rel=1e-15)


def test_complex_step_sees_nothing_through_abs():
    """The function |x| drops the imaginary part, so the complex step answers 0 and not the slope 1."""
    entry = EXAMPLE_FUNCTIONS["abs"]
    assert complex_step(entry.f, 0.5) == 0.0
    assert centred_difference(entry.f, 0.5, 1e-5) == pytest.approx(1.0)


def test_centred_difference_halves_the_slope_at_a_kink():
    """At the kink of |x| the centred difference is the mean of both slopes, the forward one the right."""
    entry = EXAMPLE_FUNCTIONS["abs"]
    assert centred_difference(entry.f, 0.0, 1e-5) == 0.0
    assert forward_difference(entry.f, 0.0, 1e-5) == 1.0


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_exact_step_adds_without_rounding(dtype):
    """The step taken is a difference of two numbers of the type, so x + h - x gives it back."""
    x = dtype(1.7)
    h = exact_step(x, 1.1e-3, dtype)
    assert (x + h) - x == h
    assert h != dtype(1.1e-3)


@pytest.mark.parametrize("method", ["forward", "centred"])
def test_vanishing_step_gives_nan_without_a_warning(method, recwarn):
    """A step that rounds to nothing beside x gives NaN, not a wrong number, and raises no warning."""
    assert np.isnan(FORMULAS[method](EXAMPLE_FUNCTIONS["cubic"].f, 1.3, 1e-20))
    assert not recwarn.list


@pytest.mark.parametrize("formula", [forward_difference, centred_difference, complex_step])
def test_rescaled_function_rescales_its_derivative(formula):
    """Multiplying f by a power of two multiplies every estimate by exactly that."""
    f = EXAMPLE_FUNCTIONS["bump"].f
    assert formula(lambda x: 2.0**40 * f(x), 0.3, 1e-6) == 2.0**40 * formula(f, 0.3, 1e-6)


@pytest.mark.parametrize("entry", EXAMPLE_FUNCTIONS.values(), ids=lambda entry: entry.name)
def test_example_derivatives_are_right(entry):
    """Each stated derivative is the centred difference of the one before it."""
    for f, derivative in zip(
        (entry.f, entry.derivative, entry.second), (entry.derivative, entry.second, entry.third), strict=False
    ):
        for x in (-0.8, 0.35, 0.9):
            assert centred_difference(f, x, 1e-5) == pytest.approx(derivative(x), rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("call", [best_step, lambda method: error_model(method, 1e-3)])
def test_unknown_method_is_named(call):
    """A method that does not exist is repeated in the error."""
    with pytest.raises(ValueError, match="'five-point'"):
        call("five-point")
