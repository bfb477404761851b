"""Two copies of one model, told apart by one line.

Both fit y = 2x by gradient descent from the same start. The broken copy takes the learning rate itself
off one parameter in every step and never looks at the gradient. Follow the other parameter: does it stop at
the true value?
"""

import numpy as np

from mlbug.linear_model import RULES, Moments, linear_data, train_linear

TRUE_WEIGHT = 2.0
POINTS = 60
LARGEST_SHOWN = 1e6
WORSE = 2.0  # times the repaired copy's error: below it, nobody would look for a bug

title = "One broken update rule"

controls = {
    "input_mean": {"label": "Mean of the inputs", "range": (-3.0, 3.0, 0.1), "value": 1.0},
    "input_spread": {"label": "Spread of the inputs", "range": (0.0, 3.0, 0.05), "value": 1.0},
    "learning_rate": {"label": "Learning rate", "range": (0.001, 1.0, 0.05), "log": True, "value": 0.01},
    "steps": {"label": "Steps", "range": (10, 600, 10), "value": 400},
    "rule": {
        "label": "Rule of the broken copy",
        "options": {
            "constant-bias": "bias ignores its gradient",
            "constant-weight": "weight ignores its gradient",
            "gradient": "repaired: none is broken",
        },
        "value": "constant-bias",
    },
}

presets = {
    "The bug": {},
    "The fix": {"rule": "gradient"},
    "Hidden": {"input_mean": 3.0, "input_spread": 0.05},
    "Nowhere to hide": {"input_mean": 0.0},
}

bet = {
    "ask": "In the picture the inputs have mean 1. Center them on 0 and leave the rest as it is. "
    "Where does the weight of the broken copy end now?",
    "number": "weight",
    "values": {"input_mean": 0.0},
    "range": (-10, 10, 0.1),
}

numbers = {
    "bias": {"label": "bias", "format": ".4g"},
    "weight": {"label": "weight", "format": ".4g"},
    "compensation": {"label": "weight off 2 by", "format": "+.3g"},
    "error": {"label": "error", "format": ".3g"},
    "error_repaired": {"label": "error, repaired", "format": ".3g"},
}


def frame(input_mean, input_spread, learning_rate, steps, rule):
    """Train both copies and compare their ends."""
    moments = Moments.of(*linear_data(input_mean=input_mean, input_spread=input_spread))
    broken = train_linear(moments, None, learning_rate=learning_rate, steps=steps, rule=rule)
    repaired = train_linear(moments, None, learning_rate=learning_rate, steps=steps)
    ends = {
        "bias": broken.bias[-1],
        "weight": broken.weight[-1],
        "compensation": broken.weight[-1] - TRUE_WEIGHT,
        "error": broken.error[-1],
        "error_repaired": repaired.error[-1],
    }
    said, tone = _verdict(rule, ends)
    return {"tables": {"trace": _traces(repaired, broken)}, "numbers": ends, "verdict": said, "tone": tone}


def _traces(repaired, broken):
    last = len(broken.error) - 1
    shown = np.unique(np.linspace(0, last, POINTS).round().astype(int))
    columns = {"step": np.tile(shown, 2), "copy": ["repaired"] * len(shown) + ["broken"] * len(shown)}
    for name in ("bias", "weight", "error"):
        both = np.concatenate([getattr(copy, name)[shown] for copy in (repaired, broken)])
        # a line that leaves the picture ends
        columns[name] = np.where(np.abs(both) < LARGEST_SHOWN, both, np.nan)
    return columns


def _verdict(rule, ends):
    bias, weight, error = ends["bias"], ends["weight"], ends["error"]
    if not ends["error_repaired"] < LARGEST_SHOWN:
        return "Even the repaired copy diverges: for these inputs the learning rate is too high.", "bad"
    ratio = error / ends["error_repaired"]
    times = f"{ratio:,.0f}" if ratio >= 10.0 else f"{ratio:.2f}"
    if rule == RULES[0]:
        return f"Repaired, the two copies are one: error {error:.3g}, weight {weight:.2f}.", "good"
    if not error < LARGEST_SHOWN:
        return "The broken copy alone diverges: its error has left the picture.", "bad"
    if rule == "constant-weight":
        return (
            f"The weight has fallen to {weight:.2f}, the bias has moved to {bias:.2f}, "
            f"and the error is {times} times the repaired copy's.",
            "bad",
        )
    fallen = f"The bias has fallen to {bias:.2f}"
    if abs(ends["compensation"]) < 0.05 * abs(bias):
        return f"{fallen} and the weight cannot help: {times} times the repaired copy's error.", "bad"
    moved = f"{fallen} and the weight has gone to {weight:.2f} to make up for it"
    if ratio < WORSE:
        return f"{moved}: at {times} times the repaired copy's error, nobody suspects a bug.", "plain"
    return f"{moved}, but it cannot keep up: the error is {times} times the repaired copy's.", "bad"


def chart(width):
    """Bias, weight and error of both copies, step by step."""
    import altair as alt

    wide = width > 500
    copies = ["repaired", "broken"]
    color = alt.Color(
        "copy:N",
        scale=alt.Scale(domain=copies, range=["var(--c-sound)", "var(--c-broken)"]),
        legend=alt.Legend(title=None, orient="top", direction="horizontal", symbolSize=500),
    )
    dash = alt.StrokeDash("copy:N", scale=alt.Scale(domain=copies, range=[[6, 4], [1, 0]]))
    heading = {"titleAngle": 0, "titleAlign": "left", "titleX": 0, "titleY": -18, "titleFontWeight": 600}

    def panel(column, heading_text, scale, **axis):
        axis = alt.Axis(title=heading_text, tickCount=4, **heading, **axis)
        return (
            alt.Chart(width=(width - 190) / 3 if wide else width - 62, height=190 if wide else 130)
            .mark_line()
            .encode(
                x=alt.X("step:Q", title="step", axis=alt.Axis(tickCount=4, grid=False)),
                y=alt.Y(f"{column}:Q", scale=scale, axis=axis),
                color=color,
                strokeDash=dash,
            )
        )

    truth = (
        alt.Chart(alt.InlineData([{}]))
        .mark_rule(strokeDash=[2, 3])
        .encode(y=alt.datum(TRUE_WEIGHT, title=None))
    )
    decades = {"values": [10.0**k for k in range(-4, 7)], "labelExpr": "format(datum.value, '~r')"}
    panels = [
        panel("bias", "bias (true: 0)", alt.Scale(), format="~g"),
        alt.layer(
            panel("weight", f"weight (true: {TRUE_WEIGHT:g})", alt.Scale(zero=False), format="~g"), truth
        ),
        panel("error", "error", alt.Scale(type="log"), **decades),
    ]
    return alt.concat(*panels, data=alt.NamedData("trace"), columns=3 if wide else 1, spacing=24)
