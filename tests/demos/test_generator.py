"""Tests of the demo of the generative model."""

import math

import pytest

from demos import generator as demo


@pytest.mark.parametrize(
    ("images", "fault", "tone", "said"),
    [
        ("one", "none", "good", "agree with a training image"),
        ("kind", "none", "good", "agree with a training image"),
        ("one", "sign", "bad", "climbs"),
        ("one", "order", "bad", "look at the sampler"),
        ("kind", "sees-itself", "bad", "peeks"),
    ],
)
def test_each_program_gets_its_verdict(images, fault, tone, said):
    """Loss, floor and samples tell the faults apart."""
    state = demo.frame(100, images, fault)
    assert state["tone"] == tone
    assert said in state["verdict"]


def test_start_loss_and_floor():
    """64 coins at the start, log of the number of images at the end."""
    n = demo.frame(0, "kind", "none")["numbers"]
    assert n["start"] == n["loss"] == pytest.approx(64 * math.log(2))
    assert n["floor"] == pytest.approx(math.log(6))


def test_picture_shows_training_images_above_six_samples():
    """Sheets and ink of both rows are in the tables."""
    tables = demo.frame(100, "kind", "none")["tables"]
    assert len(tables["sheets"]["place"]) == 12
    assert set(tables["ink"]["what"]) == {"trained on", "sample"}
