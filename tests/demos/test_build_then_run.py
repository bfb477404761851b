"""Tests of the demo of a graph that is built first and run last."""

import pytest

from demos import build_then_run as demo

FIRST = {name: control["value"] for name, control in demo.controls.items()}


@pytest.mark.parametrize(
    ("changes", "made", "shows"),
    [
        ({}, 3, 9),
        ({"eager": True}, 3, 5),
        ({"slip": "log"}, 6, 9),
        ({"slip": "log", "watch": True}, 6, 7),
        ({"slip": "sum"}, 8, 0),
        ({"slip": "none"}, 0, 0),
    ],
)
def test_where_it_is_made_and_where_it_shows(changes, made, shows):
    """Each slip shows in the line that the way of running it allows."""
    found = demo.frame(**{**FIRST, **changes})["numbers"]
    assert (found["made"], found["shows"]) == (made, shows)
    assert found["distance"] == (shows - made if shows else 0)


def test_the_shown_program_holds_the_slip():
    """The wrong line is marked and is not the sound one."""
    lines = demo.frame(**FIRST)["tables"]["lines"]
    assert lines["kind"].index("wrong") == 2
    assert lines["code"][2] == "V = value(weights(1, 4))"


def test_verdict_names_lines_and_changes():
    """The sentence names the line of the slip, and is another one without it."""
    assert "line 3" in demo.frame(**FIRST)["verdict"]
    sound = demo.frame(**{**FIRST, "slip": "none"})
    assert sound["tone"] == "good"
    assert "No slip" in sound["verdict"]
    assert "16 times" in demo.frame(**{**FIRST, "slip": "sum"})["verdict"]
