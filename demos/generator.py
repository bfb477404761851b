"""A generative model that knows one image, or six of one kind, and draws new ones pixel by pixel.

Above: what it was trained on. Below: six samples of the trained model, always drawn with the same
random numbers. The loss alone can look perfect beside wrong samples, and can even be too good.
"""

import numpy as np

from mlbug.pixel_model import PIXELS, likeness, sample_pixels, train_pixel_model, training_images
from mlbug.small_images import SIDE

SAMPLES = 6

title = "Samples that resemble one image"

controls = {
    "steps": {"label": "Steps", "range": (0, 150, 5), "value": 100},
    "images": {
        "label": "Trained on",
        "options": {"one": "one image", "kind": "six images of one kind"},
        "value": "one",
    },
    "fault": {
        "label": "The program",
        "options": {
            "none": "correct",
            "sign": "gradient has the wrong sign",
            "sees-itself": "each pixel also reads itself",
            "order": "sampler goes backwards",
        },
        "value": "none",
    },
}

presets = {
    "Correct": {},
    "Six of a kind": {"images": "kind"},
    "Good loss, wrong samples": {"fault": "order"},
    "Too good to be true": {"images": "kind", "fault": "sees-itself"},
}

bet = {
    "ask": "Samples of the correct program agree with the image in 99 % of the pixels. Leave training "
    "as it is, but let the sampler visit the pixels backwards: in which percentage do they agree then?",
    "number": "likeness",
    "values": {"fault": "order"},
    "range": (0.0, 100.0, 1.0),
}

numbers = {
    "start": {"label": "loss at the start", "format": ".2f", "unit": "nats"},
    "loss": {"label": "loss at the end", "format": ".2f", "unit": "nats"},
    "floor": {"label": "smallest honest loss", "format": ".2f", "unit": "nats"},
    "likeness": {"label": "pixels like the nearest image", "format": ".1f", "unit": "%"},
}


def frame(steps, images, fault):
    """Train, draw samples and compare them with what was learned."""
    run, known = train_pixel_model(steps, images, fault), training_images(images)
    samples = sample_pixels(run, SAMPLES, fault)
    ends = {
        "start": run.losses[0],
        "loss": run.losses[-1],
        "floor": np.log(len(known)),
        "likeness": 100.0 * likeness(samples, known).mean(),
    }
    return {
        "tables": {
            "sheets": {
                "place": [(SIDE + 1) * i for i in range(len(known))]
                + [(SIDE + 1) * i for i in range(SAMPLES)],
                "line": [0] * len(known) + [SIDE + 3] * SAMPLES,
            },
            "ink": ink(known, samples),
        },
        "numbers": ends,
        **judged(ends, steps),
    }


def ink(known, samples):
    """List the places of all pixels with ink: training images in the upper row, samples below."""
    upper, lower = (np.argwhere(images.reshape(-1, SIDE, SIDE) == 1.0) for images in (known, samples))
    which, row, column = np.concatenate([upper, lower]).T
    return {
        "place": column + (SIDE + 1) * which,
        "line": row + (SIDE + 3) * (np.arange(len(which)) >= len(upper)),
        "what": ["trained on"] * len(upper) + ["sample"] * len(lower),
    }


def judged(ends, steps):
    """Read the loss against its start and its floor, then the samples."""
    loss, start, floor, alike = ends["loss"], ends["start"], ends["floor"], ends["likeness"]
    if steps == 0:
        said = f"Each of {PIXELS} pixels is a coin: the loss is {PIXELS} log 2 = {start:.2f} nats."
        return {"verdict": said, "tone": "plain"}
    if loss > start:
        return {
            "verdict": f"The loss rose from {start:.1f} to {loss:.0f} nats: the code climbs.",
            "tone": "bad",
        }
    if loss < floor:
        said = f"No honest model gets below {floor:.2f} nats here, and this one says {loss:.2f}: it peeks."
        return {"verdict": said, "tone": "bad"}
    if alike > 95.0:
        return {
            "verdict": f"Samples agree with a training image in {alike:.1f} % of the pixels.",
            "tone": "good",
        }
    if loss < 0.2 * start:
        said = (
            f"The loss is down to {loss:.2f} nats, but samples agree in {alike:.0f} %: look at the sampler."
        )
        return {"verdict": said, "tone": "bad"}
    return {
        "verdict": f"At {loss:.1f} nats samples agree in {alike:.0f} % of the pixels: train on.",
        "tone": "plain",
    }


def chart(width):
    """Draw two rows of images on one grid of cells."""
    import altair as alt

    columns, lines = (SIDE + 1) * SAMPLES - 1, 2 * SIDE + 3
    cell = min(11.0, (width - 12) / columns)
    x = alt.Scale(domain=[0, columns], nice=False)
    y = alt.Scale(domain=[lines, 0], nice=False)

    def squares(table, side):
        return (
            alt.Chart(alt.NamedData(table))
            .transform_calculate(right=f"datum.place + {side}", below=f"datum.line + {side}")
            .encode(
                x=alt.X("place:Q", scale=x, axis=None),
                x2="right:Q",
                y=alt.Y("line:Q", scale=y, axis=None),
                y2="below:Q",
            )
        )

    sheets = squares("sheets", SIDE).mark_rect(color="var(--c-panel)", stroke="var(--c-rule)")
    color = alt.Color(
        "what:N",
        scale=alt.Scale(domain=["trained on", "sample"], range=["var(--c-sound)", "var(--c-ink)"]),
        legend=alt.Legend(title=None, orient="top", direction="horizontal"),
    )
    inked = squares("ink", 1).mark_rect().encode(color=color)
    return alt.layer(sheets, inked, width=cell * columns, height=cell * lines)
