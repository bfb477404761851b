"""Two thousand units, some of them in the flat part of tanh.

Each unit gets one normal pre-activation and returns its tanh. The outer bars of the first picture
are the units beyond 0.9. Widen the spread and watch the gradient's share die while more and more
units move out there.
"""

import numpy as np

from mlbug.saturation import Saturation, draw_pre_activations, sampling_error, saturated_share

UNITS = 2000
BEYOND = 0.9
SPREADS = np.geomspace(0.1, 10.0, 25)

title = "Saturated units"

controls = {
    "spread": {
        "label": "Spread of the pre-activations",
        "range": (0.1, 10.0, 0.05),
        "log": True,
        "value": 1.0,
    },
    "mean": {"label": "Mean of the pre-activations", "range": (-3.0, 3.0, 0.1), "value": 0.0},
    "draw": {"label": "Number of the draw", "range": (0, 20, 1), "value": 0},
}

presets = {
    "Alive": {},
    "Linear": {"spread": 0.1},
    "Saturated": {"spread": 5.0},
    "Pushed to one side": {"spread": 0.5, "mean": 2.5},
}

bet = {
    "ask": "With a spread of 1 about one unit in seven lies beyond 0.9. Make the spread 3: how many do then?",
    "number": "share",
    "values": {"spread": 3.0},
    "range": (0.0, 100.0, 1.0),
}

numbers = {
    "share": {"label": "beyond 0.9, counted", "format": ".1f", "unit": "%"},
    "share_formula": {"label": "beyond 0.9, by formula", "format": ".1f", "unit": "%"},
    "error": {"label": "expected sampling error", "format": ".2f", "unit": "% points"},
    "mean_absolute": {"label": "mean absolute pre-activation", "format": ".3f"},
    "mean_derivative": {"label": "mean derivative of tanh", "format": ".3f"},
}


def frame(spread, mean, draw):
    z = draw_pre_activations(UNITS, spread, mean, seed=draw)
    here = Saturation.of(z, BEYOND)
    share = saturated_share(spread, mean, BEYOND)
    found = {
        "share": 100.0 * here.share,
        "share_formula": 100.0 * share,
        "error": 100.0 * sampling_error(share, UNITS),
        "mean_absolute": here.mean_absolute,
        "mean_derivative": here.mean_derivative,
    }
    return {
        "tables": {
            "outputs": outputs(z),
            "curve": curve((z - mean) / spread, mean),
            "here": at(spread, here),
        },
        "numbers": found,
        "verdict": verdict(found),
        "tone": "bad" if here.share > 0.5 else "good",
    }


def outputs(z):
    counts, edges = np.histogram(np.tanh(z), bins=np.linspace(-1.0, 1.0, 21))
    middle = 0.5 * (edges[1:] + edges[:-1])
    kind = np.where(np.abs(middle) > BEYOND, "beyond 0.9", "alive")
    return {"from": edges[:-1], "to": edges[1:], "units": counts, "kind": kind.tolist()}


def curve(normal, mean):
    sampled = [Saturation.of(mean + s * normal, BEYOND) for s in SPREADS]
    return {
        "spread": SPREADS,
        "formula": [saturated_share(s, mean, BEYOND) for s in SPREADS],
        "share": [found.share for found in sampled],
        "derivative": [found.mean_derivative for found in sampled],
    }


def at(spread, here):
    return {"spread": [spread], "share": [here.share], "derivative": [here.mean_derivative]}


def verdict(found):
    if found["mean_derivative"] > 0.95:
        slope = f"{found['mean_derivative']:.2f}"
        return f"Nothing is saturated: the mean derivative is {slope}, and the units are all but linear."
    strength = "hardly any of" if found["mean_derivative"] < 0.25 else "part of"
    return (
        f"{found['share']:.1f} % of the units lie beyond 0.9 (by formula {found['share_formula']:.1f} %): "
        f"with a mean derivative of {found['mean_derivative']:.2f}, {strength} the gradient passes."
    )


def chart(width):
    import altair as alt

    wide = width > 500
    panel = {"width": (width - 190) / 3 if wide else width - 62, "height": 190 if wide else 130}
    spread = alt.X(
        "spread:Q", title="spread", scale=alt.Scale(type="log", domain=[0.1, 10]),
        axis=alt.Axis(values=[0.1, 1, 10], format="~g", grid=False),
    )  # fmt: skip
    unit = {"title": None, "scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(tickCount=4)}

    def against_spread(column, title, color, line=None):
        height = alt.Y(f"{line or column}:Q", **unit)
        base = alt.Chart(alt.NamedData("curve"))
        layers = [base.mark_line(color="var(--c-theory)", strokeDash=[6, 4]).encode(x=spread, y=height)]
        if line:
            layers.append(
                base.mark_circle(color=color, size=22, opacity=0.9).encode(x=spread, y=f"{column}:Q")
            )
        here = alt.Chart(alt.NamedData("here"))
        mark = here.mark_point(filled=True, size=110, color=color, shape="diamond", opacity=1)
        return alt.layer(*layers, mark.encode(x=spread, y=f"{column}:Q"), title=title, **panel)

    panels = [
        output_bars(alt, panel),
        against_spread("share", "share beyond 0.9", "var(--c-broken)", line="formula"),
        against_spread("derivative", "mean derivative", "var(--c-sound)"),
    ]
    return alt.concat(*panels, columns=3 if wide else 1, spacing=24)


def output_bars(alt, panel):
    kinds = alt.Scale(domain=["alive", "beyond 0.9"], range=["var(--c-sound)", "var(--c-broken)"])
    return (
        alt.Chart(alt.NamedData("outputs"), title="units by output", **panel)
        .mark_bar(stroke="var(--c-paper)", strokeWidth=1)
        .encode(
            x=alt.X(
                "from:Q", bin="binned", title="output, tanh(z)", scale=alt.Scale(domain=[-1, 1]),
                axis=alt.Axis(values=[-1, 0, 1], grid=False),
            ),
            x2="to:Q",
            y=alt.Y("units:Q", title=None, axis=alt.Axis(tickCount=4)),
            color=alt.Color(
                "kind:N", scale=kinds, legend=alt.Legend(title=None, orient="top", direction="horizontal")
            ),
        )
    )  # fmt: skip
