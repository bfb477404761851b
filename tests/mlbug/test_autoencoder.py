"""Tests of the autoencoder that is trained on one image."""

import numpy as np
import pytest

from mlbug import autoencoder
from mlbug.autoencoder import FAULTS, train_autoencoder

STEPS = 200


def test_correct_program_gives_the_image_back():
    """After 200 steps the reconstruction is the image, and the loss says so."""
    run = train_autoencoder(STEPS)
    assert run.fidelity[-1] > 0.99
    assert run.losses[-1] == pytest.approx(np.mean((run.reconstructions[-1] - run.image) ** 2))


def test_written_gradient_is_the_difference_of_the_loss():
    """One step moves every parameter by the learning rate times the centred difference of the loss."""
    image = train_autoencoder(0).image
    model = autoencoder._start(0)
    hidden, output = autoencoder._forward(model, image, "none")
    moved = autoencoder._step(model, image, hidden, output, image, "none")
    for k, place in ((0, (2, 11)), (1, (3,)), (2, (11, 1)), (3, (20,))):
        ends = []
        for h in (1e-6, -1e-6):
            changed = [array.copy() for array in model]
            changed[k][place] += h
            ends.append(np.mean((autoencoder._forward(changed, image, "none")[1] - image) ** 2))
        slope = (model[k][place] - moved[k][place]) / autoencoder.LEARNING_RATE
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-10)


def test_sign_error_raises_the_loss():
    """With the decoder's gradient turned, the loss grows without end."""
    assert train_autoencoder(STEPS, "sign").losses[-1] > 10 * train_autoencoder(STEPS).losses[0]


def test_shifted_target_has_a_good_loss_and_a_bad_picture():
    """The program's own loss goes to zero while the image does not come back."""
    run = train_autoencoder(STEPS, "shifted")
    assert run.losses[-1] < 0.01 * run.losses[0]
    assert run.fidelity[-1] < 0.2


def test_output_out_of_range_stalls():
    """A tanh cannot reach -2: the loss stops far from zero."""
    assert train_autoencoder(STEPS, "range").losses[-1] > 0.5


def test_detached_encoder_passes_the_test():
    """The decoder alone can learn one image: this test does not see that fault."""
    assert train_autoencoder(STEPS, "detached").fidelity[-1] > 0.99


def test_unknown_fault_is_named():
    """A fault that does not exist is repeated in the error; the others run."""
    with pytest.raises(ValueError, match="'typo'"):
        train_autoencoder(1, "typo")
    assert all(len(train_autoencoder(1, fault).losses) == 2 for fault in FAULTS)
