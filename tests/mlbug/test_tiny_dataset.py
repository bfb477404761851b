"""Tests of the tiny-dataset check: each question with a planted fault and a clean program."""

import numpy as np
import pytest

from mlbug.tiny_dataset import check_tiny_dataset
from tests.mlbug.programs import ACTIVATIONS, classifier, fault, kinds, regressor


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("program", [classifier, regressor])
def test_correct_programs_fit_one_example_and_a_handful(program, seed, activation):
    """Correct networks pass, also with a penalty, which is switched off here."""
    findings = check_tiny_dataset(program(seed, activation=activation, l2=1e-3))
    assert kinds(findings) | kinds(findings, "suspect") == set()


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_rescaled_loss_passes(scale):
    """The fit sets its own step, so that the unit of the loss does not matter."""
    program = classifier(dtype=np.float64)
    loss, grad = program["loss"], program["grad"]
    program["loss"] = lambda p, b: scale * loss(p, b)
    program["grad"] = lambda p, b: {k: scale * v for k, v in grad(p, b).items()}
    assert kinds(check_tiny_dataset(program)) == set()


def test_nan_loss_is_skipped():
    """Without a finite loss nothing can be fitted."""
    assert [f.status for f in check_tiny_dataset(classifier(loss=lambda p, b: np.nan))] == ["skipped"]


def test_pure_sign_error_does_not_descend():
    """A gradient of the wrong sign lowers nothing, and that is what is said."""
    program = classifier()
    grad = program["grad"]
    program["grad"] = lambda p, b: {k: -v for k, v in grad(p, b).items()}
    assert "negative gradient" in fault(check_tiny_dataset(program), "no-descent").meaning


def test_softmax_of_a_softmax_is_known_by_its_floor():
    """The loss of probabilities taken for logits ends at log(e + k - 1) - 1, and the report says so."""
    program = classifier(sizes=(4, 3))
    net = program["loss"].__self__

    def softmax(z):
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def loss(p, b):
        return -np.mean(np.log(softmax(net.scores(p, b[0]))[np.arange(len(b[1])), b[1]]))

    def grad(p, b):
        out = net.scores(p, b[0])
        d = softmax(out)
        d[np.arange(len(d)), b[1]] -= 1.0
        d = out * (d - (d * out).sum(axis=1, keepdims=True)) / len(d)
        return {"W1": b[0].T @ d, "b1": d.sum(axis=0)}

    found = fault(check_tiny_dataset(program | {"loss": loss, "grad": grad}), "softmax-twice")
    assert found.evidence["floor"] == pytest.approx(np.log(np.e + 2.0) - 1.0)


def test_loss_for_another_label_is_a_wrong_goal():
    """Where the loss falls and the example's own class does not rise, the targets are named."""
    program = classifier()
    net = program["loss"].__self__
    program["loss"] = lambda p, b: net.loss(p, (b[0], (b[1] + 1) % 3))
    program["grad"] = lambda p, b: net.grad(p, (b[0], (b[1] + 1) % 3))
    assert fault(check_tiny_dataset(program), "wrong-goal").where == ("targets",)


def test_dead_output_gets_no_gradient():
    """A ReLU output that starts below zero stays there: all gradients are zero."""
    program = regressor()
    net = program["loss"].__self__
    program["params"]["b2"] -= 50.0
    out = lambda p, x: np.maximum(net.scores(p, x), 0.0)  # noqa: E731
    program |= {
        "scores": out,
        "loss": lambda p, b: np.mean((out(p, b[0]) - b[1] - 10.0) ** 2),
        "grad": lambda p, b: {k: np.zeros_like(v) for k, v in p.items()},
    }
    assert fault(check_tiny_dataset(program), "no-gradient").where == ("W1", "b1", "W2", "b2")


def test_output_that_cannot_reach_its_target_is_found():
    """A tanh output never reaches a target of 5."""
    program = regressor()
    net = program["loss"].__self__
    program["train"] = (program["train"][0], 5.0 + np.abs(program["train"][1]))

    def grad(p, b):
        _, h, out = net.forward(p, b[0])
        d = 2.0 * (np.tanh(out) - b[1]) * (1.0 - np.tanh(out) ** 2) / out.size
        d1 = (d @ p["W2"].T) * (1.0 - h[1] ** 2)
        return {"W1": b[0].T @ d1, "b1": d1.sum(axis=0), "W2": h[1].T @ d, "b2": d.sum(axis=0)}

    program |= {
        "scores": lambda p, x: np.tanh(net.scores(p, x)),
        "loss": lambda p, b: np.mean((np.tanh(net.scores(p, b[0])) - b[1]) ** 2),
        "grad": grad,
    }
    assert kinds(check_tiny_dataset(program)) == {"out-of-reach"}


def test_one_answer_for_all_is_found():
    """A loss that compares each prediction with all targets fits one example, and not a handful."""
    program = regressor()
    net = program["loss"].__self__

    def mixed(b):
        return b[0], np.broadcast_to(b[1].mean(axis=0), b[1].shape)

    program["loss"] = lambda p, b: net.loss(p, mixed(b))
    program["grad"] = lambda p, b: net.grad(p, mixed(b))
    assert fault(check_tiny_dataset(program), "one-answer").where == ("targets",)


@pytest.mark.parametrize("seed", range(6))
def test_small_model_is_not_accused(seed):
    """A line cannot fit six scattered points: that is no fault."""
    rng = np.random.default_rng(seed)
    program = regressor(sizes=(1, 1))
    program["train"] = (program["train"][0], rng.normal(size=(120, 1)))
    assert kinds(check_tiny_dataset(program)) == set()


def test_without_scores_the_loss_alone_is_told():
    """Where nothing says what fitted means, a falling loss is ok and no more."""
    assert [f.status for f in check_tiny_dataset(classifier(scores=None))] == ["ok"]
