"""Tests of the minimizer and of training by a program's own rule."""

import numpy as np
import pytest

from mlbug.fitting import minimize, train_by_rule
from mlbug.problem import as_guard
from tests.mlbug.programs import classifier, regressor


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_least_squares_is_solved_whatever_the_unit(scale):
    """The minimizer reaches the least-squares solution without a learning rate."""
    program = regressor(sizes=(3, 1))
    loss, grad = program["loss"], program["grad"]
    program["loss"] = lambda p, b: scale * loss(p, b)
    program["grad"] = lambda p, b: {k: scale * v for k, v in grad(p, b).items()}
    guard = as_guard(program)
    fit = minimize(guard, guard.problem.train)
    x, y = guard.problem.train
    best = np.linalg.lstsq(np.c_[x, np.ones(len(x))], y, rcond=None)[0]
    np.testing.assert_allclose(fit.params["W1"], best[:3], atol=1e-6)
    assert fit.reason == "converged"


def test_losses_never_rise():
    """Each accepted step lowers the loss."""
    guard = as_guard(classifier())
    losses = minimize(guard, guard.problem.train, steps=30).losses
    assert len(losses) > 10
    assert np.all(np.diff(losses) < 0)


def test_wrong_gradient_ends_without_descent():
    """With the sign turned no step is accepted and the reason is told."""
    program = classifier()
    grad = program["grad"]
    program["grad"] = lambda p, b: {k: -v for k, v in grad(p, b).items()}
    guard = as_guard(program)
    fit = minimize(guard, guard.problem.train)
    assert fit.reason == "no-descent"
    assert len(fit.losses) == 1


def test_start_at_the_optimum_is_converged():
    """Where the gradient is zero to rounding there is nothing to do."""
    guard = as_guard(regressor(sizes=(2, 1)))
    best = minimize(guard, guard.problem.train).params
    again = minimize(guard, guard.problem.train, best)
    assert again.reason == "converged"


def test_precision_of_the_program_is_kept():
    """A float32 program gets float32 parameters."""
    guard = as_guard(classifier(dtype=np.float32))
    assert minimize(guard, guard.problem.train, steps=3).params["W1"].dtype == np.float32


def test_own_rule_is_plain_descent_by_default():
    """Without an update rule each step is the learning rate times the gradient."""
    guard = as_guard(regressor())
    fit = train_by_rule(guard, guard.problem.train, steps=1)
    grads = guard.grad(guard.params(), guard.problem.train)
    np.testing.assert_array_equal(fit.params["W1"], guard.params()["W1"] - 0.1 * grads["W1"])


def test_divergence_keeps_the_last_finite_parameters():
    """A run that blows up ends early, with finite parameters and the reason."""
    guard = as_guard(regressor(sizes=(3, 1), learning_rate=1e6))
    fit = train_by_rule(guard, guard.problem.train)
    assert fit.reason == "diverged"
    assert all(np.isfinite(v).all() for v in fit.params.values())


def test_time_is_limited():
    """A slow program is trained for two steps at least and then stopped."""
    guard = as_guard(classifier())
    assert len(train_by_rule(guard, guard.problem.train, seconds=0.0).losses) == 3
