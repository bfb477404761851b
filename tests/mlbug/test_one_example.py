"""Tests of the classifier that is trained on one example."""

import math

import numpy as np
import pytest

from mlbug.one_example import FAULTS, cross_entropy, softmax, train_one_example


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_start_loss_is_log_k(classes):
    """With all scores equal, each of k classes has probability 1/k."""
    assert train_one_example(0, 0.1, classes).losses[0] == pytest.approx(math.log(classes), rel=1e-15)


def test_start_loss_of_three_classes():
    """The number that the text names."""
    assert f"{train_one_example(0, 0.1, 3).losses[0]:.4f}" == "1.0986"


def test_right_program_lowers_the_loss_in_every_step():
    """The loss is convex and the steps short: it falls without exception, towards zero."""
    losses = train_one_example(400, 0.3, 3).losses
    assert np.all(np.diff(losses) < 0)
    assert losses[-1] < 0.01


def test_sign_error_raises_the_loss_in_every_step():
    """A pure sign error climbs."""
    assert np.all(np.diff(train_one_example(100, 0.3, 3, "sign").losses) > 0)


def test_wrong_label_ends_far_from_zero():
    """Trained on the next class, the right one loses its probability."""
    run = train_one_example(200, 0.3, 3, "label")
    assert run.losses[-1] > run.losses[0]
    assert int(np.argmax(run.probabilities)) == 1


def test_missing_probabilities_pass_the_test_and_fail_the_sum():
    """Without the softmax term the loss falls faster than it should; the gradient's sum gives it away."""
    wrong, right = train_one_example(100, 0.1, 3, "softmax"), train_one_example(100, 0.1, 3)
    assert wrong.losses[-1] < right.losses[-1]
    assert np.allclose(wrong.gradient_sums, -1.0)
    assert np.abs(right.gradient_sums).max() < 1e-15


def test_loss_added_twice_starts_at_twice_log_k():
    """The fit is fine; the start loss is not."""
    losses = train_one_example(100, 0.1, 3, "twice").losses
    assert losses[0] == pytest.approx(2 * math.log(3))
    assert losses[-1] < 0.2


def test_cross_entropy_is_accurate_at_both_ends():
    """Scores far apart give tiny and huge losses without rounding to zero or infinity."""
    assert cross_entropy(np.array([50.0, 0.0]), 0) == pytest.approx(math.exp(-50.0), rel=1e-12)
    assert cross_entropy(np.array([-2000.0, 0.0]), 0) == 2000.0


def test_softmax_is_blind_to_a_common_shift():
    """Adding a number to all scores changes no probability, and nothing overflows."""
    scores = np.array([0.5, -1.0, 2.0])
    assert softmax(scores + 1e4) == pytest.approx(softmax(scores), rel=1e-11)


def test_nan_learning_rate_shows_in_the_loss():
    """A learning rate that is not a number leaves no loss that looks like one."""
    assert np.isnan(train_one_example(1, math.nan, 3).losses[-1])


@pytest.mark.parametrize(("classes", "fault", "said"), [(1, "none", "classes"), (3, "typo", "'typo'")])
def test_wrong_arguments_are_named(classes, fault, said):
    """An impossible number of classes or an unknown fault is repeated in the error."""
    with pytest.raises(ValueError, match=said):
        train_one_example(1, 0.1, classes, fault)


def test_faults_are_told_apart():
    """No two programs report the same losses."""
    assert len({tuple(train_one_example(5, 0.1, 3, fault).losses) for fault in FAULTS}) == len(FAULTS)
