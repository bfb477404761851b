"""Were training and test data prepared in the same way?"""

import numpy as np

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
    moments = _Moments(a, b)
    evidence = {
        "train mean, spread": [float(moments.mean_a.mean()), float(moments.std_a.mean())],
        "test mean, spread": [float(moments.mean_b.mean()), float(moments.std_b.mean())],
        "columns that differ": int(moments.differ.sum()),
    }
    own = _standardized(a, exactly=True) and _standardized(b, exactly=True) and len(moments.mean_a)
    if own and place == "inputs":
        text = (
            "Training and test inputs have mean 0 and spread 1 to the last digit, each by itself: "
            "the test data were "
            "prepared with their own statistics, so one value means different things in the two."
        )
        return _finding("fault", place, text, evidence, "own-statistics")
    if not moments.differ.any():
        return None
    order = _reordered(moments)
    if order is not None:
        text = f"The test {place} have the training columns in another order: {order[:8]}."
        return _finding("fault", place, text, evidence | {"order": order}, "reordered-columns")
    if moments.differ.mean() > 0.5 and moments.large.mean() > 0.5:
        kind = _signature(a, b, moments)
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


class _Moments:
    """Means and spreads of the columns that vary in one of two tables, and which of them differ."""

    def __init__(self, a, b):
        used = (a.std(axis=0) > 0) | (b.std(axis=0) > 0)
        a, b = a[:, used], b[:, used]
        self.mean_a, self.mean_b = a.mean(axis=0), b.mean(axis=0)
        self.std_a, self.std_b = a.std(axis=0), b.std(axis=0)
        # standard errors of mean and spread from the fourth moment, so that heavy tails raise no alarm
        se = np.sqrt(self.std_a**2 / len(a) + self.std_b**2 / len(b)) + 1e-300
        spread_error = _spread_error(a, self.std_a) + _spread_error(b, self.std_b)
        ratio = np.log(np.maximum(self.std_b, 1e-300) / np.maximum(self.std_a, 1e-300))
        z = np.maximum(np.abs(self.mean_a - self.mean_b) / se, np.abs(ratio) / spread_error)
        self.log_ratio = ratio
        self.differ = z > 7.0
        pooled = np.maximum(np.minimum(self.std_a, self.std_b), 1e-300)
        self.large = (np.abs(self.mean_a - self.mean_b) / pooled > 1.0) | (np.abs(ratio) > np.log(2.0))


def _spread_error(table, spread):
    centered = (table - table.mean(axis=0)) / np.maximum(spread, 1e-300)
    excess = np.maximum(np.mean(centered**4, axis=0) - 1.0, 0.1)
    return np.sqrt(excess / (4.0 * len(table)))


def _standardized(table, exactly=False):
    """Say whether all varying columns have mean 0 and spread 1, to rounding or to a few percent."""
    spread = table.std(axis=0)
    table = table[:, spread > 0]
    if table.shape[1] == 0:
        return False
    mean, spread = np.abs(table.mean(axis=0)), table.std(axis=0)
    sample = table.std(axis=0, ddof=1) if len(table) > 1 else spread
    tolerance = 1e-6 if exactly else 0.02
    near = min(float(np.abs(spread - 1.0).max()), float(np.abs(sample - 1.0).max()))
    return bool(mean.max() < tolerance and near < tolerance)


def _signature(a, b, moments):
    """Name the preparation that one set had and the other had not, or None."""
    if _standardized(a) != _standardized(b):
        return "one of the two is standardized, the other is not"
    unit_a, unit_b = _in_unit(a), _in_unit(b)
    if unit_a != unit_b:
        return "one of the two is scaled to the range 0 to 1, the other is not"
    spread = float(np.std(moments.log_ratio))
    factor = float(np.exp(np.median(moments.log_ratio)))
    zero = np.abs(moments.mean_b - factor * moments.mean_a) <= 0.5 * moments.std_b
    if spread < 0.3 and not 0.5 < factor < 2.0 and zero.mean() > 0.7:
        return f"the test values are {factor:.3g} times the training values in every column"
    return None


def _in_unit(table):
    low, high = float(table.min()), float(table.max())
    return low >= -1.001 and high <= 1.001


def _reordered(moments):
    """Return a column order under which the two sets agree, if the order as it stands does not, or None."""
    k = len(moments.mean_a)
    if k < 2 or moments.differ.sum() < 2 or k > 500:
        return None
    scale = np.sqrt(moments.std_a**2 + moments.std_b**2) + 1e-300
    cost = np.abs(moments.mean_a[:, None] - moments.mean_b[None, :]) / scale[:, None] + np.abs(
        np.log((moments.std_a[:, None] + 1e-300) / (moments.std_b[None, :] + 1e-300))
    )
    order, free = np.full(k, -1), set(range(k))
    for flat in np.argsort(cost, axis=None):
        i, j = divmod(int(flat), k)
        if order[i] < 0 and j in free:
            order[i] = j
            free.discard(j)
    matched = cost[np.arange(k), order]
    moved = order != np.arange(k)
    before = cost[np.arange(k), np.arange(k)]
    good = matched.max() < 0.35 and before[moved].min(initial=np.inf) > 3.0 * matched.max() + 0.3
    return order.tolist() if moved.sum() >= 2 and good else None
