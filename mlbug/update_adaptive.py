"""Laws that divide by a running measure of the gradient's size, and other laws with two averages."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Adaptive:
    """Division by a running measure of the gradient's size: Adam and its relatives.

    Parameters
    ----------
    first, second : bool
        Whether the first and second moment are corrected for their start at zero.
    late : bool
        Whether epsilon is added to the root before the second moment is corrected.
    size : str
        How the size is kept: ``mean`` of squares, their ``sum``, running ``max`` of the mean (AMSGrad),
        ``peak`` of the absolute value (Adamax), or ``shared``: one array wrongly holds both moments.
    inner : bool
        Whether epsilon is added under the root; for ``peak``, to the gradient's size.
    power : float
        Exponent of the size; 0.5 is the root.
    stride : int
        By how much the step counter grows in a step.
    ahead : str
        Whether the first moment looks one step ahead (Nadam): ``no``, ``plain``, or ``warming`` with the
        rising momentum of T. Dozat (2016), as PyTorch has it.
    """

    first: bool = False
    second: bool = False
    late: bool = False
    size: str = "mean"
    inner: bool = False
    power: float = 0.5
    stride: int = 1
    offset: int = 0
    ahead: str = "no"

    def __call__(self, stream, constants):
        beta1, beta2 = constants.get("beta1", 0.0), constants.get("beta2", 0.0)
        mean = size = top = np.zeros(stream.gradient.shape[1])
        result = np.empty_like(stream.gradient)
        for k, gradient in enumerate(stream.gradient):
            t = 1 + self.offset + self.stride * k
            mean = beta1 * mean + (1.0 - beta1) * gradient
            size = self._size(mean, size, gradient, beta2, constants["epsilon"])
            top = np.maximum(top, size)
            if self.size == "shared":
                mean = size
            scale = top if self.size == "max" else size
            correction = 1.0 - beta2**t if self.second else 1.0
            if self.late:
                lower = self._root(scale, constants["epsilon"]) / np.sqrt(correction)
            else:
                lower = self._root(scale / correction, constants["epsilon"])
            upper = self._upper(mean, gradient, beta1, t)
            result[k] = upper / lower
        return result

    def _upper(self, mean, gradient, beta1, t):
        if self.ahead == "plain":
            return beta1 * mean / (1.0 - beta1 ** (t + 1)) + (1.0 - beta1) * gradient / (1.0 - beta1**t)
        if self.ahead == "warming":
            mu = beta1 * (1.0 - 0.5 * 0.96 ** (0.004 * np.arange(1, t + 2)))
            so_far, with_next = np.prod(mu[:-1]), np.prod(mu)
            return mu[-1] * mean / (1.0 - with_next) + (1.0 - mu[-2]) * gradient / (1.0 - so_far)
        return mean / (1.0 - beta1**t) if self.first else mean

    def _size(self, mean, size, gradient, beta2, epsilon):
        if self.size == "sum":
            return size + gradient**2
        if self.size == "peak":
            return np.maximum(beta2 * size, np.abs(gradient) + (epsilon if self.inner else 0.0))
        if self.size == "shared":
            return beta2 * mean + (1.0 - beta2) * gradient**2
        return beta2 * size + (1.0 - beta2) * gradient**2

    def _root(self, size, epsilon):
        if self.size == "peak":
            return size if self.inner else size + epsilon
        return np.abs(size + epsilon) ** self.power if self.inner else np.abs(size) ** self.power + epsilon


def sign_momentum(stream, constants):
    """Lion: the sign of a mean of velocity and gradient."""
    beta1, beta2, velocity = constants["beta1"], constants["beta2"], 0.0
    result = np.empty_like(stream.gradient)
    for k, gradient in enumerate(stream.gradient):
        result[k] = np.sign(beta1 * velocity + (1.0 - beta1) * gradient)
        velocity = beta2 * velocity + (1.0 - beta2) * gradient
    return result


def adadelta(stream, constants):
    """Adadelta (Zeiler, 2012): the size of past steps over the size of past gradients."""
    rho, epsilon = constants["beta2"], constants["epsilon"]
    size = steps = np.zeros(stream.gradient.shape[1])
    result = np.empty_like(stream.gradient)
    for k, gradient in enumerate(stream.gradient):
        size = rho * size + (1.0 - rho) * gradient**2
        result[k] = np.sqrt((steps + epsilon) / (size + epsilon)) * gradient
        steps = rho * steps + (1.0 - rho) * result[k] ** 2
    return result
