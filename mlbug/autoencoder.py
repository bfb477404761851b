"""A small autoencoder trained on a single image, and the faults that the single image shows."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .small_images import SIDE, small_seven

__all__ = ["FAULTS", "AutoencoderRun", "train_autoencoder"]

FAULTS = ("none", "sign", "shifted", "range", "detached")
HIDDEN = 5
LEARNING_RATE = 0.5


@dataclass(frozen=True)
class AutoencoderRun:
    """A training run, recorded in every step.

    Parameters
    ----------
    image : ndarray, shape (64,)
        The one example.
    reconstructions : ndarray, shape (steps + 1, 64)
        What the model makes of it before each step, and at the end.
    losses : ndarray, shape (steps + 1,)
        The program's own loss: the mean squared difference of reconstruction and target.
    fidelity : ndarray, shape (steps + 1,)
        Share of the image's variance that the reconstruction gives back; 1 is a perfect copy.
    """

    image: np.ndarray
    reconstructions: np.ndarray
    losses: np.ndarray
    fidelity: np.ndarray


@lru_cache(maxsize=8)
def train_autoencoder(steps, fault="none", seed=0):
    """Train 64 - 5 - 64 units (tanh, then linear) on one image by gradient descent.

    Parameters
    ----------
    steps : int
        Number of steps.
    fault : {"none", "sign", "shifted", "range", "detached"}
        What is wrong with the program: nothing; the sign of the gradient; the target is the
        image one row lower; the output passes a tanh though the ink is 1 and the paper -2 in the target's
        scale; no gradient reaches the encoder.
    seed : int
        Seed of the initial weights.

    Returns
    -------
    AutoencoderRun

    Raises
    ------
    ValueError
        If the fault is unknown.
    """
    if fault not in FAULTS:
        raise ValueError(f"fault must be one of {', '.join(FAULTS)}, but {fault!r} came")
    image = small_seven()
    target = np.roll(image.reshape(SIDE, SIDE), 1, axis=0).ravel() if fault == "shifted" else image
    if fault == "range":
        image = target = 3.0 * image - 2.0
    model, rows, losses = _start(seed), [], []
    for _ in range(steps + 1):
        hidden, output = _forward(model, image, fault)
        rows.append(output)
        losses.append(float(np.mean((output - target) ** 2)))
        model = _step(model, image, hidden, output, target, fault)
    reconstructions = np.array(rows)
    misfit = np.mean((reconstructions - image) ** 2, axis=1)
    return AutoencoderRun(image, reconstructions, np.array(losses), 1.0 - misfit / np.var(image))


def _start(seed):
    rng = np.random.default_rng(seed)
    pixels = SIDE * SIDE
    encoder = rng.normal(size=(HIDDEN, pixels)) / SIDE
    decoder = rng.normal(size=(pixels, HIDDEN)) / np.sqrt(HIDDEN)
    return encoder, np.zeros(HIDDEN), decoder, np.zeros(pixels)


def _forward(model, image, fault):
    encoder, encoder_bias, decoder, decoder_bias = model
    hidden = np.tanh(encoder @ image + encoder_bias)
    output = decoder @ hidden + decoder_bias
    return hidden, np.tanh(output) if fault == "range" else output


def _step(model, image, hidden, output, target, fault):
    encoder, encoder_bias, decoder, decoder_bias = model
    by_output = 2.0 * (output - target) / output.size
    if fault == "range":
        by_output = by_output * (1.0 - output**2)
    by_hidden = (decoder.T @ by_output) * (1.0 - hidden**2)
    if fault == "detached":
        by_hidden = np.zeros_like(by_hidden)
    turned = -1.0 if fault == "sign" else 1.0
    return (
        encoder - LEARNING_RATE * turned * np.outer(by_hidden, image),
        encoder_bias - LEARNING_RATE * turned * by_hidden,
        decoder - LEARNING_RATE * turned * np.outer(by_output, hidden),
        decoder_bias - LEARNING_RATE * turned * by_output,
    )
