"""Tests of the demo that gives back one image."""

import pytest

from demos import autoencoder as demo

FIRST = {name: entry["value"] for name, entry in demo.controls.items()}


@pytest.mark.parametrize(
    ("fault", "tone", "said"),
    [
        ("none", "good", "passed"),
        ("sign", "bad", "climbs"),
        ("shifted", "bad", "picture is wrong"),
        ("range", "bad", "stalls"),
        ("detached", "good", "passed"),
    ],
)
def test_each_program_gets_its_verdict(fault, tone, said):
    """Every fault but the detached encoder is seen, each by its own number."""
    state = demo.frame(demo.MOST, fault)
    assert state["tone"] == tone
    assert said in state["verdict"]


def test_pixels_hold_image_and_reconstruction():
    """Two images of 64 pixels lie side by side, in shades from 0 to 1."""
    pixels = demo.frame(**FIRST)["tables"]["pixels"]
    assert len(pixels["ink"]) == 128
    assert min(pixels["ink"]) == 0.0
    assert max(pixels["ink"]) == 1.0


def test_early_steps_are_no_fault():
    """Before and during training the verdict waits."""
    assert demo.frame(0, "none")["tone"] == demo.frame(40, "none")["tone"] == "plain"
