"""Tests of two equations solved by explicit formulas."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mlbug.exact_solution import EPS, Pair, nearly_parallel

GAPS = (1.0, 0.1, 1e-4, 1e-8, 1e-12)


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("method", ["by_cramer", "by_elimination"])
def test_error_stays_below_condition_times_rounding(gap, method):
    """The answer is off by at most a few times the condition number times machine epsilon."""
    pair = nearly_parallel(1.7, gap)
    assert pair.error(*getattr(pair, method)()) <= 4.0 * pair.condition_number * EPS


@pytest.mark.parametrize("gap", GAPS)
def test_elimination_leaves_rounding_alone_and_cramer_does_not(gap):
    """Elimination's residual is rounding at any gap; Cramer's grows with the condition number."""
    pair = nearly_parallel(1.7, gap)
    assert pair.backward_error(*pair.by_elimination()) <= 2.0 * EPS
    if gap <= 1e-8:
        assert pair.backward_error(*pair.by_cramer()) > 1e4 * EPS


@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-6])
def test_condition_number_is_that_of_linear_algebra(gap):
    """The formula for two rows gives numpy's condition number in the same norm."""
    pair = nearly_parallel(1.7, gap)
    matrix = np.array([[pair.a, pair.b], [pair.c, pair.d]])
    assert pair.condition_number == pytest.approx(np.linalg.cond(matrix, np.inf), rel=1e-6)


def test_exact_solution_has_no_residual():
    """The fractions satisfy both equations to the last digit."""
    pair = nearly_parallel(1.7, 1e-9)
    x, y = pair.exactly()
    assert Fraction(pair.a) * x + Fraction(pair.b) * y == Fraction(pair.e)
    assert Fraction(pair.c) * x + Fraction(pair.d) * y == Fraction(pair.f)


@pytest.mark.parametrize("method", ["by_cramer", "by_elimination"])
def test_a_sign_error_is_far_beyond_rounding(method):
    """The answer with one sign turned leaves a residual of the size of the problem."""
    pair = nearly_parallel()
    x, y = getattr(pair, method)()
    assert pair.backward_error(x, -y) > 0.1
    assert pair.backward_error(x, y) < 1e-15


def test_backward_error_does_not_know_the_scale():
    """Both equations times a power of two: the residual is scaled, the backward error is not."""
    small, large = nearly_parallel(1.7, 0.1), nearly_parallel(1.7, 0.1, 2.0**20)
    answer = small.by_cramer()
    assert large.by_cramer() == answer
    assert large.residual(*answer) == 2.0**20 * small.residual(*answer) > 0.0
    assert large.backward_error(*answer) == small.backward_error(*answer)


@pytest.mark.parametrize("pair", [nearly_parallel(1.7, 0.0), nearly_parallel(0.0), Pair(0, 0, 0, 0, 1, 1)])
def test_singular_equations_have_no_answer(pair):
    """A determinant of 0 gives NaN and an infinite condition number, and no exception anywhere."""
    assert all(map(math.isnan, pair.by_cramer()))
    assert pair.condition_number == math.inf
    assert math.isnan(pair.residual(*pair.by_cramer()))
    assert math.isnan(pair.error(*pair.by_cramer()))


def test_nan_stays_visible():
    """A coefficient that is not a number makes the residual one that is not."""
    pair = Pair(math.nan, 1.0, 1.0, 2.0, 1.0, 1.0)
    assert math.isnan(pair.residual(1.0, 1.0))
