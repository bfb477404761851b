"""A quick predictor, by which the data check sees whether inputs tell anything about targets."""

import numpy as np


def features(table, seed=0, width=60):
    """Turn a table of numbers into standardized columns and random tanh features of them.

    Parameters
    ----------
    table : ndarray, shape (n, d)
        Inputs; missing values count as the column's mean.
    seed : int
        Seed of the random features.
    width : int
        Number of random features.

    Returns
    -------
    ndarray, shape (n, min(d, 60) + width + 1)
    """
    table = np.where(np.isfinite(table), table, np.nan)
    known = np.isfinite(table)
    mean = np.where(known, table, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, table, mean) - mean
    spread = filled.std(axis=0)
    scaled = filled[:, spread > 0] / spread[spread > 0]
    rng = np.random.default_rng(seed)
    if scaled.shape[1] > 60:
        scaled = scaled @ rng.standard_normal((scaled.shape[1], 60)) / np.sqrt(scaled.shape[1])
    weights = rng.standard_normal((scaled.shape[1], width)) / np.sqrt(max(scaled.shape[1], 1))
    hidden = np.tanh(1.5 * scaled @ weights + rng.standard_normal(width))
    return np.concatenate([scaled, hidden, np.ones((len(table), 1))], axis=1)


def target_columns(targets):
    """Return targets as standardized float columns (n, k): one column a class for integers of few values.

    Returns None where the targets are not numeric or do not vary.
    """
    if targets.dtype.kind not in "fiub" or not np.isfinite(targets.astype(float)).all():
        return None
    flat = targets.reshape(len(targets), -1)
    if flat.shape[1] == 1 and flat.dtype.kind in "iub" and len(np.unique(flat)) <= 50:
        columns = (flat == np.unique(flat)).astype(float)
    else:
        columns = flat[:, :20].astype(float)
    columns = columns - columns.mean(axis=0)
    spread = columns.std(axis=0)
    return columns[:, spread > 0] / spread[spread > 0] if (spread > 0).any() else None


class Explainer:
    """Share of target variance that held-out ridge regression explains, for many targets on one input.

    The work on the inputs is done once, so that a shift of the targets costs a matrix product.

    Parameters
    ----------
    design : ndarray, shape (n, p)
        What `features` returns.
    ridge : float
        Ridge penalty in units of the mean diagonal of the normal matrix.
    folds : int
        Number of folds.
    """

    def __init__(self, design, ridge=0.03, folds=5):
        self.parts = []
        fold = np.arange(len(design)) * folds // len(design)  # blocks, so that neighbors stay together
        for k in range(folds):
            seen, held = design[fold != k], design[fold == k]
            normal = seen.T @ seen
            normal[np.diag_indices_from(normal)] += ridge * np.trace(normal) / len(normal) + 1e-9
            self.parts.append((fold != k, held @ np.linalg.solve(normal, seen.T), fold == k))

    def predict(self, columns):
        """Return held-out predictions of `columns`, shape (n, k)."""
        result = np.empty_like(columns)
        for seen, smoother, held in self.parts:
            result[held] = smoother @ columns[seen]
        return result

    def explained(self, columns):
        """Return the share of the variance of `columns`, shape (n, k), explained out of sample."""
        return float(1.0 - np.mean((self.predict(columns) - columns) ** 2) / np.mean(columns**2))


def ridge(design, columns, penalty=0.03):
    """Return ridge weights of shape (p, k) for features (n, p) and target columns (n, k)."""
    normal = design.T @ design
    normal[np.diag_indices_from(normal)] += penalty * np.trace(normal) / len(normal) + 1e-9
    return np.linalg.solve(normal, design.T @ columns)
