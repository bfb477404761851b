"""How far one step moves a parameter, by hand and in a real run.

The diamond is one step computed from the three sliders: learning rate times gradient, over the
parameter. The lines are a real network of four layers, trained for thirty steps with the same
learning rate. Bring the lines to the 1 % mark and look at the loss.
"""

from functools import cache

import numpy as np

from mlbug.deep_network import DeepNetwork, deep_data
from mlbug.update_ratio import MARKS, nearest_mark, update_ratio, watch_updates

STEPS = 30
NETWORK = DeepNetwork((8, 16, 16, 16, 1))
NEAR = (0.002, 0.05)  # ratios that count as near 1 %: a factor of five
SCALES = {"small": 0.3, "scaled": 1.0, "large": 3.0}

title = "Update size against parameter size"

controls = {
    "learning_rate": {"label": "Learning rate", "range": (1e-6, 0.3, 0.1), "log": True, "value": 0.1},
    "gradient": {"label": "Gradient, by hand", "range": (0.001, 10.0, 0.1), "log": True, "value": 0.1},
    "parameter": {"label": "Parameter, by hand", "range": (0.001, 10.0, 0.1), "log": True, "value": 1.0},
    "weights": {
        "label": "First weights of the run",
        "options": {
            "small": "0.3 of the usual size",
            "scaled": "the usual size",
            "large": "3 times the usual size",
        },
        "value": "scaled",
    },
}

presets = {
    "About right": {},
    "Far too small": {"learning_rate": 1e-4},
    "By hand: half of it": {"learning_rate": 0.3, "gradient": 1.6},
    "Large weights": {"weights": "large"},
}

bet = {
    "ask": "Thirty steps at a rate of 0.1 bring the loss of the run from 1.19 to 0.35. "
    "Take a hundredth of that rate: where does the loss stand after thirty steps?",
    "number": "last_loss",
    "values": {"learning_rate": 0.001},
    "range": (0.0, 1.5, 0.01),
}

numbers = {
    "ratio": {"label": "by hand", "format": ".3g", "unit": "%"},
    "hidden": {"label": "layers 1 to 3, median", "format": ".3g", "unit": "%"},
    "output": {"label": "layer 4, median", "format": ".3g", "unit": "%"},
    "first_loss": {"label": "loss before", "format": ".3f"},
    "last_loss": {"label": f"loss after {STEPS} steps", "format": ".3f"},
}


@cache
def data():
    return deep_data(128)


def frame(learning_rate, gradient, parameter, weights):
    by_hand = update_ratio(learning_rate, gradient, parameter)
    run = watch_updates(
        NETWORK, NETWORK.start(SCALES[weights]), data(), learning_rate=learning_rate, steps=STEPS
    )
    found = {
        "ratio": 100.0 * by_hand,
        "hidden": 100.0 * np.median(run.ratios[:, :-1]),
        "output": 100.0 * np.median(run.ratios[:, -1]),
        "first_loss": run.first_loss,
        "last_loss": run.last_loss,
    }
    steps, layers = run.ratios.shape
    return {
        "tables": {
            "by_hand": {"what": ["one step"], "ratio": [by_hand]},
            "run": {
                "step": np.tile(np.arange(1, steps + 1), layers),
                "layer": np.repeat([f"layer {i}" for i in range(1, layers + 1)], steps),
                "ratio": run.ratios.T.ravel(),
            },
            "marks": {
                "ratio": list(MARKS.values()),
                "mark": [f"{100 * ratio:g} %" for ratio in MARKS.values()],
            },
        },
        "numbers": found,
        "verdict": verdict(found),
        "tone": "good" if NEAR[0] <= found["hidden"] / 100.0 <= NEAR[1] else "bad",
    }


def verdict(found):
    ratio = found["hidden"] / 100.0
    said = {
        "far too small": "the weights hardly move",
        "about right": "near the 1 % that the book advises",
        "far too large": "each step throws away much of what the weights hold",
    }[nearest_mark(ratio)]
    if not NEAR[0] <= ratio <= NEAR[1] and nearest_mark(ratio) == "about right":
        said = f"well {'below' if ratio < NEAR[0] else 'above'} the 1 % that the book advises"
    return (
        f"In the run a step moves the weights of layers 1 to 3 by {percent(found['hidden'])}: {said}; "
        f"the loss goes from {found['first_loss']:.2f} to {found['last_loss']:.2f}. "
        f"By hand it is {percent(found['ratio'])}."
    )


def percent(value):
    return f"{float(f'{value:.2g}'):g} %"


def chart(width):
    import altair as alt

    wide = width > 500
    ratio = alt.Y(
        "ratio:Q", title="update / parameter", scale=alt.Scale(type="log", domain=[1e-7, 10], clamp=True),
        axis=alt.Axis(
            values=[1e-6, 1e-4, 1e-2, 1], labelExpr="format(datum.value * 100, '.1~r') + ' %'", grid=False
        ),
    )  # fmt: skip
    marks = alt.Chart(alt.NamedData("marks"))
    rules = marks.mark_rule(strokeDash=[2, 3]).encode(y=ratio)
    names = marks.mark_text(align="left", dy=-7, color="var(--c-quiet)", fontSize=12)
    labels = names.encode(x=alt.value(2), y=ratio, text="mark:N")
    hand = (
        alt.Chart(alt.NamedData("by_hand"))
        .mark_point(filled=True, shape="diamond", size=160, color="var(--c-accent)", opacity=1)
        .encode(
            x=alt.X("what:N", title=None, axis=alt.Axis(labelAngle=0, domain=False, ticks=False)), y=ratio
        )
    )
    main, strip = (width - 300, 110) if wide else (width - 94, width - 94)
    panels = [
        alt.layer(rules, labels, hand, title="by hand", width=strip, height=250 if wide else 130),
        alt.layer(rules, layer_lines(alt, ratio, wide), title="in a real run", width=main, height=250),
    ]
    return alt.concat(*panels, columns=2 if wide else 1, spacing=24)


def layer_lines(alt, ratio, wide):
    layers = [f"layer {i}" for i in range(1, 5)]
    colors = [f"var(--c-{name})" for name in ("sound", "third", "fourth", "broken")]
    dashes = [[1, 0], [7, 3], [3, 3], [9, 2, 2, 2]]
    return (
        alt.Chart(alt.NamedData("run"))
        .mark_line()
        .encode(
            x=alt.X(
                "step:Q", title="step of the run", scale=alt.Scale(domain=[1, STEPS]),
                axis=alt.Axis(tickCount=4, grid=False),
            ),
            y=ratio,
            color=alt.Color(
                "layer:N", scale=alt.Scale(domain=layers, range=colors),
                legend=alt.Legend(title=None, orient="top", direction="horizontal", columns=0 if wide else 2),
            ),
            strokeDash=alt.StrokeDash("layer:N", scale=alt.Scale(domain=layers, range=dashes)),
        )
    )  # fmt: skip
