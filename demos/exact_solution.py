"""Two equations, their exact answer, and how exactly it holds.

Cramer's rule solves 3x + 2y = 2.3 and a second equation that repeats the first but for a gap.
The answer is put back into the equations: is what is left within the tolerance? Close the gap and
see how much rounding leaves, then ask for less than that.
"""

import math

from mlbug.exact_solution import EPS, nearly_parallel

GAPS = [float(f"{10.0 ** (-k / 2):.4g}") for k in range(31)]
FLOOR = 1e-19  # where an exact zero is drawn on the log axis

title = "An exact solution, up to rounding"

controls = {
    "coefficient": {"label": "Coefficient of x, second equation", "range": (-6.0, 6.0, 0.1), "value": 1.7},
    "gap": {"label": "Gap to a parallel line", "range": (1e-16, 1.0, 0.25), "log": True, "value": 0.1},
    "scale": {"label": "Factor on both equations", "range": (1e-6, 1e6, 0.5), "log": True, "value": 1.0},
    "tolerance": {"label": "Tolerance", "range": (1e-18, 0.01, 0.5), "log": True, "value": 1e-12},
    "judged": {
        "label": "What the tolerance judges",
        "options": {
            "residual": "the residual itself",
            "relative": "the residual over the size of the problem",
        },
        "value": "residual",
    },
}

presets = {
    "Sound": {},
    "Tolerance too tight": {"tolerance": 1e-17, "judged": "relative"},
    "Rescaled": {"scale": 1e6},
    "Rescaled, judged by size": {"scale": 1e6, "judged": "relative"},
    "Nearly parallel": {"gap": 1e-10},
}

bet = {
    "ask": "With a gap of 0.1 the answer has nearly 15 right digits. "
    "Make the gap 10⁻¹⁰: how many right digits are left?",
    "number": "digits",
    "values": {"gap": 1e-10},
    "range": (0.0, 16.0, 0.5),
}

numbers = {
    "x": {"label": "x", "format": ".10f"},
    "y": {"label": "y", "format": ".10f"},
    "residual": {"label": "residual", "format": ".1e"},
    "relative": {"label": "residual over size", "format": ".1e"},
    "margin": {"label": "judged value over tolerance", "format": ".1e"},
    "condition": {"label": "condition number", "format": ".1e"},
    "digits": {"label": "right digits of x and y", "format": ".1f"},
}


def frame(coefficient, gap, scale, tolerance, judged):
    pair = nearly_parallel(coefficient, gap, scale)
    x, y = pair.by_cramer()
    error = pair.error(x, y)
    found = {
        "x": x,
        "y": y,
        "residual": pair.residual(x, y),
        "relative": pair.backward_error(x, y),
        "condition": pair.condition_number,
        "digits": 16.0 if error == 0.0 else min(16.0, max(0.0, -math.log10(error))),
    }
    found["margin"] = found[judged] / tolerance
    passed = found[judged] <= tolerance
    floor = EPS * (pair.size(x, y) if judged == "residual" else 1.0)
    return {
        "tables": {
            "gaps": by_gap(coefficient, scale, judged),
            "here": {"gap": [gap], "left": [max(found[judged], FLOOR)]},
            "limits": {"left": [tolerance], "name": ["tolerance"]},
        },
        "numbers": found,
        "verdict": verdict(found, judged, tolerance, floor),
        "tone": "good" if passed else "bad",
    }


def by_gap(coefficient, scale, judged):
    rows = []
    for gap in GAPS:
        pair = nearly_parallel(coefficient, gap, scale)
        for method, answer in (("Cramer's rule", pair.by_cramer()), ("elimination", pair.by_elimination())):
            left = pair.residual(*answer) if judged == "residual" else pair.backward_error(*answer)
            rows.append((gap, method, max(left, FLOOR) if left == left else math.nan))
    columns = zip(*rows, strict=True)
    return dict(zip(("gap", "method", "left"), map(list, columns), strict=True))


def verdict(found, judged, tolerance, floor):
    if not math.isfinite(found["x"]):
        return "The determinant is 0: the second equation repeats the first, and no single answer exists."
    left, limit = short(found[judged]), short(tolerance)
    what = "residual" if judged == "residual" else "residual over size"
    if found[judged] <= tolerance:
        return (
            f"Passed: the {what}, {left}, is within the tolerance of {limit}. "
            f"The condition number of {found['condition']:.2g} leaves {found['digits']:.1f} right digits."
        )
    if found[judged] <= 8.0 * floor:
        return (
            f"Failed, though nothing is wrong: the {what} is {left}, and rounding alone may leave "
            f"{short(floor)}. A tolerance of {limit} is too tight."
        )
    return (
        f"Failed: the {what}, {left}, exceeds {limit}, and rounding alone explains only {short(floor)}. "
        f"At a condition number of {found['condition']:.2g} the formula itself loses digits."
    )


def short(value):
    mantissa, _, exponent = f"{value:.0e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def chart(width):
    import altair as alt

    methods = ["Cramer's rule", "elimination"]
    gap = alt.X(
        "gap:Q", title="gap to a parallel line", scale=alt.Scale(type="log", domain=[1e-16, 1], reverse=True),
        axis=alt.Axis(values=[1, 1e-4, 1e-8, 1e-12, 1e-16], format=".0e", grid=False),
    )  # fmt: skip
    left = alt.Y(
        "left:Q", title=None, scale=alt.Scale(type="log", domain=[FLOOR, 1], clamp=True),
        axis=alt.Axis(values=[1e-16, 1e-12, 1e-8, 1e-4, 1], format=".0e"),
    )  # fmt: skip
    scale = alt.Scale(domain=methods, range=["var(--c-broken)", "var(--c-sound)"])
    points = (
        alt.Chart(alt.NamedData("gaps"))
        .mark_point(filled=True, size=45, opacity=1)
        .encode(
            x=gap,
            y=left,
            color=alt.Color(
                "method:N", scale=scale, legend=alt.Legend(title=None, orient="top", direction="horizontal")
            ),
            shape=alt.Shape("method:N", scale=alt.Scale(domain=methods, range=["circle", "square"])),
        )
    )
    limit = alt.Chart(alt.NamedData("limits"))
    line = limit.mark_rule(strokeDash=[6, 4], strokeWidth=1.5).encode(y=left)
    name = limit.mark_text(align="left", dy=-8, color="var(--c-quiet)", fontSize=12)
    here = alt.Chart(alt.NamedData("here")).mark_point(
        shape="diamond", size=190, strokeWidth=2.2, color="var(--c-ink)"
    )
    return alt.layer(
        points, line, name.encode(x=alt.value(4), y=left, text="name:N"), here.encode(x=gap, y=left),
        title="residual against gap", width=width - 72, height=260,
    )  # fmt: skip
