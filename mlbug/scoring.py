"""What the scores of a program say about its examples."""

import numpy as np


def is_classification(guard, batch):
    """Say whether targets are class numbers and scores their probabilities.

    That is so where the targets are integers of shape (n,), scores exist with two columns or more, and
    each row sums to 1.
    """
    targets = batch[-1]
    if guard.problem.scores is None or len(batch) < 2 or targets.ndim != 1 or targets.dtype.kind not in "iub":
        return False
    scores = guard.scores(guard.params(), guard.inputs_of(batch))
    if scores.ndim != 2 or scores.shape[1] < 2:
        return False
    scores = scores[np.isfinite(scores).all(axis=1)]
    if not len(scores):
        return False
    return bool((scores >= 0).all() and np.abs(scores.sum(axis=1) - 1.0).max() < 1e-3)


def predictions(scores, targets):
    """Return scores in the shape of float targets, or None where the two do not correspond."""
    if scores.size == targets.size and len(scores) == len(targets):
        return scores.reshape(targets.shape)
    return None


def errors(guard, params, batch, classes):
    """Return each example's error: 0 or 1 for a classifier, else the squared error per output.

    Where the targets have two values alone, such as -1 and 1, the side of their middle counts.

    Parameters
    ----------
    guard : Guard
        The program.
    params : dict of str to ndarray
        Parameters.
    batch : tuple of ndarray
        Examples.
    classes : bool
        Whether the program is a classifier, as `is_classification` says.

    Returns
    -------
    ndarray, shape (n,), or None
        None where scores do not correspond to targets.
    """
    scores = guard.scores(params, guard.inputs_of(batch))
    targets = guard.targets_of(batch)
    if classes:
        return (scores.argmax(axis=1) != targets).astype(float)
    fit = predictions(scores, targets.astype(float)) if targets.dtype.kind in "fiub" else None
    if fit is None:
        return None
    sides = two_values(guard.problem.train[-1])
    if sides is not None:
        middle = float(np.mean(sides))
        return ((fit > middle) != (targets > middle)).reshape(len(targets), -1).mean(axis=1)
    return np.square(fit - targets).reshape(len(targets), -1).mean(axis=1)


def two_values(targets):
    """Return the two values of targets that have no others, or None."""
    values = np.unique(targets)
    return values if len(values) == 2 else None


def baseline_error(batch, test, classes):
    """Return the error on `test` of the constant answer learned from `batch`: commonest class, or mean."""
    targets, judged = batch[-1], test[-1]
    if classes:
        values, counts = np.unique(targets, return_counts=True)
        return float(np.mean(judged != values[counts.argmax()]))
    sides = two_values(targets)
    if sides is not None:
        middle = float(np.mean(sides))
        return float(np.mean((judged > middle) != (np.mean(targets > middle, axis=0) > 0.5)))
    return float(np.mean(np.square(judged - targets.mean(axis=0))))
