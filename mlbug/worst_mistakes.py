"""Rank the mistakes by confidence and search what they have in common."""

import numpy as np

from .fitting import minimize, trained
from .guard import UserFunctionError
from .mistake_causes import feature_findings, group_finding
from .probing import finite
from .problem import as_guard
from .report import Finding
from .scoring import errors, is_classification
from .shared_cause import group_parts, rank_causes


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
    """Return parameters trained by the program's rule where that learns about as much as the minimizer."""
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
    findings = [f for f in (group_finding(guard, params, batch, c, classes, field) for c in causes[:3]) if f]
    findings = findings or feature_findings(batch, error, field, classes)
    if findings:
        first = findings[0]
        return [Finding(**{**vars(first), "evidence": first.evidence | ranking}), *findings[1:]]
    text = (
        f"The mean error on the {field} data is {error.mean():.3g}; no group or simple feature gathers "
        "the mistakes."
    )
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
