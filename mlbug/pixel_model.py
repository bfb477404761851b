"""A generative model that draws an image pixel by pixel, and the faults that its samples show."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .small_images import SIDE, small_seven

__all__ = ["FAULTS", "PixelRun", "likeness", "sample_pixels", "train_pixel_model", "training_images"]

FAULTS = ("none", "sign", "sees-itself", "order")
LEARNING_RATE = 0.5
PIXELS = SIDE * SIDE


@dataclass(frozen=True)
class PixelRun:
    """A training run and its result.

    Parameters
    ----------
    losses : ndarray, shape (steps + 1,)
        Negative log likelihood of an image in nats, as the program computes it; 64 log 2 at the start.
    weights : ndarray, shape (64, 64)
        Row i weighs the pixels that pixel i reads.
    biases : ndarray, shape (64,)
        One for each pixel.
    """

    losses: np.ndarray
    weights: np.ndarray
    biases: np.ndarray


def training_images(kind):
    """Return the images to learn.

    Parameters
    ----------
    kind : {"one", "kind"}
        One seven, or six of one kind: three slants at two places.

    Returns
    -------
    ndarray, shape (n, 64)
    """
    if kind == "one":
        return small_seven()[None]
    return np.array([small_seven(shift, slant) for shift in (0, 1) for slant in (0, 1, 2)])


@lru_cache(maxsize=64)
def train_pixel_model(steps, kind="one", fault="none"):
    """Fit p(pixel i is ink) = sigmoid(b_i + sum over earlier pixels j of W_ij x_j) by gradient descent.

    Parameters
    ----------
    steps : int
        Number of steps, from zero weights.
    kind : {"one", "kind"}
        See `training_images`.
    fault : {"none", "sign", "sees-itself", "order"}
        What is wrong with the program: nothing; the sign of the gradient; each pixel also reads itself;
        only the sampler is wrong, which goes through the pixels backwards.

    Returns
    -------
    PixelRun

    Raises
    ------
    ValueError
        If the fault is unknown.

    References
    ----------
    B. J. Frey, G. E. Hinton and P. Dayan, *Does the wake-sleep algorithm produce good density estimators?*,
    NIPS 1995: the fully visible sigmoid belief network.
    """
    if fault not in FAULTS:
        raise ValueError(f"fault must be one of {', '.join(FAULTS)}, but {fault!r} came")
    images = training_images(kind)
    mask = np.tri(PIXELS, k=0 if fault == "sees-itself" else -1)
    weights, biases, losses = np.zeros((PIXELS, PIXELS)), np.zeros(PIXELS), []
    rate = -LEARNING_RATE if fault == "sign" else LEARNING_RATE
    for step in range(steps + 1):
        scores = images @ weights.T + biases
        losses.append(_negative_log_likelihood(scores, images))
        if step == steps:
            break
        by_scores = (_sigmoid(scores) - images) / len(images)
        weights = weights - rate * mask * (by_scores.T @ images)
        biases = biases - rate * by_scores.sum(axis=0)
    return PixelRun(np.array(losses), weights, biases)


def sample_pixels(run, count, fault="none", seed=0):
    """Draw images from the model, one pixel after the other.

    Parameters
    ----------
    run : PixelRun
        The trained model.
    count : int
        Number of images.
    fault : str
        As for `train_pixel_model`; with ``"order"`` the pixels are visited from the last to the first.
    seed : int
        Seed of the uniform numbers, which do not depend on the model.

    Returns
    -------
    ndarray, shape (count, 64)
        0 or 1.
    """
    uniform = np.random.default_rng(seed).random((count, PIXELS))
    images = np.zeros((count, PIXELS))
    for i in reversed(range(PIXELS)) if fault == "order" else range(PIXELS):
        images[:, i] = uniform[:, i] < _sigmoid(images @ run.weights[i] + run.biases[i])
    return images


def likeness(samples, images):
    """Return for each sample the share of pixels in which it agrees with the training image nearest to it."""
    return 1.0 - np.abs(samples[:, None, :] - images[None]).mean(axis=2).min(axis=1)


def _sigmoid(scores):
    return 0.5 * (1.0 + np.tanh(0.5 * scores))


def _negative_log_likelihood(scores, images):
    """Return the mean over the images of the sum over the pixels, without forming probabilities."""
    return float(np.mean(np.sum(np.logaddexp(0.0, np.where(images == 1.0, -scores, scores)), axis=1)))
