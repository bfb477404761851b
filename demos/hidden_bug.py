"""Where the broken rule of the demo above shows, and where it hides.

Each cell trains both copies on inputs of one mean and one spread. The darker the cell, the more often the
broken copy's error holds that of the repaired one; in cells with a ring nobody would suspect a bug. Choose
a cell to train it above.
"""

import numpy as np

from mlbug.hidden_bug import error_map, hiding_spread

MEANS = np.linspace(-3.0, 3.0, 13)
SPREADS = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0])
EDGES = np.array([0.007, 0.014, 0.032, 0.07, 0.14, 0.32, 0.7, 1.4, 2.8])
LIMITS = (2.0, 10.0, 100.0, 1000.0)
NAMES = ("under 2: hidden", "2 to 10", "10 to 100", "100 to 1,000", "over 1,000")
SHADES = (0, 20, 42, 66, 95)  # percent
TRUE = {"constant-bias": 0.0, "constant-weight": 2.0}

title = "Where the bug hides"

controls = {
    "input_mean": {"label": "Mean of the inputs", "range": (-3.0, 3.0, 0.1), "value": 3.0},
    "input_spread": {"label": "Spread of the inputs", "range": (0.01, 2.0, 0.05), "log": True, "value": 0.05},
    "learning_rate": {"label": "Learning rate", "range": (0.001, 0.05, 0.05), "log": True, "value": 0.01},
    "steps": {"label": "Steps", "range": (10, 600, 10), "value": 400},
    "rule": {
        "label": "Rule of the broken copy",
        "options": {
            "constant-bias": "bias ignores its gradient",
            "constant-weight": "weight ignores its gradient",
        },
        "value": "constant-bias",
    },
}

presets = {
    "It hides": {},
    "It shows": {"input_mean": 0.0, "input_spread": 1.0},
    "Early in training": {"steps": 100},
    "The weight broken": {"rule": "constant-weight"},
}

bet = {
    "ask": f"In the picture the bias is broken. Break the weight instead: in how many of the "
    f"{MEANS.size * SPREADS.size} cells does the bug hide then?",
    "number": "hidden",
    "values": {"rule": "constant-weight"},
    "range": (0, MEANS.size * SPREADS.size, 1),
}

numbers = {
    "error": {"label": "error, broken", "format": ".3g"},
    "error_repaired": {"label": "error, repaired", "format": ".3g"},
    "ratio": {"label": "their ratio", "format": ".3g"},
    "hidden": {"label": "cells that hide it", "format": ".0f"},
}

sends = {
    "to": "bias_update",
    "fields": ["input_mean", "input_spread"],
    "label": "Train this cell in the demo above",
}


def frame(input_mean, input_spread, learning_rate, steps, rule):
    """Train every cell, and the inputs that the controls name."""
    settings = {"learning_rate": learning_rate, "steps": steps}
    means = np.append(np.tile(MEANS, SPREADS.size), input_mean)
    spreads = np.append(np.repeat(SPREADS, MEANS.size), input_spread)
    errors = error_map(means, spreads, rule=rule, **settings)
    sound = error_map(means, spreads, **settings)
    ratios = errors / sound
    hidden = int(np.sum(ratios[:-1] < LIMITS[0]))
    ends = {"error": errors[-1], "error_repaired": sound[-1], "ratio": ratios[-1], "hidden": hidden}
    return {
        "tables": {
            "cells": _cells(means[:-1], spreads[:-1], errors[:-1], ratios[:-1]),
            "here": {"input_mean": [input_mean], "input_spread": [input_spread]},
            "theory": _theory(rule, -learning_rate * steps - TRUE[rule]),
        },
        "numbers": ends,
        **_judged(ends, input_mean, input_spread),
    }


def _cells(means, spreads, errors, ratios):
    half = (MEANS[1] - MEANS[0]) / 2
    row = np.repeat(np.arange(SPREADS.size), MEANS.size)
    place = np.searchsorted(LIMITS, ratios, side="right")
    return {
        "input_mean": means,
        "input_spread": spreads,
        "error": errors,
        "ratio": ratios,
        "times": [NAMES[i] for i in place],
        "left": means - half,
        "right": means + half,
        "bottom": EDGES[row],
        "top": EDGES[row + 1],
    }


def _theory(rule, wrong_by):
    part = rule.removeprefix("constant-")
    means = np.linspace(-3.25, 3.25, 53)
    spread = hiding_spread(means, wrong_by, part=part, factor=LIMITS[0])
    inside = (spread >= EDGES[0]) & (spread <= EDGES[-1])
    return {"input_mean": means, "input_spread": np.where(inside, spread, np.nan)}


def _judged(ends, mean, spread):
    where = f"At mean {mean:.3g} and spread {spread:.3g}".replace("-", "\N{MINUS SIGN}")
    ratio = f"{ends['ratio']:,.0f}" if ends["ratio"] >= 10.0 else f"{ends['ratio']:.2f}"
    said = f"{where} the broken copy's error is {ratio} times the repaired one's"
    count = f"the bug hides in {ends['hidden']} of {MEANS.size * SPREADS.size} cells"
    if ends["ratio"] < LIMITS[0]:
        return {"verdict": f"{said}: nobody suspects a bug. In all, {count}.", "tone": "plain"}
    return {"verdict": f"{said}: it shows. In all, {count}.", "tone": "bad"}


def chart(width):
    """Draw the cells, a ring where the bug hides, the border that theory gives, and the cell at hand."""
    import altair as alt

    wide = width > 500
    x = alt.X(
        "left:Q",
        title="mean of the inputs",
        scale=alt.Scale(domain=[-3.25, 3.25], nice=False),
        axis=alt.Axis(grid=False, tickCount=7, format="~g"),
    )
    y = alt.Y(
        "bottom:Q",
        title="spread of the inputs",
        scale=alt.Scale(type="log", domain=[EDGES[0], EDGES[-1]], nice=False),
        axis=alt.Axis(values=SPREADS.tolist(), labelExpr="format(datum.value, '~r')", grid=False),
    )
    legend = alt.Legend(
        title="times the repaired copy's error", orient="top", direction="horizontal", symbolType="square",
        symbolSize=220, columns=5 if wide else 2, titleFontWeight="normal", titleFontSize=13,
        titleLimit=300, columnPadding=22,
    )  # fmt: skip
    shades = [f"color-mix(in srgb, var(--c-broken) {percent}%, var(--c-paper))" for percent in SHADES]
    fill = alt.Fill("times:N", scale=alt.Scale(domain=list(NAMES), range=shades), legend=legend)
    cells = alt.Chart(alt.NamedData("cells"))
    here = alt.Chart(alt.NamedData("here")).encode(x="input_mean:Q", y="input_spread:Q")
    return alt.layer(
        cells.mark_rect(stroke="var(--c-rule)", cursor="pointer").encode(
            x=x, x2="right:Q", y=y, y2="top:Q", fill=fill
        ),
        cells.mark_point(stroke="var(--c-sound)", size=90, strokeWidth=2, cursor="pointer")
        .encode(x="input_mean:Q", y="input_spread:Q")
        .transform_filter(f"datum.times === '{NAMES[0]}'"),
        alt.Chart(alt.NamedData("theory"))
        .mark_line(stroke="var(--c-theory)", strokeDash=[5, 4], strokeWidth=2)
        .encode(x="input_mean:Q", y="input_spread:Q"),
        here.mark_point(
            shape="cross", fill="var(--c-ink)", stroke="var(--c-paper)", size=260, strokeWidth=1.5, opacity=1
        ),
    ).properties(width=width - (60 if wide else 62), height=300 if wide else 260)
