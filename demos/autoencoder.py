"""An autoencoder with one single image to give back.

Left: the image and, beside it, what the model makes of it. Right: the program's own loss, and the share
of the image that is missing, both on a logarithmic axis. A good loss beside a bad picture is a find.
"""

import numpy as np

from mlbug.autoencoder import train_autoencoder
from mlbug.small_images import SIDE

MOST = 200

title = "Give back one image"

controls = {
    "steps": {"label": "Steps", "range": (0, MOST, 10), "value": MOST},
    "fault": {
        "label": "The program",
        "options": {
            "none": "correct",
            "sign": "gradient has the wrong sign",
            "shifted": "target is one row lower",
            "range": "output cannot reach the target",
            "detached": "no gradient reaches the encoder",
        },
        "value": "none",
    },
}

presets = {
    "Correct": {},
    "Wrong target": {"fault": "shifted"},
    "Out of range": {"fault": "range"},
    "Half of it is dead": {"fault": "detached"},
}

bet = {
    "ask": "The correct program gives back all of the image. Cut the encoder off from the gradient, so that "
    "only the decoder learns: which percentage of the image comes back after 200 steps?",
    "number": "fidelity",
    "values": {"fault": "detached"},
    "range": (0.0, 100.0, 1.0),
}

numbers = {
    "loss": {"label": "loss of the program", "format": ".2g"},
    "fidelity": {"label": "given back of the image", "format": ".1f", "unit": "%"},
    "worst": {"label": "largest error of a pixel", "format": ".2g"},
}


def frame(steps, fault):
    """Look up a recorded training run at one step."""
    run = train_autoencoder(MOST, fault)
    output = run.reconstructions[steps]
    ends = {
        "loss": run.losses[steps],
        "fidelity": 100.0 * max(run.fidelity[steps], 0.0),  # worse than a gray page: nothing came back
        "worst": np.abs(output - run.image).max(),
    }
    low, high = run.image.min(), run.image.max()
    shades = np.clip((np.array([run.image, output]) - low) / (high - low), 0.0, 1.0)
    which, row, column = np.indices((2, SIDE, SIDE))
    shown = np.arange(0, steps + 1, 2)
    return {
        "tables": {
            "pixels": {
                "place": (column + which * (SIDE + 1)).ravel(),
                "row": row.ravel(),
                "ink": shades.ravel(),
            },
            "course": {
                "step": np.tile(shown, 2),
                "what": ["loss"] * len(shown) + ["missing"] * len(shown),
                "value": np.concatenate([run.losses[shown], 1.0 - run.fidelity[shown]]),
            },
        },
        "numbers": ends,
        **judged(ends, run.losses[0], steps),
    }


def judged(ends, start, steps):
    """Hold the loss against the picture."""
    back, loss = ends["fidelity"], ends["loss"]
    if steps == 0:
        return {
            "verdict": f"Before any step the loss is {loss:.2g}, and no image comes back.",
            "tone": "plain",
        }
    if loss > start:
        return {"verdict": f"The loss rose from {start:.2g} to {loss:.2g}: the code climbs.", "tone": "bad"}
    if back > 97.0:
        return {"verdict": f"{back:.1f} % of the image comes back: this test is passed.", "tone": "good"}
    if loss < 0.1 * start and back < 50.0:
        said = f"The loss is down to {loss:.2g}, yet the picture is wrong: another target."
        return {"verdict": said, "tone": "bad"}
    if steps < MOST:
        return {"verdict": f"{max(back, 0.0):.0f} % of the image so far; take more steps.", "tone": "plain"}
    return {"verdict": f"It stalls: after {steps} steps {back:.0f} % of one image comes back.", "tone": "bad"}


def chart(width):
    """Draw the two images and the course of training."""
    import altair as alt

    wide = width > 500
    cell = 15
    images = (
        alt.Chart(alt.NamedData("pixels"), title="the image, and what comes back")
        .mark_rect(color="var(--c-ink)", stroke="var(--c-rule)", strokeWidth=0.5)
        .encode(
            x=alt.X("place:O", axis=None, scale=alt.Scale(domain=list(range(2 * SIDE + 1)))),
            y=alt.Y("row:O", axis=None),
            fillOpacity=alt.FillOpacity("ink:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None),
        )
        .properties(width=cell * (2 * SIDE + 1), height=cell * SIDE)
    )
    names = ["loss", "missing"]
    course = (
        alt.Chart(alt.NamedData("course"), title="course of training")
        .mark_line(clip=True)
        .encode(
            x=alt.X("step:Q", title="step", scale=alt.Scale(domain=[0, MOST]), axis=alt.Axis(grid=False)),
            y=alt.Y(
                "value:Q",
                title=None,
                scale=alt.Scale(type="log", domain=[1e-6, 10], clamp=True),
                axis=alt.Axis(values=[1e-6, 1e-4, 1e-2, 1], format=".0e"),
            ),
            color=alt.Color(
                "what:N",
                scale=alt.Scale(domain=names, range=["var(--c-accent)", "var(--c-broken)"]),
                legend=alt.Legend(title=None, orient="top", direction="horizontal"),
            ),
            strokeDash=alt.StrokeDash("what:N", scale=alt.Scale(domain=names, range=[[1, 0], [6, 3]])),
        )
        .properties(
            width=width - cell * (2 * SIDE + 1) - 96 if wide else width - 62, height=200 if wide else 160
        )
    )
    return alt.concat(images, course, columns=2 if wide else 1, spacing=30)
