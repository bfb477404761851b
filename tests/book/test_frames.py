"""Frames are checked before anybody sees them, and numbers are written as people write them."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from book._ext import frames


def demo(**changes):
    frame = {"tables": {"t": {"x": np.arange(3)}}, "numbers": {"a": 1.0}, "verdict": "a is 1", "tone": "good"}
    return SimpleNamespace(
        __name__="demos.trial", numbers={"a": {"label": "a"}}, frame=lambda **values: {**frame, **changes}
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tone": "cheerful"}, "tone 'cheerful'"),
        ({"numbers": {"b": 1.0}}, "not those that `numbers` declares"),
        ({"tables": {"t": {"x": [1], "y": [1, 2]}}}, "columns of 't' differ in length: x 1, y 2"),
    ],
)
def test_what_is_not_a_frame_is_refused(changes, says):
    """The error names the demo and what does not fit."""
    with pytest.raises(frames.FrameError, match=f"demos.trial.frame: .*{says}"):
        frames.run(demo(**changes), {})


def test_values_that_are_not_finite_cross_as_none():
    """JSON has no infinity and no NaN; the text says what it was."""
    trial = demo(numbers={"a": np.inf}, tables={"t": {"x": [1.0, np.nan]}})
    frame = json.loads(frames.run_json(trial, "{}"))
    assert frame["numbers"] == {"a": None}
    assert frame["texts"] == {"a": "infinite"}
    assert frame["tables"] == {"t": {"x": [1.0, None]}}


@pytest.mark.parametrize(
    ("value", "entry", "written"),
    [
        (-3.0, {"format": ".2f"}, "\N{MINUS SIGN}3.00"),
        (1.5e-9, {"format": ".2g"}, "1.5 × 10⁻⁹"),
        (1e-20, {"format": ".2g"}, "10⁻²⁰"),
        (0.5, {"format": ".0%"}, "50%"),
        (2.0, {"format": ".1f", "unit": "s"}, "2.0 s"),
        (float("nan"), {}, "not a number"),
    ],
)
def test_numbers_are_typeset(value, entry, written):
    """A real minus sign, powers of ten, the unit."""
    assert frames.text(value, entry) == written


def test_numbers_in_a_verdict_are_typeset_too():
    """A sentence that a demo formats plainly reads like the numbers beside it."""
    frame = frames.run(demo(verdict="off by 3.1e-08, then -2; a well-known case"), {})
    assert frame["verdict"] == "off by 3.1 × 10⁻⁸, then \N{MINUS SIGN}2; a well-known case"
