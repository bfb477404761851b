"""Judge the parts of the data in which mistakes gather."""

import numpy as np

from .probing import all_inputs, as_table
from .report import Finding
from .shared_cause import feature_parts, rank_causes

SURE = 1e-6


def group_finding(guard, params, batch, cause, classes, field):
    """Judge a group: a fault needs a near-certain excess that difficulty alone does not explain."""
    if cause.p > 1e-3 or cause.lift < 2.0:
        return None
    if classes:
        systematic, how = _systematic_class(guard, params, batch, cause)
    else:
        systematic, how = _systematic_value(guard, params, batch, cause)
    sure = cause.p < SURE and cause.lift >= 3.0 and systematic
    evidence = {
        "error inside": cause.inside,
        "error outside": cause.outside,
        "lift": cause.lift,
        "p, corrected": cause.p,
        "gain if fixed": cause.gain,
        "examples": int(cause.rows.sum()),
    }
    lift = "without limit" if np.isinf(cause.lift) else f"{cause.lift:.1f} times"
    text = (
        f"On the {field} data the examples with {cause.key} = {cause.value} err {lift} as much as the others "
        f"({cause.inside:.3g} against {cause.outside:.3g}; chance {cause.p:.1e}){how}. "
        f"Put right, they would lower the mean error by {cause.gain:.3g}."
    )
    step = (
        f"Look at the raw inputs and targets with {cause.key} = {cause.value}: how were they made, "
        "cut, scaled, labeled?"
    )
    status = "fault" if sure else "suspect"
    return Finding("worst-mistakes", status, (cause.value, cause.key), evidence, text, step, "group")


def _systematic_class(guard, params, batch, cause):
    """Say whether the group is answered hardly better than by guessing its commonest class."""
    scores = guard.scores(params, guard.inputs_of(batch))
    targets = batch[-1][cause.rows]
    _, counts = np.unique(targets, return_counts=True)
    guess = 1.0 - counts.max() / counts.sum()
    sure = float(np.mean(scores[cause.rows].max(axis=1)))
    if cause.inside >= 0.5 * guess and cause.inside >= 0.25:
        return True, f", with a mean confidence of {sure:.2f}"
    return False, ""


def _systematic_value(guard, params, batch, cause):
    """Say whether the group's outputs are off to one side, or off by far more than the others."""
    scores = guard.scores(params, guard.inputs_of(batch))
    off = (scores.reshape(batch[-1].shape) - batch[-1]).reshape(len(scores), -1).mean(axis=1)
    spread = float(off[~cause.rows].std()) + 1e-300
    shift = float(off[cause.rows].mean() - off[~cause.rows].mean()) / spread
    if abs(shift) > 2.0 or cause.lift > 8.0:
        return True, f", {abs(shift):.1f} spreads too {'high' if shift > 0 else 'low'} on average"
    return False, ""


def feature_findings(batch, error, field, classes):
    """Report the feature of the raw input that gathers the mistakes most.

    Squared errors grow towards the ends of the inputs by nature: there it is a mere hint.
    """
    arrays = all_inputs(batch)
    table = as_table(arrays)
    if table is None or not np.isfinite(table).all() or not error.any() or len(error) < 40:
        return []
    causes = rank_causes(error, feature_parts(table, arrays[0].shape[1:] if len(arrays) == 1 else ()))
    if not causes or causes[0].p > SURE or causes[0].lift < 3.0:
        return []
    c = causes[0]
    text = (
        f"On the {field} data, inputs with {c.key} {c.value} err {c.lift:.1f} times as much as the others "
        f"({c.inside:.3g} against {c.outside:.3g}; chance {c.p:.1e}). Put right, the mean error "
        f"would fall by {c.gain:.3g}."
    )
    evidence = {
        "error inside": c.inside,
        "error outside": c.outside,
        "lift": c.lift,
        "p, corrected": c.p,
        "gain if fixed": c.gain,
    }
    step = "Look at these inputs: what happens to them on the way to the model?"
    return [
        Finding(
            "worst-mistakes", "suspect" if classes else "ok", ("inputs",), evidence, text, step, "feature"
        )
    ]
