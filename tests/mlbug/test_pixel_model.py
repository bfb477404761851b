"""Tests of the model that draws images pixel by pixel."""

import math

import numpy as np
import pytest

from mlbug.pixel_model import likeness, sample_pixels, train_pixel_model, training_images


def test_start_loss_is_a_coin_for_each_pixel():
    """With all weights zero, 64 pixels cost 64 log 2 nats."""
    assert train_pixel_model(0).losses[0] == pytest.approx(64 * math.log(2.0), rel=1e-14)


@pytest.mark.parametrize("kind", ["one", "kind"])
def test_correct_program_draws_what_it_was_shown(kind):
    """The loss falls in every step, and samples agree with a training image nearly everywhere."""
    run = train_pixel_model(150, kind)
    assert np.all(np.diff(run.losses) < 0)
    assert likeness(sample_pixels(run, 20), training_images(kind)).mean() > 0.97


def test_no_honest_loss_lies_below_the_entropy():
    """Six equally frequent images cost log 6 nats at least; a model that reads its own pixel says less."""
    assert train_pixel_model(150, "kind").losses[-1] > math.log(6.0)
    assert train_pixel_model(150, "kind", "sees-itself").losses[-1] < math.log(6.0)


def test_backward_sampler_spoils_samples_and_leaves_the_loss():
    """The order fault is invisible in training and plain in the samples."""
    right, wrong = train_pixel_model(100), train_pixel_model(100, "one", "order")
    assert np.array_equal(right.losses, wrong.losses)
    known = training_images("one")
    assert likeness(sample_pixels(wrong, 20, "order"), known).mean() < 0.9


def test_sign_error_raises_the_loss():
    """A pure sign error climbs in every step."""
    assert np.all(np.diff(train_pixel_model(20, "one", "sign").losses) > 0)


def test_likeness_is_the_nearest_image():
    """A copy of any training image agrees fully, its negative in no pixel of it."""
    known = training_images("kind")
    assert likeness(known[3:4], known) == pytest.approx([1.0])
    assert likeness(1.0 - known[:1], known[:1]) == pytest.approx([0.0])


def test_six_images_of_a_kind_differ():
    """The training set of one kind holds six different images."""
    assert len(np.unique(training_images("kind"), axis=0)) == 6


def test_unknown_fault_is_named():
    """A fault that does not exist is repeated in the error."""
    with pytest.raises(ValueError, match="'typo'"):
        train_pixel_model(1, "one", "typo")
