"""Two copies of one model, told apart by one line.

Both fit y = 2x by gradient descent from the same start. One copy takes the learning rate itself
off a parameter in every step and never looks at the gradient. Watch the other parameter make up
for it.
"""

import numpy as np

from mlbug.linear_model import RULES, Moments, linear_data, train_linear

TRUE_WEIGHT = 2.0
POINTS = 120

title = "One broken update rule"

controls = {
    "learning_rate": {"label": "Learning rate", "range": (0.001, 1.0, 0.05), "log": True, "value": 0.01},
    "steps": {"label": "Steps", "range": (10, 600, 10), "value": 300},
    "input_mean": {"label": "Mean of the inputs", "range": (-3.0, 3.0, 0.1), "value": 1.0},
    "input_spread": {"label": "Spread of the inputs", "range": (0.0, 3.0, 0.1), "value": 0.5},
    "rule": {
        "label": "Rule of the second copy",
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
    "Nothing to lean on": {"input_mean": 0.0},
    "Hidden": {"input_mean": 3.0, "input_spread": 0.1},
}

bet = {
    "ask": "In the picture the inputs have mean 1. Center them on 0, leave the rest as it is: "
    "where does the weight of the broken copy end?",
    "number": "weight",
    "values": {"input_mean": 0.0},
    "range": (-10.0, 10.0, 0.1),
}

numbers = {
    "bias": {"label": "bias, broken copy", "format": ".3f"},
    "weight": {"label": "weight, broken copy", "format": ".3f"},
    "compensation": {"label": "weight moved off 2 by", "format": "+.3f"},
    "error": {"label": "error, broken copy", "format": ".3g"},
    "error_repaired": {"label": "error, repaired copy", "format": ".3g"},
}


def frame(learning_rate, steps, input_mean, input_spread, rule):
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
    shown = np.unique(np.linspace(0, steps, POINTS).round().astype(int))
    return {
        "tables": {"trace": columns(shown, repaired, broken)},
        "numbers": ends,
        "verdict": verdict(rule, ends),
        "tone": "good" if rule == RULES[0] else "bad",
    }


def columns(shown, repaired, broken):
    return {
        "step": np.tile(shown, 2),
        "copy": ["repaired"] * len(shown) + ["broken"] * len(shown),
        "bias": np.concatenate([repaired.bias[shown], broken.bias[shown]]),
        "weight": np.concatenate([repaired.weight[shown], broken.weight[shown]]),
        "error": np.concatenate([repaired.error[shown], broken.error[shown]]),
    }


def verdict(rule, ends):
    if not np.isfinite(ends["error_repaired"]) or ends["error_repaired"] > 1e6:
        return f"Even the repaired copy diverges, to an error of {ends['error_repaired']:.1e}: the learning rate is too high."
    if rule == "gradient":
        return f"With the rule repaired, the two copies are one: the weight ends at {ends['weight']:.2f}."
    ratio = ends["error"] / ends["error_repaired"]
    if rule == "constant-weight":
        return f"The weight has fallen to {ends['weight']:.2f} and the error is {ratio:.3g} times the repaired copy's."
    hidden = "the score barely tells" if ratio < 1.5 else f"the error is {ratio:.3g} times the repaired copy's"
    return (
        f"The bias has fallen to {ends['bias']:.2f}, the weight has moved by "
        f"{ends['compensation']:+.2f} to make up for it, and {hidden}."
    )


def chart(width):
    import altair as alt

    wide = width > 500
    color = alt.Color(
        "copy:N",
        scale=alt.Scale(domain=["repaired", "broken"], range=["var(--c-sound)", "var(--c-broken)"]),
        legend=alt.Legend(title=None, orient="top", direction="horizontal"),
    )
    dash = alt.StrokeDash("copy:N", scale=alt.Scale(domain=["repaired", "broken"], range=[[6, 4], [1, 0]]), legend=None)

    def panel(column, title, scale):
        return (
            alt.Chart(title=title, width=(width - 190) / 3 if wide else width - 62, height=190 if wide else 130)
            .mark_line()
            .encode(
                x=alt.X("step:Q", title="step", axis=alt.Axis(tickCount=4, grid=False)),
                y=alt.Y(f"{column}:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4, format="~g")),
                color=color,
                strokeDash=dash,
            )
        )

    truth = alt.Chart().mark_rule(strokeDash=[2, 3]).encode(y=alt.datum(TRUE_WEIGHT))
    panels = [
        panel("bias", "bias", alt.Scale()),
        alt.layer(panel("weight", "", alt.Scale(zero=False)), truth, title=f"weight (true: {TRUE_WEIGHT:g})"),
        panel("error", "error", alt.Scale(type="log")),
    ]
    return alt.concat(*panels, data=alt.NamedData("trace"), columns=3 if wide else 1, spacing=24)
