"""A demo's controls: what a demo file declares, checked, with defaults filled in.

The form of a declaration says what the control is, as with ipywidgets' `interact`: a `range`
makes a slider, `options` a choice, a bool value a check box.
"""

import math
from dataclasses import dataclass

TICKS = 9


class DemoError(ValueError):
    """A demo file does not hold what a demo needs; the message names file, entry and remedy."""


@dataclass(frozen=True)
class Control:
    """One control, ready for the page.

    `kind` is "range", "choice" or "check". `low`, `high` and `step` are a range's; where `log`
    holds, the slider moves by equal factors and `step` is one of them, in decades.
    """

    name: str
    label: str
    kind: str
    value: object
    unit: str = ""
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    log: bool = False
    options: tuple[tuple[str, str], ...] = ()

    @property
    def slider(self):
        """Position, low, high and step of the slider: decades where the control is logarithmic."""
        if not self.log:
            return self.value, self.low, self.high, self.step
        return tuple(math.log10(x) for x in (self.value, self.low, self.high)) + (self.step,)

    def ticks(self):
        """Values at which the build computes frames ahead: all of a choice, some of a range."""
        if self.kind == "choice":
            return [key for key, _ in self.options]
        if self.kind == "check":
            return [False, True]
        _, low, high, step = self.slider
        stops = round((high - low) / step)
        chosen = sorted({round(i * stops / (TICKS - 1)) for i in range(TICKS)})
        positions = [low + step * stop for stop in chosen]
        return [self._at(position) for position in positions]

    def _at(self, position):
        value = 10.0**position if self.log else position
        if isinstance(self.value, int):
            return round(value)
        return float(f"{value:.6g}")


def controls_of(demo):
    """Return the controls that a demo module declares, in order."""
    return [_control(demo.__name__, name, entry) for name, entry in demo.controls.items()]


def first_values(demo):
    """Return the values of a demo's first state."""
    return {control.name: control.value for control in controls_of(demo)}


def _control(where, name, entry):
    try:
        label, value = entry["label"], entry["value"]
    except KeyError as missing:
        raise DemoError(f"{where}: control {name!r} has no {missing}; give it a label and a value") from None
    common = {"name": name, "label": label, "value": value, "unit": entry.get("unit", "")}
    if isinstance(value, bool):
        return Control(kind="check", **common)
    if "options" in entry:
        if value not in entry["options"]:
            raise DemoError(f"{where}: control {name!r} starts at {value!r}, which is none of its options")
        return Control(kind="choice", options=tuple(entry["options"].items()), **common)
    if "range" not in entry:
        raise DemoError(f"{where}: control {name!r} needs a range, options, or a bool value")
    low, high, step = entry["range"]
    if not low <= value <= high:
        raise DemoError(f"{where}: control {name!r} starts at {value}, outside {low} to {high}")
    return Control(kind="range", low=low, high=high, step=step, log=entry.get("log", False), **common)
