"""A softmax classifier with one single example to learn.

Left: its loss, step by step, from log k on. Right: the probability of each class at the end; class 1
is the right one. A correct program goes to zero steadily, and there is nothing else it could do.
"""

import numpy as np

from mlbug.one_example import train_one_example

title = "Fit one example"

controls = {
    "steps": {"label": "Steps", "range": (0, 200, 5), "value": 100},
    "learning_rate": {"label": "Learning rate", "range": (0.01, 1.0, 0.1), "log": True, "value": 0.1},
    "classes": {"label": "Classes", "range": (2, 10, 1), "value": 3},
    "fault": {
        "label": "The program",
        "options": {
            "none": "correct",
            "sign": "gradient has the wrong sign",
            "softmax": "gradient lacks the softmax term",
            "label": "labels are off by one",
            "twice": "loss is added up twice",
        },
        "value": "none",
    },
}

presets = {
    "Correct": {},
    "Sign error": {"fault": "sign"},
    "Missing term": {"fault": "softmax"},
    "Labels off by one": {"fault": "label"},
    "Counted twice": {"fault": "twice"},
}

bet = {
    "ask": "The correct program takes the loss from 1.10 towards zero. Turn the sign of its gradient: "
    "what is the loss after the same 100 steps?",
    "number": "end",
    "values": {"fault": "sign"},
    "range": (0.0, 50.0, 0.1),
}

numbers = {
    "start": {"label": "loss at the start", "format": ".4f"},
    "expected": {"label": "log k", "format": ".4f"},
    "end": {"label": "loss at the end", "format": ".4f"},
    "probability": {"label": "probability of the right class", "format": ".3f"},
    "gradient_sum": {"label": "gradient summed over the classes", "format": ".2g"},
}


def frame(steps, learning_rate, classes, fault):
    """Train from zero and read loss, probabilities and the gradient's sum."""
    run = train_one_example(max(steps, 1), learning_rate, classes, fault)
    if steps == 0:
        at_start = train_one_example(0, learning_rate, classes, fault)
        losses, probabilities = at_start.losses, at_start.probabilities
    else:
        losses, probabilities = run.losses, run.probabilities
    leftover = float(run.gradient_sums[0])
    ends = {
        "start": losses[0],
        "expected": float(np.log(classes)),
        "end": losses[-1],
        "probability": probabilities[run.label],
        "gradient_sum": leftover if abs(leftover) > 1e-12 else 0.0,
    }
    shown = np.unique(np.linspace(0, steps, 101).round().astype(int))
    return {
        "tables": {
            "loss": {"step": shown, "loss": losses[shown], "log k": [ends["expected"]] * len(shown)},
            "classes": {
                "class": np.arange(1, classes + 1),
                "probability": probabilities,
                "which": ["right class" if k == run.label else "other" for k in range(classes)],
            },
        },
        "numbers": ends,
        **judged(ends, steps),
    }


def judged(ends, steps):
    """Read start loss first, then whether the loss fell, then the sum that must be zero."""
    start, end, log_k = ends["start"], ends["end"], ends["expected"]
    if abs(start - log_k) > 0.01 * log_k:
        said = f"The loss starts at {start:.4f}, {start / log_k:.3g} times log k: not the loss you meant."
        return {"verdict": said, "tone": "bad"}
    if steps == 0:
        said = f"Before any step all classes are alike and the loss is log k, {start:.4f}."
        return {"verdict": said, "tone": "plain"}
    if end >= start:
        said = f"The loss rose from {start:.2f} to {end:.2f} on one example: this is the code, not the model."
        return {"verdict": said, "tone": "bad"}
    if ends["gradient_sum"]:
        said = (
            f"The loss fell to {end:.2g} and the test is passed, though the gradient is wrong: "
            f"over the classes it sums to {ends['gradient_sum']:.2g}, not to 0."
        )
        return {"verdict": said, "tone": "bad"}
    if end > 0.2 * log_k:
        said = f"The loss came down from {start:.2f} to {end:.2f} and still falls: give it more steps."
        return {"verdict": said, "tone": "plain"}
    said = f"The loss fell steadily from {start:.2f} to {end:.2g}: the program can fit one example."
    return {"verdict": said, "tone": "good"}


def chart(width):
    """Draw the loss curve and the probabilities."""
    import altair as alt

    wide = width > 500
    sizes = [(width - 130) * 0.6, (width - 130) * 0.4] if wide else [width - 62, width - 62]
    height = 220 if wide else 160
    steps = alt.Chart(alt.NamedData("loss")).encode(
        x=alt.X("step:Q", title="step", axis=alt.Axis(tickCount=5, grid=False))
    )
    level = steps.mark_line(color="var(--c-theory)", strokeDash=[5, 3], strokeWidth=1.5).encode(
        y=alt.Y("log k:Q", title=None)
    )
    curve = steps.mark_line(color="var(--c-accent)").encode(
        y=alt.Y("loss:Q", title=None, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5, format="~g"))
    )
    hues = alt.Scale(domain=["right class", "other"], range=["var(--c-good)", "var(--c-theory)"])
    bars = (
        alt.Chart(alt.NamedData("classes"))
        .mark_bar()
        .encode(
            x=alt.X("class:O", title="class", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("probability:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
            color=alt.Color(
                "which:N", scale=hues, legend=alt.Legend(title=None, orient="top", direction="horizontal")
            ),
        )
    )
    return alt.concat(
        alt.layer(level, curve, title="loss; dashed: log k", width=sizes[0], height=height),
        bars.properties(title="probabilities at the end", width=sizes[1], height=height),
        columns=2 if wide else 1,
        spacing=24,
    )
