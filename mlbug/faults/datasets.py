"""Random data sets that a right program can learn."""

import numpy as np


def standardized(train, test):
    """Return both data sets with the inputs scaled by the training set's mean and deviation."""
    mean, deviation = train[0].mean(axis=0), train[0].std(axis=0)
    return tuple(((data[0] - mean) / deviation, *data[1:]) for data in (train, test))


def _features(rng, n, d):
    return rng.normal(size=(n, d)) * rng.uniform(0.8, 1.2, d)


def values(rng, d, bend):
    """Return a draw of inputs and a smooth function of them with a little noise."""
    w, v = rng.normal(size=d) / np.sqrt(d), rng.normal(size=d) / np.sqrt(d)

    def draw(n):
        X = _features(rng, n, d)
        return X, X @ w + bend * np.sin(2.0 * X @ v) + 0.3 + rng.normal(0.0, 0.1, n)

    return draw


def classes(rng, d, k):
    """Return a draw of inputs around k centres, and their classes."""
    centres = rng.normal(size=(k, d))
    centres *= 2.2 / np.mean([np.linalg.norm(a - b) for a in centres for b in centres if a is not b])

    def draw(n):
        y = rng.permutation(np.arange(n) % k)
        X = centres[y] * 1.6 + rng.normal(size=(n, d))
        return X, y

    return draw
