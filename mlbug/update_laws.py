"""The laws by which optimizers move parameters, as directions with unknown constants.

A direction is what a law subtracts per unit of learning rate: ``after - before = -rate * direction``.
All states start at zero, as those of an optimizer that has not run yet.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Stream:
    """What one block of parameters went through.

    Parameters
    ----------
    gradient, before : ndarray, shape (steps, size)
        Gradient handed to the rule, and parameters before each step.
    move : ndarray, shape (steps, size)
        Parameters after each step minus those before it.
    rate : ndarray, shape (steps,)
        Learning rate handed to the rule.
    norm, total : ndarray, shape (steps,)
        Norm of this block's gradient, and of the gradients of all blocks together.
    """

    gradient: np.ndarray
    before: np.ndarray
    move: np.ndarray
    rate: np.ndarray
    norm: np.ndarray
    total: np.ndarray


@dataclass(frozen=True)
class Law:
    """One law.

    Parameters
    ----------
    name : str
        The field's name for it.
    starts : dict of str to tuple of float
        Starting values for the fit of each constant.
    direction : callable
        ``direction(stream, constants)`` gives the direction, shape (steps, size), or a pair of it and a
        part of the move that does not scale with the rate.
    fault : str
        Short name of the mistake if the law is a known mistake; empty for a correct law.
    """

    name: str
    starts: Mapping[str, tuple[float, ...]]
    direction: Callable[..., object]
    fault: str = ""


def gradient_descent(stream, constants):
    """Return the gradient itself."""
    return stream.gradient


def sign_descent(stream, constants):
    """Return the sign of the gradient."""
    return np.sign(stream.gradient)


def momentum(stream, constants, inside=False, nesterov=False):
    """Heavy ball; `inside`: the velocity holds steps (rate times gradient), else it holds gradients."""
    mu, velocity = constants["momentum"], 0.0
    result = np.empty_like(stream.gradient)
    for k, gradient in enumerate(stream.gradient):
        rate = stream.rate[k] if inside else 1.0
        velocity = mu * velocity + rate * gradient
        result[k] = (rate * gradient + mu * velocity if nesterov else velocity) / rate
    return result


def running_momentum(stream, constants, inside=False):
    """Heavy ball whose velocity before the first record is not known: read it off the move before."""
    ratio = 1.0 if inside else (stream.rate[1:] / stream.rate[:-1])[:, None]
    carried = np.full_like(stream.move, np.nan)
    carried[1:] = constants["momentum"] * ratio * stream.move[:-1]
    return stream.gradient, carried


def accumulate(direction):
    """Return momentum on top of a direction, as RMSprop with momentum has it."""

    def moved(stream, constants):
        return momentum(replace(stream, gradient=direction(stream, constants)), constants)

    return moved


def coupled(direction):
    """Return `direction` with weight decay added to the gradient (an L2 penalty)."""

    def decayed(stream, constants):
        return direction(
            replace(stream, gradient=stream.gradient + constants["decay"] * stream.before), constants
        )

    return decayed


def decoupled(direction, stated=True):
    """Return `direction` with weight decay beside it; not `stated`: the decay ignores the rate."""

    def decayed(stream, constants):
        rate = 1.0 if stated else stream.rate[:, None]
        return direction(stream, constants) + constants["decay"] * stream.before / rate

    return decayed


def twice(direction, decay=False):
    """Return `direction` of a rule that runs two times in each step, with the same gradient.

    With `decay`, decoupled weight decay stands beside it; the second run decays what the first left.
    """

    def doubled(stream, constants):
        repeated = {name: np.repeat(part, 2, axis=0) for name, part in vars(stream).items()}
        result = direction(Stream(**repeated), constants)
        first, second = result[0::2], result[1::2]
        if decay:
            first = first + constants["decay"] * stream.before
            second = second + constants["decay"] * (stream.before - stream.rate[:, None] * first)
        return first + second

    return doubled


def clipped(direction, by):
    """Return `direction` with the gradient clipped at ``limit``, by ``value``, ``norm`` or ``total`` norm."""

    def limited(stream, constants):
        limit = constants["limit"]
        if by == "value":
            return direction(replace(stream, gradient=np.clip(stream.gradient, -limit, limit)), constants)
        norm = getattr(stream, by)
        factor = np.minimum(1.0, limit / np.where(norm > 0, norm, 1.0))
        return direction(replace(stream, gradient=stream.gradient * factor[:, None]), constants)

    return limited
