"""A fault in a layer's gradient, looked at along random directions.

The entries of the gradient, wrong ones in the warning color; the relative disagreement that each
random direction sees, with the tolerance dashed; the chance that so many directions all miss the
fault, by theory (dashed) and as counted.
"""

from functools import lru_cache

import numpy as np

from mlbug import projected_faults as faults

DRAWN = 2400
MOST = 8

title = "What a random direction sees"

controls = {
    "size": {"label": "Units and inputs", "range": (2, 14, 1), "value": 8},
    "fault": {
        "label": "The fault",
        "options": {
            "entry": "one entry has the wrong sign",
            "unit": "one unit gets no gradient",
            "input": "one input is counted twice",
            "stray": "a stray term at right angles",
            "sign": "every sign is wrong",
        },
        "value": "entry",
    },
    "directions": {"label": "Directions", "range": (1, MOST, 1), "value": 3},
    "tolerance": {"label": "Tolerance", "range": (0.001, 1.0, 0.25), "log": True, "value": 0.1},
}

presets = {
    "One entry of 64": {},
    "One direction only": {"directions": 1},
    "A tight tolerance": {"tolerance": 0.001},
    "One entry of 4": {"size": 2},
    "All signs wrong": {"fault": "sign", "directions": 1},
}

bet = {
    "ask": "One direction misses the wrong sign among 8 × 8 entries about one time in four. "
    "Make the layer 14 × 14: how often does one direction miss it now?",
    "number": "escape_one",
    "values": {"size": 14},
    "range": (0.0, 100.0, 1.0),
}

numbers = {
    "share": {"label": "error over gradient", "format": ".3f"},
    "escape_one": {"label": "one direction misses it", "format": ".1f", "unit": "%"},
    "escape_all": {"label": "all directions miss it", "format": ".2g", "unit": "%"},
    "escape_counted": {"label": "the same, counted", "format": ".2g", "unit": "%"},
    "needed": {"label": "directions for one in a million", "format": ".0f"},
}


def frame(size, fault, directions, tolerance):
    """Project a faulty gradient and count what escapes."""
    gradient = faults.layer_gradient(size)
    error = faults.plant_fault(gradient, fault)
    seen = faults.disagreement(gradient, error, drawn(size))
    chances = [faults.escape_probability(gradient, error, tolerance, k) for k in range(1, MOST + 1)]
    rate, trials = faults.escape_rate(seen, tolerance, directions)
    ends = {
        "share": float(np.linalg.norm(error) / np.linalg.norm(gradient)),
        "escape_one": 100.0 * chances[0],
        "escape_all": 100.0 * chances[directions - 1],
        "escape_counted": 100.0 * rate,
        "needed": faults.directions_to_catch(gradient, error, tolerance),
    }
    return {
        "tables": {
            "entries": entries(gradient, error),
            "seen": projections(seen[:MOST], directions, tolerance),
            "escape": escapes(seen, chances, directions, tolerance),
        },
        "numbers": ends,
        **judged(directions, trials, ends),
    }


@lru_cache(maxsize=2)
def drawn(size):
    """Draw the directions once for each size."""
    return faults.gaussian_directions(DRAWN, (size, size), seed=7)


def entries(gradient, error):
    """Lay the entries out by unit and input; sizes are relative to the largest."""
    rows, columns = np.indices(gradient.shape)
    top = np.abs(gradient).max()
    return {
        "unit": rows.ravel() + 1,
        "input": columns.ravel() + 1,
        "gradient": np.abs(gradient).ravel() / top,
        "error": np.minimum(np.abs(error).ravel() / top, 1.0),
    }


def projections(seen, directions, tolerance):
    """Say of the first directions whether they are used and what they see."""
    return {
        "direction": np.arange(1, MOST + 1),
        "disagreement": seen,
        "verdict": [
            "not used" if i >= directions else ("misses" if s <= tolerance else "catches")
            for i, s in enumerate(seen)
        ],
        "tolerance": [tolerance] * MOST,
    }


def escapes(seen, chances, directions, tolerance):
    """Put theory and counts beside each other; a count of zero has no place on a logarithmic axis."""
    counted = [faults.escape_rate(seen, tolerance, k)[0] for k in range(1, MOST + 1)]
    return {
        "directions": np.arange(1, MOST + 1),
        "theory": [chance or np.nan for chance in chances],
        "counted": [rate or np.nan for rate in counted],
        "chosen": [k == directions for k in range(1, MOST + 1)],
    }


def judged(directions, trials, ends):
    """Rest the verdict on the chance that all directions miss."""
    missed, count = ends["escape_all"], ends["escape_counted"]
    if missed == 0.0:
        return {
            "verdict": "Along every direction the slopes differ by a factor: no chance to escape, 0 %.",
            "tone": "good",
        }
    who = "One direction misses" if directions == 1 else f"{directions} directions all miss"
    said = f"{who} this fault with a chance of {missed:.2g} %; counted in {trials:,} trials: {count:.2g} %."
    return {"verdict": said, "tone": "good" if missed < 0.1 else ("bad" if missed > 5.0 else "plain")}


def chart(width):
    """Draw entries, projections and chances beside or below each other."""
    import altair as alt

    wide = width > 500
    panel = {"width": (width - 172) / 3 if wide else width - 68, "height": 190 if wide else 150}
    grid = entries_chart(alt).properties(
        width=panel["width"] if wide else panel["height"],
        height=panel["height"],
        title="entries, unit by input",
    )
    looks = seen_chart(alt).properties(title="disagreement", **panel)
    chances = escape_chart(alt).properties(title="chance to escape", **panel)
    return alt.concat(grid, looks, chances, columns=3 if wide else 1, spacing=24)


def entries_chart(alt):
    """Draw the entries of the gradient, the wrong ones over them."""
    cells = alt.Chart(alt.NamedData("entries")).encode(
        x=alt.X("input:O", axis=None), y=alt.Y("unit:O", axis=None)
    )

    def shaded(color, column, low, high):
        scale = alt.Scale(domain=[0, 1], range=[low, high])
        shade = alt.Opacity(f"{column}:Q", scale=scale, legend=None)
        return cells.mark_rect(color=f"var(--c-{color})", stroke="var(--c-paper)").encode(opacity=shade)

    wrong = shaded("broken", "error", 0.4, 1).transform_filter("datum.error > 0")
    return alt.layer(shaded("sound", "gradient", 0.08, 0.6), wrong).resolve_scale(opacity="independent")


def seen_chart(alt):
    """Draw what each direction sees against the tolerance."""
    seen = alt.Chart(alt.NamedData("seen"))
    names = ["catches", "misses", "not used"]
    colors = ["var(--c-good)", "var(--c-broken)", "var(--c-theory)"]
    shapes = ["circle", "triangle-down", "cross"]
    axis = alt.Axis(values=[1e-3, 1e-2, 0.1, 1, 10], format="~g")
    looks = seen.mark_point(size=110, filled=True, opacity=1).encode(
        x=alt.X("direction:O", title="direction", axis=alt.Axis(labelAngle=0)),
        y=alt.Y(
            "disagreement:Q",
            title=None,
            scale=alt.Scale(type="log", domain=[1e-3, 10], clamp=True),
            axis=axis,
        ),
        color=alt.Color(
            "verdict:N",
            scale=alt.Scale(domain=names, range=colors),
            legend=alt.Legend(title=None, orient="top", direction="horizontal"),
        ),
        shape=alt.Shape("verdict:N", scale=alt.Scale(domain=names, range=shapes)),
    )
    return alt.layer(seen.mark_rule(strokeDash=[5, 3]).encode(y="tolerance:Q"), looks)


def escape_chart(alt):
    """Draw the chance to escape by theory, and as counted."""
    escape = alt.Chart(alt.NamedData("escape")).encode(
        x=alt.X("directions:O", title="number of directions", axis=alt.Axis(labelAngle=0))
    )
    axis = alt.Axis(values=[1e-6, 1e-4, 1e-2, 1], format=".0e")
    theory = escape.mark_line(color="var(--c-theory)", strokeDash=[5, 3]).encode(
        y=alt.Y("theory:Q", title=None, scale=alt.Scale(type="log", domain=[1e-6, 1], clamp=True), axis=axis)
    )
    counted = escape.mark_point(filled=True, color="var(--c-accent)", opacity=1).encode(
        y=alt.Y("counted:Q", title=None), size=alt.condition("datum.chosen", alt.value(170), alt.value(45))
    )
    return alt.layer(theory, counted)
