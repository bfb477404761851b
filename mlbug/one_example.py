"""A softmax classifier trained on a single example, and the faults that the single example shows."""

from dataclasses import dataclass

import numpy as np

__all__ = ["FAULTS", "OneExampleRun", "cross_entropy", "softmax", "train_one_example"]

FAULTS = ("none", "sign", "softmax", "label", "twice")
FEATURES = np.array([0.8, -0.4, 0.2])
LABEL = 0


@dataclass(frozen=True)
class OneExampleRun:
    """What a training run on one example went through.

    Parameters
    ----------
    losses : ndarray, shape (steps + 1,)
        Loss as the program reports it, from the start on.
    probabilities : ndarray, shape (k,)
        Probability of each class at the end.
    gradient_sums : ndarray, shape (steps,)
        Sum over the classes of the gradient by the scores, step by step; 0 for the right gradient.
    label : int
        Class of the example.
    """

    losses: np.ndarray
    probabilities: np.ndarray
    gradient_sums: np.ndarray
    label: int


def softmax(scores):
    """Return exp(z) / sum(exp(z)), shifted by the largest score so that nothing overflows."""
    e = np.exp(scores - scores.max())
    return e / e.sum()


def cross_entropy(scores, label):
    """Return the negative logarithm of the probability of one class, in nats.

    Parameters
    ----------
    scores : ndarray, shape (k,)
        Scores of the classes.
    label : int
        The right class.

    Returns
    -------
    float
        Accurate for tiny losses too, since it never forms the probability.
    """
    others = np.delete(scores, label) - scores[label]
    top = max(float(others.max()), 0.0)
    return top + float(np.log1p(np.exp(others - top).sum() + np.expm1(-top)))


def train_one_example(steps, learning_rate, classes, fault="none"):
    """Train weights and biases from zero by gradient descent on one example.

    Parameters
    ----------
    steps : int
        Number of steps.
    learning_rate : float
        Learning rate.
    classes : int
        Number of classes, 2 or more.
    fault : {"none", "sign", "softmax", "label", "twice"}
        What is wrong with the program: nothing; the sign of the gradient; the gradient by the scores
        lacks the probabilities; it trains on the next class; the loss is added up twice.

    Returns
    -------
    OneExampleRun

    Raises
    ------
    ValueError
        If the fault is unknown or there are fewer than two classes.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, section 11.5, p. 438: the test in words.
    """
    if fault not in FAULTS:
        raise ValueError(f"fault must be one of {', '.join(FAULTS)}, but {fault!r} came")
    if classes < 2:
        raise ValueError(f"classes must be 2 or more, but {classes} came")
    weights, biases = np.zeros((classes, len(FEATURES))), np.zeros(classes)
    times = 2.0 if fault == "twice" else 1.0
    losses, sums = [times * cross_entropy(biases, LABEL)], []
    for _ in range(steps):
        by_scores = _gradient(weights @ FEATURES + biases, fault)
        weights = weights - learning_rate * np.outer(by_scores, FEATURES)
        biases = biases - learning_rate * by_scores
        losses.append(times * cross_entropy(weights @ FEATURES + biases, LABEL))
        sums.append(float(by_scores.sum()))
    return OneExampleRun(np.array(losses), softmax(weights @ FEATURES + biases), np.array(sums), LABEL)


def _gradient(scores, fault):
    """Return the derivative of the loss by the scores, as the faulty program computes it."""
    target = np.zeros_like(scores)
    target[(LABEL + 1) % len(scores) if fault == "label" else LABEL] = 1.0
    right = softmax(scores) - target
    if fault == "softmax":
        return -target
    return {"sign": -1.0, "twice": 2.0}.get(fault, 1.0) * right
