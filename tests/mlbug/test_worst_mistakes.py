"""Tests of the worst-mistakes check and of the search for a shared cause."""

import math

import numpy as np
import pytest

from mlbug.shared_cause import feature_parts, group_parts, rank_causes
from mlbug.worst_mistakes import calibration_error, check_worst_mistakes
from tests.mlbug.programs import classifier, fault, kinds, regressor


def grouped(program, field="test", seed=0):
    """Return the program with a group "source" of three values, and the rows where it is B."""
    n = len(program[field][0])
    source = np.random.default_rng(seed).choice(["A", "B", "C"], n, p=[0.5, 0.2, 0.3])
    return program | {"groups": {"source": source, "day": np.arange(n) % 7}}, source == "B"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("program", [classifier, regressor])
def test_groups_without_meaning_pass(program, seed):
    """Random groups gather no mistakes."""
    findings = check_worst_mistakes(grouped(program(seed), seed=seed)[0])
    assert kinds(findings) | kinds(findings, "suspect") == set()


def test_group_with_wrong_labels_is_found_with_its_gain():
    """A source whose labels are off by one is a fault, and the gain is the share of its mistakes."""
    program, rows = grouped(classifier())
    x, y = program["test"]
    program["test"] = (x, np.where(rows, (y + 1) % 3, y))
    found = fault(check_worst_mistakes(program), "group")
    assert found.where == ("B", "source")
    assert found.evidence["lift"] > 5
    assert found.evidence["gain if fixed"] == pytest.approx(
        rows.mean() * (found.evidence["error inside"] - found.evidence["error outside"])
    )


def test_group_of_the_training_data_is_found():
    """Groups as long as the training set are looked up there."""
    program, rows = grouped(classifier(n=150), "train")
    program["test"] = tuple(a[:100] for a in program["test"])
    x, y = program["train"]
    program["train"] = (x, np.where(rows, (y + 1) % 3, y))
    assert fault(check_worst_mistakes(program), "group").where == ("B", "source")


def test_group_in_another_unit_is_found():
    """A source with targets ten times as large is a fault of a regression."""
    program, rows = grouped(regressor())
    x, y = program["test"]
    program["test"] = (x, np.where(rows[:, None], 10.0 * y, y))
    assert fault(check_worst_mistakes(program), "group").where == ("B", "source")


def test_harder_group_is_no_fault():
    """A source with twice the noise errs more, which is no fault."""
    program, rows = grouped(regressor(n=300))
    x, y = program["test"]
    noise = np.random.default_rng(3).normal(0.0, 0.3, y.shape)
    program["test"] = (x, y + np.where(rows[:, None], noise, 0.0))
    assert kinds(check_worst_mistakes(program)) == set()


def test_pure_sign_error_still_leaves_a_model_to_judge():
    """With a gradient of the wrong sign nothing is learned, and no group is accused."""
    program, _ = grouped(classifier())
    grad = program["grad"]
    program["grad"] = lambda p, b: {k: -v for k, v in grad(p, b).items()}
    assert kinds(check_worst_mistakes(program)) == set()


def test_nan_scores_are_skipped():
    """Scores that are not finite give no mistakes to rank."""
    program = classifier()
    scores = program["scores"]
    program["scores"] = lambda p, x: scores(p, x) * np.nan
    assert {f.status for f in check_worst_mistakes(program)} == {"skipped"}


def test_rescaled_targets_give_the_same_verdict():
    """Lift and significance do not depend on the unit of the targets."""
    program, rows = grouped(regressor(sizes=(3, 1)))
    lifts = []
    for scale in (1.0, 1024.0):
        x, y = program["test"]
        scaled = program | {
            "params": {k: scale * v for k, v in program["params"].items()},
            "train": (program["train"][0], scale * program["train"][1]),
            "test": (x, scale * np.where(rows[:, None], y + 20.0, y)),
        }
        lifts.append(fault(check_worst_mistakes(scaled), "group").evidence["lift"])
    assert lifts[0] == pytest.approx(lifts[1], rel=1e-6)


def test_cropped_images_are_a_shared_feature():
    """Images cut at the border are found by their brightness there."""
    rng = np.random.default_rng(0)
    images = np.zeros((200, 8, 8))
    images[:, 2:6, 2:6] = rng.random((200, 4, 4))
    cut = rng.random(200) < 0.15
    images[cut] = np.roll(images[cut], 3, axis=2)
    error = np.where(cut, rng.random(200) < 0.9, rng.random(200) < 0.05).astype(float)
    best = rank_causes(error, feature_parts(images.reshape(200, -1), (8, 8)))[0]
    assert best.key == "share of brightness at the border"
    assert best.p < 1e-9


def test_fisher_is_exact():
    """Four of four mistakes in a group of four among ten have the chance 1 / 210, times the parts tried."""
    error = np.array([1.0] * 4 + [0.0] * 6)
    causes = rank_causes(error, group_parts({"g": np.array(["a"] * 4 + ["b"] * 6)}))
    assert causes[0].value == "a"
    assert causes[0].p == pytest.approx(2 / 210)
    assert math.isinf(causes[0].lift)


def test_calibration_error_of_known_answers():
    """Confidence 0.9 with 60 % right is off by 0.3; confidence equal to the share right is not off."""
    right = np.array([True] * 6 + [False] * 4)
    assert calibration_error(np.full(10, 0.9), right) == pytest.approx(0.3)
    assert calibration_error(np.full(10, 0.6), right) == pytest.approx(0.0)


def test_ranking_puts_the_surest_mistake_first():
    """The rows told are mistakes, in the order of their confidence."""
    program = classifier(sizes=(4, 3))
    rng = np.random.default_rng(0)
    x, y = program["test"]
    program["test"] = (x, np.where(rng.random(120) < 0.2, (y + 1) % 3, y))
    evidence = check_worst_mistakes(program)[0].evidence
    assert evidence["their confidence"] == sorted(evidence["their confidence"], reverse=True)
    assert len(evidence["worst rows"]) == 8


def test_without_scores_there_is_nothing_to_rank():
    """The check is skipped, and says why."""
    assert [f.status for f in check_worst_mistakes(classifier(scores=None))] == ["skipped"]
