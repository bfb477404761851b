"""Fit a few examples together."""

import numpy as np

from .example_fit import chosen_rows
from .fitting import minimize
from .probing import perturbed
from .report import Finding

HANDFUL = 6
ALIKE = 0.005  # a line through six random points is as flat as that once in a hundred times


def handful(guard, judge):
    """Fit a few examples; a program that cannot may be too small, so that this is no fault by itself."""
    chosen = np.array(chosen_rows(guard, 2 * HANDFUL))
    rows = chosen[:HANDFUL]
    batch = guard.take(guard.problem.train, rows)
    if len(rows) < 2 or not (batch[-1] != batch[-1][:1]).any():
        return []
    fit = minimize(guard, batch, steps=150)
    misfit = judge.misfit(fit.params, batch)
    evidence = {"rows": rows.tolist(), "losses": [fit.losses[0], fit.losses[-1]], "misfit": misfit}
    text = f"{len(rows)} examples together: the loss goes from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}"
    if misfit < 0.3:
        return [Finding("tiny-dataset", "ok", (), evidence, text + ", and all are fitted.", "", "handful")]
    other = guard.take(guard.problem.train, chosen[-HANDFUL:])
    alike = _one_answer(guard, judge, batch) and _one_answer(guard, judge, other)
    text += "; they get one answer all the same." if alike else ", and they are not all fitted."
    if alike:
        step = (
            "See whether targets stay with their inputs in the loss, and whether the input reaches "
            "the output."
        )
        return [Finding("tiny-dataset", "fault", ("targets",), evidence, text, step, "one-answer")]
    step = "A small model may be unable to; otherwise look at the examples that are left over."
    return [Finding("tiny-dataset", "ok", (), evidence, f"{text} {step}", "", "handful")]


def _one_answer(guard, judge, batch):
    """Say whether fits from several starts all come to rest with one answer for all examples."""
    rng = np.random.default_rng(guard.seed)
    for size in (0.0, 0.3, 0.6, 1.0):
        fit = minimize(guard, batch, perturbed(guard.params(), rng, size), steps=100)
        spread = float(np.ptp(guard.scores(fit.params, guard.inputs_of(batch)), axis=0).max())
        if fit.reason == "budget" or spread > ALIKE * (1.0 if judge.kind == "class" else judge.scale):
            return False
    return True
