"""Tests of the data check: each question with a planted fault and a clean program."""

import numpy as np
import pytest

from mlbug.data import check_data
from mlbug.data_alignment import label_shift
from tests.mlbug.programs import classifier, fault, kinds, regressor


def changed(program, field, inputs=None, targets=None):
    """Return the program with functions applied to the inputs and targets of one of its sets."""
    x, y = program[field]
    return program | {field: (inputs(x) if inputs else x, targets(y) if targets else y)}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("program", [classifier, regressor])
def test_clean_data_pass(program, seed):
    """Data drawn alike for training and test give nothing but ok."""
    assert {finding.status for finding in check_data(program(seed))} == {"ok"}


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_rescaled_targets_pass(scale):
    """The unit of the targets does not matter."""
    program = regressor()
    for field in ("train", "test"):
        program = changed(program, field, targets=lambda y: scale * y)
    assert kinds(check_data(program)) == set()


def test_missing_values_do_not_end_the_check():
    """NaN among inputs and targets is left to the setup check, and labels are still judged."""
    program = changed(classifier(), "train", targets=lambda y: np.where(y == 2, -1, y))
    program["train"][0][3, 1] = np.nan
    assert "label-range" in kinds(check_data(program))
    regression = regressor()
    regression["train"][1][3] = np.nan
    assert kinds(check_data(regression)) == set()


def test_pure_sign_error_of_the_targets_is_seen_in_the_test_set():
    """Test targets with the wrong sign keep their spread: the data check has to see no preparation in it."""
    assert "prepared-differently" not in kinds(check_data(changed(regressor(), "test", targets=np.negative)))


@pytest.mark.parametrize("program", [classifier, regressor])
@pytest.mark.parametrize("shift", [-3, -1, 1, 2])
def test_shifted_targets_are_found_with_the_shift(program, shift):
    """Targets moved against their inputs are a fault, and the shift is told."""
    found = fault(
        check_data(changed(program(), "train", targets=lambda y: np.roll(y, shift, axis=0))), "label-shift"
    )
    assert found.where == ("targets",)
    assert found.evidence["shift"] == -shift


def test_row_lost_in_the_middle_is_found():
    """Where only the second half is out of step, the half is told."""
    program = classifier(n=240)
    program = changed(program, "train", targets=lambda y: np.r_[y[:110], y[111:], y[:1]])
    found = fault(check_data(program), "label-shift")
    assert "second half" in found.meaning


def test_forecast_of_a_series_is_no_shift():
    """In a series a target is an input of the next row: shifted targets fit better, without a fault."""
    rng = np.random.default_rng(0)
    series = np.zeros(300)
    for t in range(1, 300):
        series[t] = 0.8 * series[t - 1] + rng.normal()
    x, y = np.stack([series[:-3], series[1:-2], series[2:-1]], axis=1), series[3:, None]
    assert kinds(check_data(regressor() | {"train": (x, y), "test": None})) == set()


def test_shuffled_training_targets_are_found():
    """Training targets without any relation to their inputs are a fault where the test set has one."""
    rng = np.random.default_rng(1)
    program = changed(classifier(), "train", targets=rng.permutation)
    assert fault(check_data(program), "unrelated-targets").where == ("targets",)


def test_targets_without_relation_in_both_sets_are_no_fault():
    """Noise in both sets is not the program's fault."""
    rng = np.random.default_rng(1)
    program = changed(
        changed(classifier(), "train", targets=rng.permutation), "test", targets=rng.permutation
    )
    assert kinds(check_data(program)) == set()


def test_renumbered_test_classes_are_found():
    """Test classes numbered by another table are a fault with the renaming."""
    found = fault(check_data(changed(classifier(), "test", targets=lambda y: (y + 1) % 3)), "class-codes")
    assert found.evidence["test class: training class"] == {"0": "2", "1": "0", "2": "1"}


def test_negative_label_is_out_of_range():
    """A class -1 indexes the last column silently; it is a fault."""
    program = changed(classifier(), "train", targets=lambda y: np.where(y == 2, -1, y))
    assert "label-range" in kinds(check_data(program))


def test_targets_beyond_a_bounded_output_are_found():
    """A sigmoid output cannot reach targets beyond 0 and 1; targets within are fine."""
    program = regressor()
    scores = program["scores"]
    program["scores"] = lambda p, x: 0.5 + 0.5 * np.tanh(scores(p, x))
    assert fault(check_data(program), "unreachable-targets").where == ("targets",)
    within = program
    for field in ("train", "test"):
        within = changed(within, field, targets=lambda y: 0.5 + 0.4 * np.tanh(y))
    assert kinds(check_data(within)) == set()


def test_constant_inputs_are_a_fault_and_a_constant_column_is_not():
    """All rows equal leave nothing to learn; a column of ones is a bias."""
    assert fault(check_data(changed(classifier(), "train", lambda x: 0 * x + 1.0)), "constant-inputs")
    ones = lambda x: np.c_[x[:, :3], np.ones(len(x))]  # noqa: E731
    assert kinds(check_data(changed(changed(classifier(), "train", ones), "test", ones))) == set()


def test_unscaled_inputs_are_a_suspicion():
    """Inputs around 1000 are told, not accused."""
    shifted = lambda x: x + 1000.0  # noqa: E731
    findings = check_data(changed(changed(classifier(), "train", shifted), "test", shifted))
    assert kinds(findings) == set()
    assert kinds(findings, "suspect") == {"unscaled-inputs"}


def test_copied_rows_are_a_suspicion():
    """Half the training rows being copies is told."""
    program = classifier()
    x, y = program["train"]
    program["train"] = (np.r_[x[:60], x[:60]], np.r_[y[:60], y[:60]])
    assert "duplicates" in kinds(check_data(program), "suspect")


@pytest.mark.parametrize("count", [5, 40])
def test_test_rows_in_training_are_found(count):
    """Rows that are in both sets, inputs and targets, are a fault with their number."""
    program = classifier()
    program["test"] = tuple(
        np.r_[a[:count], b[count:]] for a, b in zip(program["train"], program["test"], strict=True)
    )
    assert fault(check_data(program), "test-in-train").evidence["shared rows"] == count


def test_coincidences_of_whole_numbers_are_no_leak():
    """Small whole numbers repeat by chance; empty rows do by nature."""
    rng = np.random.default_rng(0)
    program = classifier()
    for field in ("train", "test"):
        x = rng.integers(0, 4, (120, 4))
        program[field] = (x, (x.sum(axis=1) > 6).astype(int))
    assert "test-in-train" not in kinds(check_data(program))
    program = classifier()
    for field in ("train", "test"):
        x, y = program[field]
        x[::10], y[::10] = 0.0, 0
    assert kinds(check_data(program)) == set()


def standardized(x):
    """Return the columns with mean 0 and spread 1."""
    return (x - x.mean(axis=0)) / x.std(axis=0)


PREPARATIONS = {
    "prepared-differently": lambda x: 5.0 + 3.0 * x,
    "own-statistics": standardized,
    "reordered-columns": lambda x: x[:, [2, 0, 3, 1]],
}


@pytest.mark.parametrize("kind", PREPARATIONS)
def test_other_preparation_of_the_test_inputs_is_found(kind):
    """Raw test inputs, their own statistics and another column order are faults of their own kinds."""
    program = classifier()
    x, u = program["train"][0], program["test"][0]
    if kind == "reordered-columns":
        places = np.array([0.0, 5.0, -4.0, 9.0])
        program = changed(changed(program, "train", lambda x: x + places), "test", lambda u: u + places)
    else:
        program = changed(program, "test", lambda u: (u - x.mean(axis=0)) / x.std(axis=0))
        program = changed(program, "train", standardized)
    assert kinds(check_data(program)) == set()
    assert len(u) == len(x)
    assert fault(check_data(changed(program, "test", PREPARATIONS[kind])), kind).where == ("inputs",)


def test_other_scale_of_images_is_found():
    """Bytes in one set and fractions in the other are a fault."""
    program = classifier()
    for field in ("train", "test"):
        program = changed(program, field, lambda x: np.clip(np.abs(x) / 8.0, 0.0, 1.0))
    assert "prepared-differently" in kinds(check_data(changed(program, "test", lambda u: 255.0 * u)))


def test_drift_is_a_suspicion():
    """Test inputs that have merely moved are told, not accused."""
    findings = check_data(changed(classifier(), "test", lambda u: u + np.array([4.0, 0.0, 0.0, 0.0])))
    assert "shifted-data" in kinds(findings, "suspect")
    assert "prepared-differently" not in kinds(findings)


def test_imbalance_is_a_suspicion():
    """A class with nearly all examples is told."""
    program = changed(classifier(), "train", targets=lambda y: np.where(np.arange(len(y)) < 118, 0, y))
    assert "imbalance" in kinds(check_data(program), "suspect")


def test_few_rows_give_no_verdict_on_the_order():
    """Ten examples are too few to speak of a shift."""
    from mlbug.problem import as_guard

    program = changed(classifier(n=10), "train", targets=lambda y: np.roll(y, 1))
    assert label_shift(as_guard(program)) == []


@pytest.mark.parametrize(
    ("kind", "change"), [("log", np.log), ("one minus", lambda x: 1.0 - x), ("sqrt", np.sqrt)]
)
def test_change_of_the_values_in_one_set_is_found(kind, change):
    """Test inputs, or targets, of which a function was taken in one set alone are a fault."""
    program = classifier()
    for field in ("train", "test"):
        program = changed(program, field, lambda x: np.clip(0.2 + 0.05 * (x - x.min(axis=0)), 0.01, 0.99))
    assert "prepared-differently" in kinds(check_data(changed(program, "test", change)))
    assert kinds(check_data(program)) == set()


@pytest.mark.parametrize("factor", [180.0 / np.pi, 0.01])
def test_one_column_in_another_unit_is_found(factor):
    """One test column in degrees, the rest as in training, is a fault with column and factor."""
    program = changed(classifier(), "test", lambda u: u * np.array([1.0, 1.0, factor, 1.0]))
    found = fault(check_data(program), "other-unit")
    assert list(found.evidence["factors"]) == [2]
    assert found.evidence["factors"][2] == pytest.approx(factor, rel=0.4)
