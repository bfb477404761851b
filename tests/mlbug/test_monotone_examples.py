"""Tests of the algorithms whose objective must not rise, and of the search for the first rise."""

import math

import numpy as np
import pytest

from mlbug.monotone import first_rise
from mlbug.monotone_examples import ALGORITHMS, FAULTS, run_descent


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_sound_runs_never_rise_and_come_to_rest(algorithm):
    """Without a slip no step raises the objective, and the gradient falls below half a percent."""
    run = run_descent(algorithm)
    assert first_rise(run.objective, 1e-12) is None
    assert run.gradient_left < 0.005


@pytest.mark.parametrize(("algorithm", "step"), [("EM", 15), ("line search", 6), ("coordinate descent", 1)])
def test_a_wrong_formula_breaks_the_promise(algorithm, step):
    """The objective rises in the very step in which the wrong formula sets in."""
    run = run_descent(algorithm, "wrong formula", step)
    assert first_rise(run.objective, 1e-9) == step - 1
    np.testing.assert_array_equal(run.objective[:step], run_descent(algorithm).objective[:step])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_part_left_out_keeps_the_promise_but_not_the_optimum(algorithm):
    """With a part left out the objective never rises, and the gradient at the end is not zero."""
    run = run_descent(algorithm, "left out")
    assert first_rise(run.objective, 1e-12) is None
    assert run.gradient_left > 5.0 * run_descent(algorithm).gradient_left + 1e-3


def test_em_agrees_with_a_direct_likelihood():
    """The first objective of EM is the mean log-likelihood of the mixture, written out."""
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.normal(-2.0, 0.6, 50), rng.normal(1.5, 1.0, 70)])
    density = sum(
        share * np.exp(-0.5 * (x - mean) ** 2) / math.sqrt(2.0 * math.pi)
        for share, mean in ((0.8, -0.5), (0.2, 0.5))
    )
    assert run_descent("EM", steps=1).objective[0] == pytest.approx(-np.mean(np.log(density)), rel=1e-12)


def test_first_rise_by_hand():
    """The first step up beyond the noise counts, whatever the scale; NaN counts as a rise."""
    values = np.array([3.0, 2.0, 2.05, 1.0, 4.0])
    assert first_rise(values) == 1
    assert first_rise(values, 0.1) == 3
    assert first_rise(1e-9 * values) == 1
    assert first_rise(-values) == 0
    assert first_rise([3.0, math.nan]) == 0
    assert first_rise([3.0, 3.0, 2.0]) is None


@pytest.mark.parametrize("bad", [("Newton", "none"), ("EM", "typo")])
def test_unknown_names_are_refused(bad):
    """An algorithm or fault that is not there is named in the error."""
    with pytest.raises(ValueError, match=r"Newton|typo"):
        run_descent(*bad)
    assert "none" in FAULTS
