"""Signs by which a preparation of the data shows in the moments of its columns."""

import numpy as np


class Moments:
    """Means and spreads of the columns that vary in one of two tables, and which of them differ."""

    def __init__(self, a, b):
        used = (a.std(axis=0) > 0) | (b.std(axis=0) > 0)
        self.columns = np.flatnonzero(used)
        a, b = a[:, used], b[:, used]
        self.mean_a, self.mean_b = a.mean(axis=0), b.mean(axis=0)
        self.std_a, self.std_b = a.std(axis=0), b.std(axis=0)
        # standard errors of mean and spread from the fourth moment, so that heavy tails raise no alarm
        se = np.sqrt(self.std_a**2 / len(a) + self.std_b**2 / len(b)) + 1e-300
        spread_error = _spread_error(a, self.std_a) + _spread_error(b, self.std_b)
        ratio = np.log(np.maximum(self.std_b, 1e-300) / np.maximum(self.std_a, 1e-300))
        z = np.maximum(np.abs(self.mean_a - self.mean_b) / se, np.abs(ratio) / spread_error)
        self.log_ratio = ratio
        self.z = z
        self.differ = z > 7.0
        pooled = np.maximum(np.minimum(self.std_a, self.std_b), 1e-300)
        self.large = (np.abs(self.mean_a - self.mean_b) / pooled > 1.0) | (np.abs(ratio) > np.log(2.0))


def _spread_error(table, spread):
    centered = (table - table.mean(axis=0)) / np.maximum(spread, 1e-300)
    excess = np.maximum(np.mean(centered**4, axis=0) - 1.0, 0.1)
    return np.sqrt(excess / (4.0 * len(table)))


def standardized(table, exactly=False):
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


def signature(a, b, moments):
    """Name the preparation that one set had and the other had not, or None."""
    if standardized(a) != standardized(b):
        return "one of the two is standardized, the other is not"
    unit_a, unit_b = _in_unit(a), _in_unit(b)
    if unit_a != unit_b:
        return "one of the two is scaled to the range 0 to 1, the other is not"
    spread = float(np.std(moments.log_ratio))
    factor = float(np.exp(np.median(moments.log_ratio)))
    zero = np.abs(moments.mean_b - factor * moments.mean_a) <= 0.5 * moments.std_b
    if spread < 0.3 and not 0.5 < factor < 2.0 and zero.mean() > 0.7:
        return f"the test values are {factor:.3g} times the training values in every column"
    return _changed(a, b)


def other_unit(a, b, moments):
    """Return by column the factor of test to training values, where it is one and large."""
    factor = np.exp(moments.log_ratio)
    error = np.sqrt(moments.std_b**2 / len(b) + (factor * moments.std_a) ** 2 / len(a))
    same = np.abs(moments.mean_b - factor * moments.mean_a) <= 4.0 * error
    found = np.flatnonzero(moments.differ & same & (np.abs(moments.log_ratio) > np.log(5.0)))
    return {int(moments.columns[j]): float(factor[j]) for j in found}


def _changed(a, b):
    """Name a change of values after which the two sets agree in all columns, or None."""
    changes = {
        "the logarithm": np.log,
        "the logarithm of one plus": np.log1p,
        "the square root": np.sqrt,
        "the negative": np.negative,
        "one minus": lambda x: 1.0 - x,
        "255 minus": lambda x: 255.0 - x,
    }
    for name, change in changes.items():
        for first, second, word in ((a, b, "training"), (b, a, "test")):
            with np.errstate(all="ignore"):
                moved = change(second)
            if np.isfinite(moved).all() and Moments(first, moved).z.max(initial=0.0) < 4.0:
                return f"the {word} values are {name} of what the other set holds"
    return None


def _in_unit(table):
    low, high = float(table.min()), float(table.max())
    return low >= -1.001 and high <= 1.001


def reordered(moments):
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
