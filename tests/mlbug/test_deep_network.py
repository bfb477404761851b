"""Tests of the plain deep network."""

import numpy as np
import pytest

from mlbug.deep_network import DeepNetwork, deep_data

DATA = deep_data(12, 3)


def slope_along(network, params, name, direction, step=1e-6):
    """Centred difference of the loss when one parameter moves along `direction`."""
    ahead, behind = dict(params), dict(params)
    ahead[name] = params[name] + step * direction
    behind[name] = params[name] - step * direction
    return (network.loss(ahead, DATA) - network.loss(behind, DATA)) / (2.0 * step)


@pytest.mark.parametrize("function", ["tanh", "relu"])
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_gradient_agrees_with_differences(function, scale):
    """The gradient by each parameter is the slope that differences of the loss find."""
    network = DeepNetwork((3, 5, 4, 1), function)
    params = network.start(scale, seed=2)
    grads = network.grad(params, DATA)
    rng = np.random.default_rng(0)
    for name, value in params.items():
        direction = rng.standard_normal(value.shape)
        slope = slope_along(network, params, name, direction)
        assert np.sum(grads[name] * direction) == pytest.approx(slope, rel=1e-6, abs=1e-9)


def test_a_sign_error_would_be_seen():
    """The comparison above tells a gradient from its negative."""
    network = DeepNetwork((3, 5, 1))
    params = network.start()
    direction = network.grad(params, DATA)["W1"]
    assert np.sum(direction * direction) > 1e-4
    assert slope_along(network, params, "W1", direction) > 1e-4


def test_scale_one_keeps_the_size_of_linear_outputs():
    """Weights of variance 1 / inputs give pre-activations about as large as the inputs."""
    network = DeepNetwork((400, 300, 1))
    inputs = np.random.default_rng(1).standard_normal((200, 400))
    first = network.activations(network.start(), inputs)["layer1"]
    assert first.std() == pytest.approx(1.0, rel=0.05)
    np.testing.assert_allclose(network.activations(network.start(3.0), inputs)["layer1"], 3.0 * first)


def test_nan_goes_through():
    """An input that is not a number makes the loss one that is not, and nothing hides it."""
    inputs, targets = DATA
    network = DeepNetwork((3, 5, 1))
    assert np.isnan(network.loss(network.start(), (inputs * np.nan, targets)))


@pytest.mark.parametrize("bad", [{"sizes": (3,)}, {"sizes": (3, 1), "function": "step"}])
def test_impossible_networks_are_refused(bad):
    """One size alone, or a function that is not there, is an error that says so."""
    with pytest.raises(ValueError, match="but"):
        DeepNetwork(**bad)
