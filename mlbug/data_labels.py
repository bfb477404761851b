"""Labels that are out of range, out of the output's reach, or nearly all alike."""

import numpy as np

from .probing import attempt
from .report import Finding
from .scoring import is_classification, predictions


def label_range(guard):
    """Compare class numbers with the number of classes that the scores have."""
    findings = []
    for field in ("train", "test"):
        batch = getattr(guard.problem, field)
        if batch is None or not is_classification(guard, guard.problem.train):
            continue
        k = guard.scores(guard.params(), guard.inputs_of(batch)).shape[1]
        labels = batch[-1].astype(int)
        outside = np.unique(labels[(labels < 0) | (labels >= k)])
        if len(outside):
            text = (
                f"The {field} targets contain {', '.join(map(str, outside[:5]))}, but the scores "
                f"have {k} columns, "
                f"0 to {k - 1}. A negative number silently counts from the end."
            )
            step = "Number the classes from 0, by one table for training and test."
            findings.append(
                Finding(
                    "data",
                    "fault",
                    ("targets",),
                    {"outside": outside.tolist(), "classes": k},
                    text,
                    step,
                    "label-range",
                )
            )
    return findings


def output_range(guard):
    """Look for targets that the output cannot reach, whatever the parameters."""
    batch = guard.problem.train
    if guard.problem.scores is None or batch[-1].dtype.kind != "f" or not np.isfinite(batch[-1]).all():
        return []
    low, high = _reach(guard, batch)
    if low is None:
        return []
    targets = batch[-1]
    margin = 0.02 * max(float(np.ptp(targets)), 1e-300)
    below = float(np.mean(targets < low - margin)) if np.isfinite(low) else 0.0
    above = float(np.mean(targets > high + margin)) if np.isfinite(high) else 0.0
    if below + above < 0.02:
        return []
    evidence = {
        "lowest output": low,
        "highest output": high,
        "targets": [float(targets.min()), float(targets.max())],
    }
    text = (
        f"{below + above:.0%} of the targets, which run from {targets.min():.3g} to "
        f"{targets.max():.3g}, are out of reach of "
        f"the output: at random parameters, small and large, it stays within {low:.3g} and {high:.3g}."
    )
    step = "Take a last layer without that limit, or bring the targets into its range."
    status = "fault" if below + above > 0.1 else "suspect"
    return [Finding("data", status, ("targets",), evidence, text, step, "unreachable-targets")]


def _reach(guard, batch):
    """Return the bounds that the output keeps while the parameters grow; infinite where it keeps none."""
    rng = np.random.default_rng(guard.seed)
    start, inputs = guard.params(), guard.inputs_of(batch)
    ranges = []
    for size in (1.0, 10.0, 100.0, 1000.0):
        found = []
        for _ in range(4):
            params = {
                name: size * (value + 0.5 * rng.standard_normal(value.shape)) for name, value in start.items()
            }
            scores = attempt(guard.scores, params, inputs)
            if scores is None or predictions(scores, batch[-1]) is None or not np.isfinite(scores).all():
                return None, None
            found.append((float(scores.min()), float(scores.max())))
        ranges.append((min(low for low, _ in found), max(high for _, high in found)))
    lows, highs = np.array(ranges).T
    spread = max(float(highs[-1] - lows[-1]), 1e-300)
    if spread <= 1e-9 * max(abs(lows[-1]), abs(highs[-1])):
        return None, None  # an output that never moves is a matter for the setup check
    low = float(lows.min()) if lows[-1] >= lows[1] - 1e-3 * abs(lows[1]) - 1e-9 else -np.inf
    high = float(highs.max()) if highs[-1] <= highs[1] + 1e-3 * abs(highs[1]) + 1e-9 else np.inf
    return low, high


def imbalance(guard):
    """Report classes that are nearly the whole, or missing from the training data."""
    batch, test = guard.problem.train, guard.problem.test
    targets = batch[-1]
    if len(batch) < 2 or targets.ndim != 1 or targets.dtype.kind not in "iub" or len(np.unique(targets)) > 50:
        return []
    values, counts = np.unique(targets, return_counts=True)
    share = float(counts.max() / counts.sum())
    evidence = {"count by class": {str(v): int(c) for v, c in zip(values, counts, strict=True)}}
    if share >= 0.95:
        text = (
            f"Class {values[counts.argmax()]} has {share:.1%} of the examples: always answering it "
            f"errs in {1 - share:.1%}."
        )
        step = "Judge by the error on each class, not by the overall one; weight or resample the rare ones."
        return [Finding("data", "suspect", ("targets",), evidence, text, step, "imbalance")]
    judged = test is not None and is_classification(guard, batch)
    missing = sorted(set(np.unique(test[-1]).tolist()) - set(values.tolist())) if judged else []
    if missing:
        text = f"Class {', '.join(map(str, missing))} occurs in the test data and never in the training data."
        step = (
            "Split the data anew, each class in both parts; see that one table numbers the classes of both."
        )
        return [Finding("data", "suspect", ("targets",), evidence, text, step, "missing-class")]
    return []
