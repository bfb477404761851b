"""Rank the mistakes by confidence and search what they have in common."""

import numpy as np

from .fitting import minimize
from .guard import UserFunctionError
from .probing import all_inputs, as_table, finite
from .problem import as_guard
from .report import Finding
from .scoring import errors, is_classification
from .shared_cause import feature_parts, group_parts, rank_causes
from .train_test import trained

SURE = 1e-6


def check_worst_mistakes(problem, seed=0):
    """Train the program briefly and look at its mistakes, the most confident first.

    The mistakes are those on the test data where there are any: on training data confidence says
    little. The common cause is searched among the groups of the problem and simple features of the raw
    input, with the significance corrected for the number of parts tried.

    Parameters
    ----------
    problem : Problem or Guard
        The program, with `scores`.
    seed : int, optional
        Seed, passed on to the guard.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    if guard.problem.scores is None:
        return [
            Finding(
                "worst-mistakes", "skipped", meaning="Without scores there are no single mistakes to look at."
            )
        ]
    try:
        classes = is_classification(guard, guard.problem.train)
        params = _trained_params(guard)
        found = [f for field in _fields(guard) for f in _look(guard, params, field, classes)]
    except UserFunctionError as error:
        return [Finding("worst-mistakes", "skipped", meaning=f"The program could not be trained: {error}.")]
    if not found:
        text = "Scores and targets have no shapes in common, so that there is no error by example."
        return [Finding("worst-mistakes", "skipped", meaning=text)]
    told = [f for f in found if f.status != "ok"]
    return told or found[:1]


def _trained_params(guard):
    """Return trained parameters: by the program's rule where that learns about as much as the minimizer does."""
    fit, other = trained(guard), minimize(guard, guard.problem.train, steps=40)
    learned = fit.losses[0] - fit.losses[-1]
    if not finite(fit.params) or not learned >= 0.7 * (other.losses[0] - other.losses[-1]):
        return other.params
    return fit.params


def _fields(guard):
    """Return on which data to look: test first, training where only its groups are known."""
    sizes = {
        field: len(b[0]) for field in ("test", "train") if (b := getattr(guard.problem, field)) is not None
    }
    grouped = guard.problem.groups or {}
    fields = [f for f, n in sizes.items() if any(len(v) == n for v in grouped.values())]
    return fields or [next(iter(sizes))]


def _look(guard, params, field, classes):
    batch = getattr(guard.problem, field)
    error = errors(guard, params, batch, classes)
    if error is None or not np.isfinite(error).all():
        return []
    ranking = _ranking(guard, params, batch, classes, error)
    groups = {k: v for k, v in (guard.problem.groups or {}).items() if len(v) == len(error)}
    causes = rank_causes(error, group_parts(groups)) if error.any() else []
    findings = [f for f in (_group_finding(guard, params, batch, c, classes, field) for c in causes[:3]) if f]
    findings = findings or _feature_findings(batch, error, field, classes)
    if findings:
        first = findings[0]
        return [Finding(**{**vars(first), "evidence": first.evidence | ranking}), *findings[1:]]
    text = f"The mean error on the {field} data is {error.mean():.3g}; no group or simple feature gathers the mistakes."
    return [Finding("worst-mistakes", "ok", (), ranking, text, "", "no-shared-cause")]


def _ranking(guard, params, batch, classes, error):
    """Return the worst rows, and for a classifier how far confidence can be trusted."""
    if not classes:
        return {"worst rows": np.argsort(-error)[:8].tolist()}
    scores = guard.scores(params, guard.inputs_of(batch))
    confidence = scores.max(axis=1)
    wrong = np.flatnonzero(error > 0)
    worst = wrong[np.argsort(-confidence[wrong])]
    return {
        "worst rows": worst[:8].tolist(),
        "their confidence": np.round(confidence[worst[:8]], 3).tolist(),
        "mistakes": int(error.sum()),
        "mean confidence": float(confidence.mean()),
        "share right": float(1.0 - error.mean()),
        "calibration error": calibration_error(confidence, error == 0),
    }


def calibration_error(confidence, right, bins=10):
    """Return the expected calibration error: |share right - confidence|, averaged over confidence bins.

    Parameters
    ----------
    confidence : ndarray, shape (n,)
        Largest probability of each example.
    right : ndarray of bool, shape (n,)
        Whether the answer is right.
    bins : int
        Number of equal bins from 0 to 1.

    Returns
    -------
    float
        Between 0 (perfect) and 1.

    References
    ----------
    M. Naeini, G. Cooper and M. Hauskrecht, AAAI (2015).
    """
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [
        abs(float(np.sum(right[place == b]) - np.sum(confidence[place == b])))
        for b in range(bins)
        if (place == b).any()
    ]
    return sum(gaps) / len(confidence)


def _group_finding(guard, params, batch, cause, classes, field):
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
    step = f"Look at the raw inputs and targets with {cause.key} = {cause.value}: how were they made, cut, scaled, labeled?"
    status = "fault" if sure else "suspect"
    return Finding("worst-mistakes", status, (cause.value, cause.key), evidence, text, step, "group")


def _systematic_class(guard, params, batch, cause):
    """Say whether the group is answered worse than by guessing its commonest class, or most often wrong."""
    scores = guard.scores(params, guard.inputs_of(batch))
    targets = batch[-1][cause.rows]
    _, counts = np.unique(targets, return_counts=True)
    guess = 1.0 - counts.max() / counts.sum()
    sure = float(np.mean(scores[cause.rows].max(axis=1)))
    if cause.inside >= 0.8 * guess and cause.inside >= 0.3:
        return True, f", with a mean confidence of {sure:.2f}, no better than guessing"
    return False, ""


def _systematic_value(guard, params, batch, cause):
    """Say whether the group's outputs are off to one side, or off by far more than the others."""
    scores = guard.scores(params, guard.inputs_of(batch))
    off = (scores.reshape(batch[-1].shape) - batch[-1]).reshape(len(scores), -1).mean(axis=1)
    spread = float(off[~cause.rows].std()) + 1e-300
    shift = float(off[cause.rows].mean() - off[~cause.rows].mean()) / spread
    if abs(shift) > 2.0 or cause.lift > 15.0:
        return True, f", {abs(shift):.1f} spreads too {'high' if shift > 0 else 'low'} on average"
    return False, ""


def _feature_findings(batch, error, field, classes):
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
        f"({c.inside:.3g} against {c.outside:.3g}; chance {c.p:.1e}). Put right, the mean error would fall by {c.gain:.3g}."
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
