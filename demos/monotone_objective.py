"""Three algorithms that promise never to make things worse.

Each lowers its objective step by step, and a slip sets in at a step of your choice. The first rise
beyond the tolerance is marked. A formula that is left out breaks no promise: look at the gradient at
the end instead.
"""

from functools import cache

import numpy as np

from mlbug.monotone import first_rise
from mlbug.monotone_examples import run_descent

STEPS = 40
AT_REST = 0.005

title = "An objective that must not rise"

controls = {
    "algorithm": {
        "label": "Algorithm",
        "options": {
            "EM": "EM, mixture of two normals",
            "line search": "gradient descent with line search",
            "coordinate descent": "coordinate descent, least squares",
        },
        "value": "EM",
    },
    "fault": {
        "label": "Slip",
        "options": {"none": "none", "wrong formula": "a wrong formula", "left out": "a part left out"},
        "value": "wrong formula",
    },
    "fault_step": {"label": "Slip from step", "range": (1, 30, 1), "value": 15},
    "tolerance": {
        "label": "Tolerance, share of the whole fall",
        "range": (1e-9, 0.1, 0.5),
        "log": True,
        "value": 1e-6,
    },
}

presets = {
    "The slip": {},
    "Repaired": {"fault": "none"},
    "A slip that keeps the promise": {"fault": "left out", "fault_step": 6},
    "Tolerance too loose": {"tolerance": 0.1},
    "Unguarded step": {"algorithm": "line search", "fault_step": 6},
}

bet = {
    "ask": "From step 15 on this EM stores standard deviations as variances: the objective rises at step 15. "
    "Let the slip set in at step 6: at which step does the objective rise first (0 if never)?",
    "number": "first",
    "values": {"fault_step": 6},
    "range": (0.0, 40.0, 1.0),
}

numbers = {
    "first": {"label": "first rise at step (0: none)", "format": ".0f"},
    "rise": {"label": "largest rise", "format": ".3g"},
    "end": {"label": "objective at the end", "format": ".4f"},
    "gradient": {"label": "gradient left at the end", "format": ".2f", "unit": "%"},
}

SLIPS = {
    ("EM", "wrong formula"): "standard deviations are stored as variances",
    ("EM", "left out"): "the shares of the two normals are no longer updated",
    ("line search", "wrong formula"): "the first trial step is taken unseen",
    ("line search", "left out"): "steps go along x alone",
    ("coordinate descent", "wrong formula"): "all coordinates move by one old residual",
    ("coordinate descent", "left out"): "the last coordinate is never visited",
}


@cache
def sound_run(algorithm):
    return run_descent(algorithm, steps=STEPS).objective


def frame(algorithm, fault, fault_step, tolerance):
    run = run_descent(algorithm, fault, fault_step, STEPS)
    sound = sound_run(algorithm)
    noise = tolerance * (sound[0] - sound[-1])
    rise = first_rise(run.objective, noise)
    found = {
        "first": 0 if rise is None else rise + 1,
        "rise": 0.0 if rise is None else float(np.max(np.diff(run.objective))),
        "end": float(run.objective[-1]),
        "gradient": 100.0 * run.gradient_left,
    }
    return {
        "tables": tables(run.objective, sound, found["first"], fault_step if fault != "none" else 0),
        "numbers": found,
        "verdict": verdict(algorithm, fault, fault_step, found, len(run.objective) - 1),
        "tone": "good" if rise is None and run.gradient_left < AT_REST else "bad",
    }


def tables(objective, sound, first, fault_step):
    top = sound[0] + 0.25 * (sound[0] - sound[-1])
    shown = np.minimum(np.concatenate([sound, objective]), top)
    return {
        "run": {
            "step": np.concatenate([np.arange(len(sound)), np.arange(len(objective))]),
            "run": ["sound"] * len(sound) + ["under test"] * len(objective),
            "objective": shown,
        },
        "rise": {
            "step": [first] if first else [],
            "objective": [min(objective[first], top)] if first else [],
        },
        "slip": {"step": [fault_step] if fault_step else []},
    }


def verdict(algorithm, fault, fault_step, found, steps):
    slip = "" if fault == "none" else f" From step {fault_step} on {SLIPS[algorithm, fault]}."
    if found["first"]:
        rise = f"{found['rise']:.2g}"
        return f"The promise breaks at step {found['first']}: the objective rises, at most by {rise}.{slip}"
    if found["gradient"] < 100.0 * AT_REST:
        left = f"{found['gradient']:.2f} %"
        return f"No rise in {steps} steps, and {left} of the gradient is left: both promises hold.{slip}"
    return (
        f"No rise in {steps} steps, and yet {found['gradient']:.1f} % of the gradient is left at the end: "
        f"it did not reach the optimum.{slip}"
    )


def chart(width):
    import altair as alt

    runs = ["sound", "under test"]
    step = alt.X(
        "step:Q", title="step", scale=alt.Scale(domain=[0, STEPS]), axis=alt.Axis(tickCount=5, grid=False)
    )
    height = alt.Y("objective:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    lines = (
        alt.Chart(alt.NamedData("run"))
        .mark_line()
        .encode(
            x=step,
            y=height,
            color=alt.Color(
                "run:N", scale=alt.Scale(domain=runs, range=["var(--c-sound)", "var(--c-broken)"]),
                legend=alt.Legend(title=None, orient="top", direction="horizontal"),
            ),
            strokeDash=alt.StrokeDash("run:N", scale=alt.Scale(domain=runs, range=[[6, 4], [1, 0]])),
        )
    )  # fmt: skip
    slip = alt.Chart(alt.NamedData("slip")).mark_rule(strokeDash=[2, 3]).encode(x=step)
    rise = alt.Chart(alt.NamedData("rise"))
    ring = rise.mark_point(size=180, strokeWidth=2.5, color="var(--c-broken)").encode(x=step, y=height)
    word = rise.mark_text(dy=-17, align="left", color="var(--c-broken)", fontWeight=600).encode(
        x=step, y=height, text=alt.value("first rise")
    )
    return alt.layer(slip, lines, ring, word, title="objective after each step", width=width - 62, height=250)
