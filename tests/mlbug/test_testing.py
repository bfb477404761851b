"""The assertions for test suites: they pass on right programs and say what is wrong with others."""

from dataclasses import replace

import numpy as np
import pytest

import mlbug
from mlbug.testing import assert_fits_one_example, assert_gradient, assert_no_fault, assert_update_law
from tests.mlbug.optimizers import CORRECT


def line(sign=1.0, update=None, dtype=float, scale=1.0):
    """Return a linear regression whose gradient is multiplied by `sign`."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = X @ np.array([1.0, -2.0, 0.5]) + 0.3

    def loss(p, batch):
        return scale * np.mean((batch[0] @ p["w"] + p["b"][0] - batch[1]) ** 2)

    def grad(p, batch):
        r = scale * 2.0 * sign * (batch[0] @ p["w"] + p["b"][0] - batch[1]) / len(batch[1])
        return {"w": batch[0].T @ r, "b": np.array([r.sum()])}

    def scores(p, inputs):
        return (inputs @ p["w"] + p["b"][0])[:, None]

    params = {"w": rng.normal(size=3).astype(dtype), "b": np.zeros(1, dtype=dtype)}
    return mlbug.Problem(
        params=params, loss=loss, grad=grad, train=(X, y), test=(X[:20] + 1e-3, y[:20]), scores=scores,
        update=update, learning_rate=0.1 / scale,
    )  # fmt: skip


def test_right_program_passes():
    """No assertion fails on a right linear regression."""
    problem = line(update=CORRECT["momentum inside"][0]())
    assert_gradient(problem)
    assert_fits_one_example(problem)
    assert_update_law(problem, "momentum (rate inside the velocity)", momentum=0.9, rate=1.0)
    assert_no_fault(problem, "updates")


@pytest.mark.parametrize("sign", [-1.0, 2.0, np.nan])
def test_wrong_gradient_fails_and_names_the_parameter(sign):
    """A sign, a factor and NaN in the gradient fail with the parameter's name in the message."""
    with pytest.raises(AssertionError, match=r"(?s)gradients.*w"):
        assert_gradient(line(sign))


def test_rescaled_program_passes():
    """A loss a million times smaller is judged alike."""
    assert_gradient(line(scale=1e-6))


def test_program_that_cannot_fit_fails():
    """A gradient with the wrong sign cannot fit one example."""
    with pytest.raises(AssertionError, match="tiny-dataset"):
        assert_fits_one_example(line(-1.0))


def test_law_that_departs_fails():
    """A rule that adds its gradient fails, whatever law is expected."""
    problem = line(update=lambda p, g, lr: {n: p[n] + lr * g[n] for n in p})
    with pytest.raises(AssertionError, match="against"):
        assert_update_law(problem)


def test_other_law_or_constant_fails_with_both_named():
    """The message says what was expected and what ran."""
    problem = line(update=CORRECT["momentum inside"][0]())
    with pytest.raises(AssertionError, match=r"w: Adam was expected, but it moved by momentum"):
        assert_update_law(problem, "Adam")
    with pytest.raises(AssertionError, match=r"momentum 0.8\) was expected.*momentum 0.9"):
        assert_update_law(problem, momentum=0.8)
    assert_update_law(problem, where=["w"])
    with pytest.raises(ValueError, match="none of the parameters"):
        assert_update_law(problem, where=["nothing"])


def test_recorded_steps_are_accepted():
    """Steps recorded from another framework are judged without a Problem."""
    rng = np.random.default_rng(0)
    w, steps = np.ones(3), []
    for _ in range(6):
        g = rng.normal(size=3)
        steps.append(({"w": w}, {"w": g}, {"w": w - 0.1 * g}, 0.1))
        w = w - 0.1 * g
    assert_update_law(steps, "gradient descent", rate=1.0)
    with pytest.raises(AssertionError, match="momentum was expected"):
        assert_update_law(steps, "momentum")


def test_check_that_cannot_be_made_fails():
    """An assertion that would pass without looking fails, and says why."""
    with pytest.raises(AssertionError, match="could not be checked"):
        assert_no_fault(replace(line(), learning_rate=None), "updates")


def test_unknown_check_is_refused():
    """The error lists the checks."""
    with pytest.raises(ValueError, match="gradients"):
        assert_no_fault(line(), "gradient")
