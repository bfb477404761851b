"""A program of nine lines that builds a graph first and computes it last.

One line holds a slip. The arrow leads from the line that is wrong to the line at which Python, or
you, can notice. Compute line by line instead, or watch every value, and see the arrow shrink.
"""

import math

from mlbug.static_graph import PROGRAM, RUN_LINE, SLIPS, run_program

title = "Where an error is made, and where it shows"

controls = {
    "slip": {
        "label": "Slip",
        "options": {
            "none": "none",
            "shape": "line 3: sizes exchanged",
            "log": "line 6: tanh in place of sigmoid",
            "sum": "line 8: sum in place of mean",
        },
        "value": "shape",
    },
    "eager": {"label": "Compute line by line", "value": False},
    "watch": {"label": "Stop at the first value that is not finite", "value": False},
    "examples": {"label": "Examples", "range": (1, 64, 1), "value": 16},
}

presets = {
    "Built, then run": {},
    "Line by line": {"eager": True},
    "NaN at the end": {"slip": "log"},
    "NaN, watched": {"slip": "log", "watch": True},
    "Never an error": {"slip": "sum"},
}

bet = {
    "ask": "Built first and run last, the program stops in line 9, far from the slip in line 3. "
    "Compute it line by line: in which line does it stop?",
    "number": "shows",
    "values": {"eager": True},
    "range": (1, 9, 1),
}

numbers = {
    "made": {"label": "made in line (0: no slip)", "format": ".0f"},
    "shows": {"label": "shows in line (0: nowhere)", "format": ".0f"},
    "distance": {"label": "lines in between", "format": ".0f"},
    "watched": {"label": "values looked at", "format": ".0f"},
    "loss": {"label": "printed loss", "format": ".3f"},
    "sound_loss": {"label": "loss without the slip", "format": ".3f"},
}


def frame(slip, eager, watch, examples):
    outcome = run_program(slip, examples, eager, watch)
    made = SLIPS[slip][0] if slip != "none" else 0
    shows = outcome.stopped or (RUN_LINE if math.isnan(outcome.loss) else 0)
    found = {
        "made": made,
        "shows": shows,
        "distance": shows - made if shows else 0,
        "watched": outcome.watched,
        "loss": outcome.loss if not outcome.stopped else "none",
        "sound_loss": run_program("none", examples).loss,
    }
    return {
        "tables": {
            "lines": lines(slip, made, shows),
            "arrow": {"from": [made], "to": [shows]} if made and shows else {"from": [], "to": []},
        },
        "numbers": found,
        "verdict": verdict(found, outcome) + looked_at(outcome.watched),
        "tone": "good" if not made else "bad",
    }


def lines(slip, made, shows):
    code = list(PROGRAM)
    if made:
        code[made - 1] = SLIPS[slip][1]
    kinds = ["wrong" if n == made else "stops" if n == shows else "plain" for n in range(1, len(code) + 1)]
    return {"line": list(range(1, len(code) + 1)), "code": code, "kind": kinds}


def verdict(found, outcome):
    if not found["made"]:
        return f"No slip: the program prints a loss of {found['loss']:.3f}."
    made = f"The slip is in line {found['made']}"
    later = f"{found['distance']} line{'s' if found['distance'] > 1 else ''} on"
    if outcome.stopped:
        return f"{made}; Python stops in line {found['shows']}, {later}: {outcome.message}."
    if found["shows"]:
        return f"{made}; there is no error, and NaN is printed in line {found['shows']}, {later}."
    ratio = found["loss"] / found["sound_loss"]
    return (
        f"{made}; nothing ever stops. The loss is {found['loss']:.3f}, {ratio:.3g} times what it should be."
    )


def looked_at(values):
    return f" Values looked at on the way: {values}." if values else ""


def chart(width):
    import altair as alt

    size = len(PROGRAM)
    domain = alt.Scale(domain=[0.4, size + 0.6], reverse=True)
    axis = alt.Axis(values=list(range(1, size + 1)), grid=False, ticks=False, labelOverlap=False)
    line = alt.Y("line:Q", title=None, scale=domain, axis=axis)
    colors = alt.Color(
        "kind:N", legend=None,
        scale=alt.Scale(
            domain=["wrong", "stops", "plain"], range=["var(--c-broken)", "var(--c-fourth)", "var(--c-quiet)"]
        ),
    )  # fmt: skip
    code = (
        alt.Chart(alt.NamedData("lines"))
        .mark_text(align="left", font="Source Code Pro Variable, monospace", fontSize=13)
        .encode(y=line, x=alt.value(8), text="code:N", color=colors)
    )
    at = 235
    arrow = alt.Chart(alt.NamedData("arrow"))
    stem = arrow.mark_rule(strokeWidth=2, color="var(--c-ink)").encode(
        x=alt.value(at), y=alt.Y("from:Q", scale=domain, title=None), y2="to:Q"
    )
    start = arrow.mark_circle(size=90, color="var(--c-broken)", opacity=1)
    head = arrow.mark_point(shape="triangle-down", size=110, filled=True, color="var(--c-fourth)", opacity=1)
    made = arrow.mark_text(align="left", dx=10, fontSize=12, color="var(--c-broken)", text="made")
    shows = arrow.mark_text(align="left", dx=10, fontSize=12, color="var(--c-fourth)", text="shows")
    place = {"x": alt.value(at)}
    ends = [mark.encode(y=alt.Y(f"{end}:Q", scale=domain), **place) for mark, end in
            ((start, "from"), (made, "from"), (head, "to"), (shows, "to"))]  # fmt: skip
    return alt.layer(code, stem, *ends, title="the program", width=width - 62, height=260)
