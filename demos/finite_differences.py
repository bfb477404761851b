"""Three formulas for a derivative, and how wrong each is over fifteen orders of magnitude of the step.

Error of each estimate of f′(x) against the step h; thin dashed lines are the theory, diamonds its best
step. From right to left the error first falls, as the formula promises; then rounding takes over.
"""

from functools import lru_cache

import numpy as np

from mlbug.difference_errors import best_steps, expected_errors, measured_errors
from mlbug.example_functions import EXAMPLE_FUNCTIONS
from mlbug.finite_differences import METHODS

SMALLEST, LARGEST, DECADE = 1e-20, 1.0, 0.25
LOWEST, HIGHEST = 1e-18, 1e4  # errors on the axis

title = "Error of a derivative against its step"

controls = {
    "function": {
        "label": "Function",
        "options": {name: entry.formula for name, entry in EXAMPLE_FUNCTIONS.items()},
        "value": "bump",
    },
    "point": {"label": "Point x", "range": (-2.0, 2.0, 0.05), "value": 0.35},
    "step": {"label": "Step h", "range": (SMALLEST, LARGEST, DECADE), "log": True, "value": 1e-8},
    "precision": {
        "label": "Precision",
        "options": {"float64": "double (float64)", "float32": "single (float32)"},
        "value": "float64",
    },
}

presets = {
    "Best forward step": {},
    "Formula too coarse": {"step": 0.1},
    "Rounding wins": {"step": 1e-14},
    "Only one is left": {"step": 1e-20},
    "A large constant": {"function": "offset", "point": 0.5},
    "Not analytic": {"function": "softsign", "point": 0.7},
}

bet = {
    "ask": "In double precision, as drawn, the forward difference does best near a step of 10⁻⁸. "
    "Numbers in single precision carry 7 digits instead of 16: which step is best there?",
    "number": "best_forward",
    "values": {"precision": "float32"},
    "range": (1e-16, 1.0, 1e-16),
    "log": True,
}

numbers = {
    "forward_error": {"label": "error, forward", "format": ".2g"},
    "centred_error": {"label": "error, centred", "format": ".2g"},
    "complex_error": {"label": "error, complex step", "format": ".2g"},
    "best_forward": {"label": "best step, forward", "format": ".2g"},
    "best_centred": {"label": "best step, centred", "format": ".2g"},
    "best_complex": {"label": "best step, complex: down to", "format": ".0g"},
}


def frame(function, point, step, precision):
    """Compute errors and theory over all steps, and at the chosen one."""
    entry, dtype = EXAMPLE_FUNCTIONS[function], np.dtype(precision).type
    chosen = {method: value[0] for method, value in measured_errors(entry, point, [step], dtype).items()}
    best = best_steps(entry, point, dtype)
    resolution = half_unit(entry, point, dtype)
    return {
        "tables": {
            "errors": curves(function, point, precision),
            "chosen": {
                "step": [step] * 3,
                "method": list(METHODS),
                "drawn": [np.maximum(chosen[m], resolution) for m in METHODS],
            },
            "best": marks(entry, point, dtype, best),
        },
        "numbers": {f"{m}_error": chosen[m] for m in METHODS} | {f"best_{m}": best[m] for m in METHODS},
        **judged(step, chosen, best, abs(float(entry.derivative(point)))),
    }


@lru_cache(maxsize=16)
def curves(function, point, precision):
    """Compute the three errors over all steps; they do not depend on the chosen one."""
    entry, dtype = EXAMPLE_FUNCTIONS[function], np.dtype(precision).type
    steps = 10.0 ** np.linspace(np.log10(SMALLEST), np.log10(LARGEST), 81)
    errors = np.concatenate(list(measured_errors(entry, point, steps, dtype).values()))
    return {
        "step": np.tile(steps, 3),
        "method": [method for method in METHODS for _ in steps],
        "error": errors,
        "drawn": np.maximum(errors, half_unit(entry, point, dtype)),
        "theory": np.concatenate(list(expected_errors(entry, point, steps, dtype).values())),
    }


def half_unit(entry, point, dtype):
    """Return half a unit in the last place of f′(x): smaller errors, zero too, are drawn there."""
    slope = abs(dtype(entry.derivative(float(dtype(point)))))
    return max(float(np.spacing(slope)) / 2.0, LOWEST)


def marks(entry, point, dtype, best):
    """Place each best step on its theory line; one that is off the axis is left out."""
    drawn = [m for m in METHODS if SMALLEST <= best[m] <= LARGEST]
    return {
        "step": [best[m] for m in drawn],
        "method": drawn,
        "theory": [float(expected_errors(entry, point, [best[m]], dtype)[m][0]) for m in drawn],
    }


def judged(step, chosen, best, slope):
    """Say what rules at the chosen step, and rest it on the errors there."""
    forward, centred, by_complex = (chosen[method] for method in METHODS)
    if by_complex > 0.01 * slope and step < 1e-3:
        said = f"|x| throws the imaginary part away: the complex step is off by {by_complex:.2g} at any h"
        if not np.isnan(centred):
            said += f", and the centred difference by {written(centred)}"
        return {"verdict": f"{said}.", "tone": "bad"}
    if np.isnan(centred):
        said = "x + h rounds back to x and no difference is left; the complex step is off by"
        return {"verdict": f"{said} {written(by_complex)}.", "tone": "bad"}
    said = (
        f"The forward difference {rules(step, best['forward'])}, off by {written(forward)}; "
        f"the centred one {rules(step, best['centred'])}, off by {written(centred)}; "
        f"the complex step is off by {written(by_complex)}."
    )
    return {"verdict": said, "tone": "good" if centred < 1e-3 * slope else "bad"}


def rules(step, best):
    """Say on which side of its best step a formula stands."""
    if step < best / 10:
        return "loses to rounding"
    return "is too coarse" if step > 10 * best else "is near its best"


def written(error):
    """Write an error for the verdict."""
    return f"{error:.1e}" if error else "exactly 0"


def chart(width):
    """Draw both on logarithmic axes."""
    import altair as alt

    wide = width > 500
    names = list(METHODS)
    hues = alt.Scale(domain=names, range=["var(--c-broken)", "var(--c-sound)", "var(--c-good)"])
    color = alt.Color(
        "method:N", scale=hues, legend=alt.Legend(title=None, orient="top", direction="horizontal")
    )
    dash = alt.StrokeDash(
        "method:N", scale=alt.Scale(domain=names, range=[[7, 3], [1, 0], [2, 2]]), legend=None
    )
    shape = alt.Shape(
        "method:N", scale=alt.Scale(domain=names, range=["triangle-up", "circle", "square"]), legend=None
    )
    x = alt.X("step:Q", title="step h", **powers_of_ten(SMALLEST, LARGEST, range(-20, 1, 4 if wide else 5)))

    def layer(table, column):
        y = alt.Y(f"{column}:Q", title="absolute error", **powers_of_ten(LOWEST, HIGHEST, range(-16, 5, 4)))
        return alt.Chart(alt.NamedData(table)).encode(x=x, y=y)

    at = alt.Chart(alt.NamedData("chosen")).mark_rule(strokeWidth=1, strokeDash=[2, 3]).encode(x=x)
    theory = layer("errors", "theory").mark_line(strokeWidth=1.2, clip=True, strokeDash=[1, 3])
    measured = layer("errors", "drawn").mark_line(strokeWidth=1.8, clip=True)
    best = layer("best", "theory").mark_point(
        shape="diamond", size=140, fill="var(--c-paper)", strokeWidth=1.8
    )
    here = layer("chosen", "drawn").mark_point(size=75, filled=True, clip=True)
    return alt.layer(
        at,
        theory.encode(color=color),
        measured.encode(color=color, strokeDash=dash),
        best.encode(stroke=alt.Color("method:N", scale=hues, legend=None), opacity=alt.value(1)),
        here.encode(color=color, shape=shape, opacity=alt.value(1)),
        width=width - 72,
        height=330 if wide else 300,
    )


def powers_of_ten(low, high, exponents):
    """Return scale and axis of a logarithmic channel with a label at some powers of ten."""
    import altair as alt

    return {
        "scale": alt.Scale(type="log", domain=[low, high]),
        "axis": alt.Axis(values=[10.0**k for k in exponents], format=".0e", gridOpacity=0.5),
    }
