"""One number, three runs.

Three real training runs were stopped at the same loss. By that number they are equal. Choose a run
and the pictures that you look at, and see what each of them gives away.
"""

import numpy as np

from mlbug.alike_runs import TARGET, alike_run

EDGES = np.linspace(-10.0, 6.0, 33)

title = "Judged by a number, then by pictures"

controls = {
    "run": {
        "label": "Run",
        "options": {"sound": "run A", "jagged": "run B", "dead": "run C"},
        "value": "jagged",
    },
    "curve": {"label": "Look at the loss curve", "value": True},
    "histogram": {"label": "Look at the first layer's histogram", "value": False},
    "predictions": {"label": "Look at predictions and targets", "value": False},
}

presets = {
    "The number alone": {"curve": False},
    "Run A, all pictures": {"run": "sound", "histogram": True, "predictions": True},
    "Run B, all pictures": {"run": "jagged", "histogram": True, "predictions": True},
    "Run C, all pictures": {"run": "dead", "histogram": True, "predictions": True},
}

bet = {
    "ask": f"Run C reaches the same loss of {TARGET:g}, with a smooth curve. "
    "Look at the histogram of its first layer: how many of the layer's units never switch on?",
    "number": "dead",
    "values": {"run": "dead", "histogram": True},
    "range": (0.0, 100.0, 1.0),
}

numbers = {
    "loss": {"label": "final loss", "format": ".2f"},
    "steps": {"label": "steps that it took", "format": ".0f"},
    "rise": {"label": "largest rise in one step", "format": ".2f"},
    "dead": {"label": "units that never switch on", "format": ".1f", "unit": "%"},
    "correlation": {"label": "correlation with targets", "format": ".2f"},
}

UNSEEN = "not looked at"


def frame(run, curve, histogram, predictions):
    seen = alike_run(run)
    found = {
        "loss": float(seen.losses[-1]),
        "steps": len(seen.losses) - 1 if curve else UNSEEN,
        "rise": seen.largest_rise if curve else UNSEEN,
        "dead": 100.0 * seen.dead_share if histogram else UNSEEN,
        "correlation": float(np.corrcoef(seen.outputs, seen.targets)[0, 1]) if predictions else UNSEEN,
    }
    said = judged(found, curve, histogram, predictions)
    return {
        "tables": tables(seen, curve, histogram, predictions),
        "numbers": found,
        "verdict": verdict(found, said),
        "tone": "plain" if not (curve or histogram or predictions) else "bad" if said else "good",
    }


def judged(found, curve, histogram, predictions):
    said = []
    if curve and found["rise"] > 0.0:
        said.append(f"the curve rises by {found['rise']:.2f} in one step, so the learning rate is too high")
    if histogram and found["dead"] > 25.0:
        said.append(f"{found['dead']:.1f} % of the first layer's units never switch on")
    if predictions and found["correlation"] < 0.5:
        said.append(f"predictions and targets correlate by {found['correlation']:.2f} only")
    return said


def verdict(found, said):
    looked = [name for name in ("rise", "dead", "correlation") if found[name] != UNSEEN]
    if said:
        return f"{_from(looked)}: the final loss is {found['loss']:.2f}, but {' and '.join(said)}."
    if not looked:
        return f"By its final loss of {found['loss']:.2f} alone, this run is as good as the other two."
    return f"{_from(looked)}: the final loss is {found['loss']:.2f}, and nothing speaks against this run."


def _from(looked):
    return f"From {('one picture', 'two pictures', 'three pictures')[len(looked) - 1]} of three"


def tables(seen, curve, histogram, predictions):
    shown = seen.losses if curve else seen.losses[:0]
    counts, _ = np.histogram(np.clip(seen.first_layer, EDGES[0], EDGES[-1]), EDGES)
    bars = slice(None) if histogram else slice(0)
    dots = slice(None) if predictions else slice(0)
    side = np.where(EDGES[:-1] < 0.0, "off", "on")
    return {
        "curve": {"step": np.arange(len(shown)), "loss": np.minimum(shown, 3.0)},
        "histogram": {
            "from": EDGES[:-1][bars],
            "to": EDGES[1:][bars],
            "share": 100.0 * counts[bars] / seen.first_layer.size,
            "side": side[bars].tolist(),
        },
        "predictions": {"target": seen.targets[dots], "prediction": seen.outputs[dots]},
        "final": {"loss": [TARGET]},
    }


def chart(width):
    import altair as alt

    wide = width > 500
    panel = {"width": (width - 190) / 3 if wide else width - 62, "height": 190 if wide else 130}
    step = alt.X(
        "step:Q", title="step", scale=alt.Scale(domain=[0, 120]), axis=alt.Axis(tickCount=4, grid=False)
    )
    loss = alt.Y("loss:Q", title=None, scale=alt.Scale(domain=[0, 3]), axis=alt.Axis(tickCount=4))
    line = alt.Chart(alt.NamedData("curve")).mark_line(color="var(--c-sound)").encode(x=step, y=loss)
    final = alt.Chart(alt.NamedData("final")).mark_rule(strokeDash=[2, 3]).encode(y=loss)
    bars = (
        alt.Chart(alt.NamedData("histogram"), title="first layer", **panel)
        .mark_bar(stroke="var(--c-paper)", strokeWidth=0.6)
        .encode(
            x=alt.X(
                "from:Q", bin="binned", title="pre-activation", scale=alt.Scale(domain=[-10, 6]),
                axis=alt.Axis(values=[-10, -5, 0, 5], grid=False),
            ),
            x2="to:Q",
            y=alt.Y(
                "share:Q", title=None, scale=alt.Scale(domain=[0, 12]),
                axis=alt.Axis(tickCount=4, format="~g"),
            ),
            color=alt.Color(
                "side:N", scale=alt.Scale(domain=["off", "on"], range=["var(--c-theory)", "var(--c-sound)"]),
                legend=None,
            ),
        )
    )  # fmt: skip
    ends = alt.Scale(domain=[-4, 4])
    dots = (
        alt.Chart(alt.NamedData("predictions"), title="predictions", **panel)
        .mark_circle(color="var(--c-sound)", size=26, opacity=0.8)
        .encode(
            x=alt.X("target:Q", title="target", scale=ends, axis=alt.Axis(tickCount=4, grid=False)),
            y=alt.Y("prediction:Q", title=None, scale=ends, axis=alt.Axis(tickCount=4)),
        )
    )
    curve = alt.layer(line, final, title="loss", **panel)
    return alt.concat(curve, bars, dots, columns=3 if wide else 1, spacing=24)
