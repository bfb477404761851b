"""Runs a demo's function: the same lines at build time and, in the reader's browser, in Pyodide.

numpy and the standard library alone, since this file travels to the browser as it stands.
"""

import json
import math
import re

import numpy as np

TONES = ("good", "bad", "plain")
PLAIN_NUMBER = re.compile(r"(?<!\w)-?\d[\d.]*e[+-]\d+|(?<!\w)-(?=\d)")


class FrameError(ValueError):
    """A demo's function returned something that is not a frame; the message says what to mend."""


def run(demo, values):
    """Compute one frame.

    Parameters
    ----------
    demo : module
        A module of `demos`: its `frame` is called, its `numbers` say how each number is written.
    values : dict
        The controls' values by name.

    Returns
    -------
    dict
        `values`, `tables` (columns by table, lists of numbers, text or None), `numbers` (floats or
        None where not finite), `texts` (the numbers as shown), `verdict` and `tone`.
    """
    frame = demo.frame(**values)
    missing = {"tables", "numbers", "verdict", "tone"} - set(frame)
    if missing:
        raise FrameError(f"{demo.__name__}.frame returned no {', '.join(sorted(missing))}")
    if frame["tone"] not in TONES:
        raise FrameError(f"{demo.__name__}.frame: tone {frame['tone']!r} is none of {', '.join(TONES)}")
    if set(frame["numbers"]) != set(demo.numbers):
        raise FrameError(f"{demo.__name__}.frame: the numbers are not those that `numbers` declares")
    return {
        "values": dict(values),
        "tables": {name: _columns(demo, name, table) for name, table in frame["tables"].items()},
        "numbers": {name: _plain(value) for name, value in frame["numbers"].items()},
        "texts": {name: text(frame["numbers"][name], entry) for name, entry in demo.numbers.items()},
        "verdict": PLAIN_NUMBER.sub(lambda number: _typeset(number[0]), frame["verdict"]),
        "tone": frame["tone"],
    }


def run_json(demo, values_json):
    """Compute one frame from and to JSON text, as it crosses between the page and the worker."""
    return json.dumps(run(demo, json.loads(values_json)), allow_nan=False)


def text(value, entry):
    """Write a number as the page shows it: by the entry's `format`, with its unit."""
    if isinstance(value, str):
        return value
    value = float(value)
    if math.isnan(value):
        written = "not a number"
    elif math.isinf(value):
        written = "infinite" if value > 0 else "minus infinite"
    else:
        written = _typeset(format(value, entry.get("format", ".3g")))
    unit = entry.get("unit", "")
    return f"{written} {unit}".strip()


def _typeset(written):
    """Use a real minus sign, and powers of ten as people write them."""
    mantissa, mark, exponent = written.partition("e")
    if mark:
        written = f"{mantissa} × 10^{int(exponent)}" if float(mantissa) != 1 else f"10^{int(exponent)}"
    superscript = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    head, caret, power = written.partition("^")
    return head.replace("-", "\N{MINUS SIGN}") + (power.translate(superscript) if caret else "")


def _columns(demo, name, table):
    columns = {key: [_plain(value) for value in np.asarray(column).tolist()] for key, column in table.items()}
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"{key} {len(column)}" for key, column in columns.items())
        raise FrameError(f"{demo.__name__}.frame: columns of {name!r} differ in length: {lengths}")
    return columns


def _plain(value):
    if isinstance(value, (str, bool)) or value is None:
        return value
    value = float(value)
    return value if math.isfinite(value) else None
