"""Search what the mistakes have in common: groups, and simple features of the raw input."""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Cause:
    """A part of the examples in which mistakes are more frequent.

    Parameters
    ----------
    key, value : str
        Group key and value, or feature and range.
    rows : ndarray of bool, shape (n,)
        The part.
    inside, outside : float
        Mean error in the part and in the rest.
    lift : float
        ``inside / outside``, infinite where the rest is without error.
    p : float
        Chance of such an excess without a connection, times the number of parts tried (Bonferroni).
    gain : float
        By how much the mean error of all would fall if the part erred like the rest.
    """

    key: str
    value: str
    rows: np.ndarray
    inside: float
    outside: float
    lift: float
    p: float
    gain: float


def group_parts(groups):
    """Return (key, value, rows) for each value of each group that has at least 4 and not all examples."""
    parts = []
    for key, values in groups.items():
        found, counts = np.unique(values, return_counts=True)
        if len(found) > 200:
            continue
        for value, count in zip(found, counts, strict=True):
            if 4 <= count < len(values):
                parts.append((key, str(value), values == value))
    return parts


def feature_parts(table, shape):
    """Return (feature, range, rows) for the low and the high fifth of simple features of the inputs.

    Parameters
    ----------
    table : ndarray, shape (n, d)
        Inputs.
    shape : tuple of int
        Shape of one input; two axes or more are taken as an image, whose border is a feature too.

    Returns
    -------
    list of tuple
    """
    features = {
        "mean": table.mean(axis=1),
        "spread": table.std(axis=1),
        "largest": table.max(axis=1),
        "smallest": table.min(axis=1),
        "share of zeros": (table == 0.0).mean(axis=1),
        "position in the file": np.arange(len(table), dtype=float),
    }
    if len(shape) >= 2 and min(shape[:2]) >= 4:
        image = np.abs(table.reshape(len(table), *shape))
        edge = np.ones(shape, dtype=bool)
        edge[1:-1, 1:-1] = False
        total = image.reshape(len(table), -1).sum(axis=1)
        features["share of brightness at the border"] = image[:, edge].sum(axis=1) / np.where(
            total > 0, total, 1.0
        )
    if table.shape[1] <= 30:
        features |= {f"input {j}": table[:, j] for j in range(table.shape[1])}
    parts = []
    for name, values in features.items():
        low, high = np.quantile(values, [0.2, 0.8])
        for text, rows in (_end(values, low, "<="), _end(values, high, ">=")):
            if 4 <= rows.sum() <= 0.5 * len(rows):
                parts.append((name, text, rows))
    return parts


def _end(values, limit, sign):
    """Return a text and the rows at one end of the values; without the limit itself where most sit on it."""
    rows = values <= limit if sign == "<=" else values >= limit
    if rows.mean() > 0.5:
        sign = sign[0]
        rows = values < limit if sign == "<" else values > limit
    return f"{sign} {limit:.3g}", rows


def rank_causes(error, parts):
    """Return the parts in which errors are larger, the least likely by chance first.

    Parameters
    ----------
    error : ndarray, shape (n,)
        Error of each example; 0 or 1 gives Fisher's exact test, other values a rank test.
    parts : list of tuple
        Key, value and rows of each part.

    Returns
    -------
    list of Cause
    """
    binary = bool(np.isin(error, (0.0, 1.0)).all())
    ranks = None if binary else np.argsort(np.argsort(error)).astype(float)
    causes = []
    for key, value, rows in parts:
        inside, outside = float(error[rows].mean()), float(error[~rows].mean())
        if inside <= outside:
            continue
        p = _fisher(error, rows) if binary else _rank_test(ranks, rows)
        lift = inside / outside if outside > 0.0 else math.inf
        gain = float(rows.mean()) * (inside - outside)
        causes.append(Cause(key, value, rows, inside, outside, lift, min(1.0, p * len(parts)), gain))
    return sorted(causes, key=lambda cause: (cause.p, -cause.lift))


def _fisher(error, rows):
    """Return the one-sided p-value of Fisher's exact test that errors gather in `rows`."""
    n, k, m = len(error), int(error.sum()), int(rows.sum())
    hits = int(error[rows].sum())
    total = _log_choose(n, m)
    logs = [
        _log_choose(k, i) + _log_choose(n - k, m - i) - total
        for i in range(hits, min(k, m) + 1)
        if m - i <= n - k
    ]
    return min(1.0, math.fsum(math.exp(x) for x in logs))


def _log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _rank_test(ranks, rows):
    """Return the one-sided p-value of the Mann-Whitney test by its normal approximation."""
    m, rest = int(rows.sum()), int((~rows).sum())
    u = float(ranks[rows].sum()) - m * (m - 1) / 2.0
    z = (u - m * rest / 2.0) / math.sqrt(m * rest * (m + rest + 1) / 12.0)
    return 0.5 * math.erfc(z / math.sqrt(2.0))
