"""Tests of the guarantees check: each promise with a planted fault and a clean program."""

import numpy as np
import pytest

from mlbug.guarantees import check_guarantees
from tests.mlbug.programs import ACTIVATIONS, classifier, kinds, regressor


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", [classifier, regressor])
def test_correct_programs_pass(program, activation, dtype):
    """Correct networks keep all promises, in both precisions."""
    assert {f.status for f in check_guarantees(program(activation=activation, dtype=dtype))} == {"ok"}


@pytest.mark.parametrize("scale", [1e-10, 1e8])
def test_rescaled_loss_passes(scale):
    """All tolerances move with the loss."""
    program = classifier()
    grad, loss = program["grad"], program["loss"]
    program["loss"] = lambda p, b: scale * loss(p, b)
    program["grad"] = lambda p, b: {k: scale * v for k, v in grad(p, b).items()}
    assert kinds(check_guarantees(program)) == set()


def test_loss_on_a_large_constant_passes():
    """A loss of a million plus something small has no step above rounding to judge by: nothing is said."""
    program = regressor()
    loss = program["loss"]
    program["loss"] = lambda p, b: 1e12 + 1e-3 * loss(p, b)
    program["grad"] = lambda p, b, g=program["grad"]: {k: 1e-3 * v for k, v in g(p, b).items()}
    assert kinds(check_guarantees(program)) == set()


def test_pure_sign_error_of_one_array_is_placed():
    """A step on an array with the wrong sign raises the loss: that array is named, and it alone."""
    program = regressor()
    grad = program["grad"]
    program["grad"] = lambda p, b: grad(p, b) | {"b1": -grad(p, b)["b1"]}
    found = [f for f in check_guarantees(program) if f.kind == "no-first-order-decrease"]
    assert found[0].where == ("b1",)
    assert "rises" in found[0].meaning


def test_nan_gradient_is_skipped():
    """A gradient that is not finite promises nothing."""
    program = regressor()
    program["grad"] = lambda p, b: {k: v * np.nan for k, v in p.items()}
    assert [f.status for f in check_guarantees(program)] == ["skipped"]


def test_start_on_a_kink_passes():
    """Rows of zeros under zero biases sit on the kink of every ReLU, where no step is judged."""
    program = classifier(activation="relu")
    program["train"][0][::4] = 0.0
    assert kinds(check_guarantees(program)) == set()


def test_order_of_examples_is_a_suspicion():
    """A loss that weighs examples by their position depends on their order."""
    program = regressor()
    net = program["loss"].__self__

    def loss(p, b):
        off = (net.scores(p, b[0]) - b[1]) ** 2
        return float(np.mean(off[:, 0] * np.linspace(0.0, 2.0, len(off))))

    assert "order" in kinds(check_guarantees(program | {"loss": loss}), "suspect")


def test_probabilities_that_do_not_sum_to_one_are_a_suspicion():
    """A softmax with a constant in its denominator is told."""
    program = classifier()
    scores = program["scores"]
    program["scores"] = lambda p, x: scores(p, x) / 1.01
    assert "probabilities" in kinds(check_guarantees(program), "suspect")


def k_means(right):
    """Return k-means on three clouds; the faulty one divides by one too many."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(m, 0.5, (30, 2)) for m in (-2.0, 0.0, 2.5)])

    def nearest(p, x):
        return ((x[:, None] - p["C"]) ** 2).sum(axis=2)

    def grad(p, batch):
        own = nearest(p, batch[0]).argmin(axis=1)
        return {
            "C": np.stack([2.0 * (p["C"][j] - batch[0][own == j]).sum(axis=0) for j in range(3)])
            / len(batch[0])
        }

    def update(p, grads, lr):
        own = nearest(p, x).argmin(axis=1)
        return {"C": np.stack([x[own == j].sum(axis=0) / ((own == j).sum() + (not right)) for j in range(3)])}

    return {
        "params": {"C": x[[0, 40, 80]]},
        "loss": lambda p, b: float(nearest(p, b[0]).min(axis=1).mean()),
        "grad": grad,
        "update": update,
        "train": (x,),
    }


def power_iteration(right):
    """Return power iteration for the first principal axis; the faulty one drops an entry of the matrix."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 4)) @ rng.normal(size=(4, 4))
    matrix = x.T @ x
    used = matrix if right else np.triu(matrix)

    def loss(p, b):
        return float(-np.sum((b[0] @ p["v"]) ** 2) / np.sum(p["v"] ** 2))

    def grad(p, b):
        v, square = p["v"], np.sum(p["v"] ** 2)
        return {"v": -2.0 * (b[0].T @ (b[0] @ v) + loss(p, b) * v) / square}

    def update(p, grads, lr):
        w = used @ p["v"]
        return {"v": w / np.linalg.norm(w)}

    return {"params": {"v": np.full(4, 0.5)}, "loss": loss, "grad": grad, "update": update, "train": (x,)}


def mixture_weights(right):
    """Return EM for the weights of two fixed normals; the faulty one takes roots in place of shares."""
    rng = np.random.default_rng(0)
    x = np.where(rng.random(100) < 0.3, rng.normal(-1.0, 1.0, 100), rng.normal(1.5, 1.0, 100))

    def joint(p, x):
        return p["pi"] * np.exp(-0.5 * (x[:, None] - np.array([-1.0, 1.5])) ** 2)

    def update(p, grads, lr):
        parts = joint(p, x)
        share = parts / parts.sum(axis=1, keepdims=True) if right else parts**0.5
        return {"pi": share.sum(axis=0) / share.sum()}

    return {
        "params": {"pi": np.array([0.5, 0.5])},
        "loss": lambda p, b: float(-np.mean(np.log(joint(p, b[0]).sum(axis=1)))),
        "grad": lambda p, b: {
            "pi": -np.mean((joint(p, b[0]) / p["pi"]) / joint(p, b[0]).sum(axis=1, keepdims=True), axis=0)
        },
        "update": update,
        "train": (x,),
    }


@pytest.mark.parametrize("algorithm", [k_means, power_iteration, mixture_weights])
def test_whole_step_algorithms(algorithm):
    """The right algorithm passes, constraints and all; the faulty one is a fault of its parameter."""
    assert kinds(check_guarantees(algorithm(True))) == set()
    findings = check_guarantees(algorithm(False))
    assert kinds(findings) & {"objective-rises", "stops-off-optimum"}
    assert {place for f in findings if f.status == "fault" for place in f.where} == set(
        algorithm(True)["params"]
    )
