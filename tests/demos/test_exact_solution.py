"""Tests of the demo of an exact solution."""

import math

import numpy as np
import pytest

from demos import exact_solution as demo

FIRST = {name: control["value"] for name, control in demo.controls.items()}


def shown(**changes):
    """The frame of the first state with some values changed."""
    return demo.frame(**{**FIRST, **changes})


@pytest.mark.parametrize(
    ("changes", "tone", "word"),
    [
        ({}, "good", "Passed"),
        (demo.presets["Tolerance too tight"], "bad", "too tight"),
        (demo.presets["Rescaled"], "bad", "too tight"),
        (demo.presets["Rescaled, judged by size"], "good", "Passed"),
        (demo.presets["Nearly parallel"], "bad", "loses digits"),
        ({"gap": 1e-16}, "bad", "no single answer"),
    ],
)
def test_verdicts(changes, tone, word):
    """Each preset, and the singular pair, gets the judgment that it stands for."""
    frame = shown(**changes)
    assert frame["tone"] == tone
    assert word in frame["verdict"]


def test_residual_is_compared_with_the_tolerance():
    """Just above the residual the tolerance passes, just below it fails."""
    residual = shown(gap=1e-6)["numbers"]["residual"]
    assert shown(gap=1e-6, tolerance=1.01 * residual)["tone"] == "good"
    assert shown(gap=1e-6, tolerance=0.99 * residual)["tone"] == "bad"


def test_digits_go_as_the_condition_number_grows():
    """Each factor of 10⁴ in the condition number costs about four digits."""
    digits = [shown(gap=gap)["numbers"]["digits"] for gap in (1.0, 1e-4, 1e-8, 1e-12)]
    condition = [shown(gap=gap)["numbers"]["condition"] for gap in (1.0, 1e-4, 1e-8, 1e-12)]
    assert np.diff(np.log10(condition)) == pytest.approx([4.0, 4.0, 4.0], abs=0.2)
    assert np.diff(digits) == pytest.approx([-4.0, -4.0, -4.0], abs=1.5)


def test_zero_residual_is_drawn_on_the_axis():
    """No drawn value is zero or negative, and none is missing."""
    left = shown()["tables"]["gaps"]["left"]
    assert min(left) >= demo.FLOOR
    assert not any(map(math.isnan, left))
