"""Tests of the train-test check: each question with a planted fault and a clean program."""

import numpy as np
import pytest

from mlbug.train_test import check_train_test
from tests.mlbug.programs import classifier, fault, kinds, regressor


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", [classifier, regressor])
@pytest.mark.parametrize("l2", [0.0, 1e-3])
def test_correct_programs_pass(program, dtype, l2):
    """Correct programs give no fault, and their loss is recognized in their scores."""
    findings = check_train_test(program(dtype=dtype, l2=l2))
    assert kinds(findings) == set()
    assert "scores-agree" in kinds(findings, "ok")


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_rescaled_loss_passes(scale):
    """A program whose loss has another unit, and its rate the inverse one, gives no fault."""
    program = regressor()
    loss, grad = program["loss"], program["grad"]
    program |= {
        "loss": lambda p, b: scale * loss(p, b),
        "grad": lambda p, b: {k: scale * v for k, v in grad(p, b).items()},
        "learning_rate": program["learning_rate"] / scale,
    }
    assert kinds(check_train_test(program)) == set()


def test_nan_loss_is_skipped():
    """Without a finite loss there is nothing to train."""
    assert {f.status for f in check_train_test(classifier(loss=lambda p, b: np.nan))} == {"skipped"}


def test_pure_sign_error_diverges():
    """A gradient of the wrong sign makes the loss grow at every learning rate: no rate is recommended."""
    program = regressor()
    grad = program["grad"]
    program["grad"] = lambda p, b: {k: -v for k, v in grad(p, b).items()}
    found = fault(check_train_test(program), "diverges")
    assert "learning rate that works" not in found.evidence


def test_rate_too_high_is_told_with_one_that_works():
    """A diverging run names the arrays that blow up and a rate at which it does not."""
    found = fault(check_train_test(regressor(learning_rate=50.0)), "diverges")
    assert found.where
    assert (
        check_train_test(regressor(learning_rate=found.evidence["learning rate that works"]))[0].status
        == "ok"
    )


def test_momentum_that_overshoots_first_is_fine():
    """A loss that rises for a while and then falls is no divergence."""
    velocity = {}

    def update(p, grads, lr):
        for name in p:
            velocity[name] = 0.95 * velocity.get(name, 0.0) - lr * grads[name]
        return {name: p[name] + velocity[name] for name in p}

    assert kinds(check_train_test(regressor(update=update, learning_rate=0.05))) == set()


EXCHANGES = {
    "swapped": (
        ("W2", "W3", "b2", "b3"),
        lambda p, q: p | {"W2": p["W3"], "W3": p["W2"], "b2": p["b3"], "b3": p["b2"]},
    ),
    "one pair swapped": (("W2", "W3"), lambda p, q: p | {"W2": p["W3"], "W3": p["W2"]}),
    "transposed": (("W2",), lambda p, q: p | {"W2": p["W2"].T}),
    "one stale": (("b2",), lambda p, q: p | {"b2": q["b2"]}),
    "all stale": (("W1", "b1", "W2", "b2", "W3", "b3", "W4", "b4"), lambda p, q: q),
}


@pytest.mark.parametrize("name", EXCHANGES)
@pytest.mark.parametrize("program", [classifier, regressor])
def test_scores_from_other_parameters_are_found_with_the_exchange(program, name):
    """Whatever a faulty restore mixes up is named by the parameters concerned."""
    where, change = EXCHANGES[name]
    fields = program(sizes=(4, 6, 6, 6, 3))
    rng = np.random.default_rng(7)
    fields["params"] = {k: v + 0.3 * rng.normal(size=v.shape) for k, v in fields["params"].items()}
    first, scores = {k: v.copy() for k, v in fields["params"].items()}, fields["scores"]
    fields["scores"] = lambda p, x: scores(change(p, first), x)
    found = fault(check_train_test(fields), "scores-exchanged")
    assert found.where == where


def test_unknown_loss_is_no_exchange():
    """A loss of another kind than the usual ones gives no fault."""
    program = regressor()
    net = program["loss"].__self__
    program["loss"] = lambda p, b: np.mean(np.log(np.cosh(net.scores(p, b[0]) - b[1])))
    assert "scores-exchanged" not in kinds(check_train_test(program))


def test_scores_of_other_inputs_contradict_the_loss():
    """Scores that see inputs prepared in another way are wrong where the loss is low."""
    program = classifier(sizes=(4, 12, 3))
    scores = program["scores"]
    program["scores"] = lambda p, x: scores(p, -x)
    assert fault(check_train_test(program), "loss-contradicts-scores").where == ("inputs",)


@pytest.mark.parametrize("form", ["keyword", "pair"])
def test_penalty_that_prevents_learning_is_named(form):
    """A penalty a thousand times too strong is a fault of the regularizer, a usual one is none."""
    strong, usual = classifier(l2=1.0), classifier(l2=1e-3)
    name = "l2"
    if form == "pair":
        name = "regularizer"
        for program, l2 in ((strong, 1.0), (usual, 1e-3)):
            program["regularizer"] = {
                "loss": lambda p, l2=l2: l2 * sum(np.sum(v**2) for k, v in p.items() if k[0] == "W"),
                "grad": lambda p, l2=l2: {k: 2.0 * l2 * v for k, v in p.items() if k[0] == "W"},
            }
    assert fault(check_train_test(strong), "penalty-too-strong").where == (name,)
    assert kinds(check_train_test(usual)) == set()


def test_four_cases_are_told_apart():
    """Each case of low and high errors has its kind, and none is a fault."""
    assert "train-low-test-low" in kinds(check_train_test(classifier()), "ok")
    rng = np.random.default_rng(0)
    program = classifier()
    x, y = program["test"]
    assert "train-low-test-high" in kinds(
        check_train_test(program | {"test": (x, rng.permutation(y))}), "suspect"
    )
    noise = {f: (program[f][0], rng.permutation(program[f][1])) for f in ("train", "test")}
    assert "train-high-test-high" in kinds(check_train_test(classifier(sizes=(4, 3)) | noise), "suspect")
    harder = classifier(n=300, sizes=(4, 3))
    x, y = harder["train"]
    harder["train"] = (x, np.where(rng.random(300) < 0.5, rng.integers(0, 3, 300), y))
    assert "train-high-test-low" in kinds(check_train_test(harder), "suspect")


def test_without_test_data_the_cases_are_skipped():
    """There is nothing to compare with."""
    assert check_train_test(classifier(test=None))[-1].status == "skipped"


def test_subtracted_penalty_is_named():
    """A penalty that lowers the loss as the weights grow is a fault of the regularizer."""
    found = fault(check_train_test(classifier(l2=-1e-3)), "penalty-sign")
    assert found.where == ("l2",)


def test_scores_of_other_inputs_contradict_a_regression_too():
    """Scores that run against their targets where the loss is low are a fault."""
    program = regressor(sizes=(3, 12, 1))
    scores = program["scores"]
    program["scores"] = lambda p, x: scores(p, -x)
    assert fault(check_train_test(program), "loss-contradicts-scores").where == ("inputs",)


def test_noise_parameter_of_a_likelihood_is_no_stale_one():
    """A standard deviation that the mean prediction does not use is right."""
    program = regressor()
    net = program["loss"].__self__
    program["params"]["s"] = np.zeros(1)

    def grad(p, b):
        off = net.scores(p, b[0]) - b[1]
        inner = net.grad(p, b)
        weight = 0.5 * np.exp(-2.0 * p["s"][0])
        own = np.array([1.0 - 2.0 * weight * np.mean(off**2)])
        return {k: weight * inner[k] for k in inner if k != "s"} | {"s": own}

    program["loss"] = lambda p, b: 0.5 * np.exp(-2.0 * p["s"][0]) * net.loss(p, b) + p["s"][0]
    program["grad"] = lambda p, b: grad({k: v for k, v in p.items() if k != "s"} | {"s": p["s"]}, b)
    assert "scores-exchanged" not in kinds(check_train_test(program))


def test_labels_of_plus_and_minus_one_are_judged_by_their_side():
    """A margin classifier on labels -1 and 1 that is right on all has no error, whatever its squared one."""
    program = regressor(sizes=(3, 1))
    taste = np.array([2.0, -1.0, 0.5])
    for field in ("train", "test"):
        x = program[field][0]
        program[field] = (x, np.where(x @ taste > 0, 1.0, -1.0)[:, None])
    found = [f for f in check_train_test(program) if f.kind.startswith("train-")]
    assert found[0].kind == "train-low-test-low"
    assert found[0].evidence["training error"] < 0.1


def test_short_training_is_no_suspicion():
    """A rate so small that the loss still falls after all steps says nothing yet."""
    findings = check_train_test(regressor(learning_rate=1e-4))
    assert kinds(findings) | kinds(findings, "suspect") == set()
