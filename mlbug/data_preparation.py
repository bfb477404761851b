"""Were training and test data prepared in the same way?"""

import numpy as np

from .preparation_signs import Moments, other_unit, reordered, signature, standardized
from .probing import all_inputs, as_table
from .report import Finding


def prepared_differently(guard):
    """Compare column by column where training and test values lie.

    A fault needs the signature of a preparation, not a mere drift: one of the two standardized and the
    other not, each standardized by itself, one common factor, or columns in another order.
    """
    train, test = guard.problem.train, guard.problem.test
    if test is None:
        return []
    findings = []
    pairs = [("inputs", as_table(all_inputs(train)), as_table(all_inputs(test)))]
    if len(train) > 1 and train[-1].dtype.kind == "f" and test[-1].dtype.kind in "fiu":
        pairs.append(("targets", as_table(train[-1:]), as_table(test[-1:])))
    for place, a, b in pairs:
        if (
            a is None
            or b is None
            or min(len(a), len(b)) < 8
            or not (np.isfinite(a).all() and np.isfinite(b).all())
        ):
            continue
        if a.shape[1] != b.shape[1]:
            text = f"Training {place} have {a.shape[1]} columns, test {place} {b.shape[1]}."
            findings.append(_finding("fault", place, text, {}, "different-columns"))
            continue
        found = _compare(place, a, b)
        findings += [found] if found else []
    return findings


def _compare(place, a, b):
    moments = Moments(a, b)
    evidence = {
        "train mean, spread": [float(moments.mean_a.mean()), float(moments.std_a.mean())],
        "test mean, spread": [float(moments.mean_b.mean()), float(moments.std_b.mean())],
        "columns that differ": int(moments.differ.sum()),
    }
    own = standardized(a, exactly=True) and standardized(b, exactly=True) and len(moments.mean_a)
    if own and place == "inputs":
        text = (
            "Training and test inputs have mean 0 and spread 1 to the last digit, each by itself: "
            "the test data were prepared with their own statistics, so one value means different "
            "things in the two."
        )
        return _finding("fault", place, text, evidence, "own-statistics")
    if not moments.differ.any():
        return None
    order = reordered(moments)
    if order is not None:
        text = f"The test {place} have the training columns in another order: {order[:8]}."
        return _finding("fault", place, text, evidence | {"order": order}, "reordered-columns")
    if moments.differ.mean() > 0.5 and moments.large.mean() > 0.5:
        kind = signature(a, b, moments)
        text = (
            f"Training {place} lie around {evidence['train mean, spread'][0]:.3g} with spread "
            f"{evidence['train mean, spread'][1]:.3g}, test {place} around "
            f"{evidence['test mean, spread'][0]:.3g} with "
            f"spread {evidence['test mean, spread'][1]:.3g}"
        )
        if kind:
            return _finding("fault", place, f"{text}: {kind}.", evidence, "prepared-differently")
        return _finding(
            "suspect", place, f"{text}: they come from different sources.", evidence, "shifted-data"
        )
    units = other_unit(a, b, moments)
    if units:
        text = f"Columns of the test {place} are in another unit than in the training data (column: factor): "
        text += ", ".join(f"{j}: {factor:.4g}" for j, factor in list(units.items())[:8]) + "."
        return _finding("fault", place, text, evidence | {"factors": units}, "other-unit")
    if moments.large.any():
        columns = np.flatnonzero(moments.large & moments.differ).tolist()
        text = f"Columns {columns[:8]} of the test {place} lie elsewhere than in the training data."
        return _finding("suspect", place, text, evidence, "shifted-data") if columns else None
    return None


def _finding(status, place, text, evidence, kind):
    step = (
        "Fit every preparation on the training data, store its numbers, and send both sets through "
        "one function."
    )
    return Finding("data", status, (place,), evidence, text, step, kind)
