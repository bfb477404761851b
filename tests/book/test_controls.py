"""A demo's declarations become controls, or an error that says what to mend."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from book._ext.controls import DemoError, controls_of, first_values


def demo(**controls):
    return SimpleNamespace(__name__="demos.trial", controls=controls)


def test_the_form_of_a_declaration_says_what_the_control_is():
    """A range makes a slider, options a choice, a bool a check box."""
    trial = demo(
        a={"label": "A", "range": (0.0, 1.0, 0.1), "value": 0.5},
        b={"label": "B", "options": {"x": "an x", "y": "a y"}, "value": "y"},
        c={"label": "C", "value": True},
    )
    assert [control.kind for control in controls_of(trial)] == ["range", "choice", "check"]
    assert first_values(trial) == {"a": 0.5, "b": "y", "c": True}


def test_a_logarithmic_slider_moves_in_decades():
    """Position and ends are powers of ten, ticks go from end to end by equal factors."""
    (control,) = controls_of(demo(h={"label": "h", "range": (1e-8, 1.0, 0.5), "log": True, "value": 1e-4}))
    assert control.slider == (-4.0, -8.0, 0.0, 0.5)
    ticks = control.ticks()
    assert ticks[0] == 1e-8
    assert ticks[-1] == 1.0
    assert len({round(b / a, 6) for a, b in pairwise(ticks)}) == 1


def test_whole_numbers_stay_whole():
    """A slider that starts at an int ticks at ints."""
    (control,) = controls_of(demo(n={"label": "n", "range": (1, 40, 1), "value": 3}))
    assert all(isinstance(tick, int) for tick in control.ticks())


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"label": "A"}, "has no 'value'"),
        ({"label": "A", "value": 1.0}, "needs a range, options, or a bool"),
        ({"label": "A", "value": 2.0, "range": (0.0, 1.0, 0.1)}, "outside 0.0 to 1.0"),
        ({"label": "A", "value": "z", "options": {"x": "an x"}}, "none of its options"),
    ],
)
def test_a_declaration_that_does_not_hold_is_named(entry, says):
    """The error names demo, control and fault."""
    with pytest.raises(DemoError, match=f"demos.trial: control 'a' .*{says}"):
        controls_of(demo(a=entry))
