"""Cheap conditions, so that hopeless laws are not fitted, and moves without any gradient are seen."""

import numpy as np

from .update_fit import rounding, thin


def may_be_linear(stream, eps):
    """Whether the moves may follow momentum, Nesterov or weight decay with any constants.

    All these laws, with the rate inside or outside the velocity, give moves that are a fixed combination
    of the present and the last gradient, the last move, and the present and the last parameters, each
    as it is or scaled by the rates. One least-squares fit decides.
    """
    few = thin(stream)
    if few.move[1:].size < 60:
        return True
    rate, old = few.rate[1:, None], few.rate[:-1, None]
    columns = [rate * few.gradient[1:], few.gradient[1:]]
    columns += [scale * few.gradient[:-1] for scale in (rate, old, 1.0)]
    columns += [scale * few.move[:-1] for scale in (1.0, rate / old)]
    columns += [scale * few.before[1:] for scale in (1.0, rate)]
    columns += [scale * few.before[:-1] for scale in (1.0, rate, old, rate / old)]
    small = rounding(few, eps)[1:]
    table = np.stack([(column / small).ravel() for column in columns], axis=1)
    table /= np.linalg.norm(table, axis=0) + 1e-300
    target = (few.move[1:] / small).ravel()
    if not (np.isfinite(table).all() and np.isfinite(target).all()):
        return True
    error = target - table @ np.linalg.lstsq(table, target, rcond=1e-13)[0]
    return bool(np.sqrt(np.mean(error**2)) <= max(100.0, 1e-7 * np.sqrt(np.mean(target**2))))


def may_be_adaptive(stream):
    """Whether the first move may be that of a law that divides by the gradient's size.

    Adam and its relatives, started at zero, move all elements equally far in the first step, unless
    epsilon is as large as the gradient or weight decay stands beside the step.
    """
    gradient, move = np.abs(stream.gradient[0]), np.abs(stream.move[0])
    clear = gradient > 0.1 * np.max(gradient)
    if np.count_nonzero(clear) < 4 or np.max(gradient) < 1e-4:
        return True
    return bool(np.max(move[clear]) < 2.0 * np.min(move[clear]))


def unrelated(stream):
    """Whether the moves are no better explained with the gradients than without (an F test, p < 1e-4)."""
    own = stream.gradient
    late = np.concatenate([np.zeros_like(own[:1]), own[:-1]])
    past = np.concatenate([np.zeros_like(own[:1]), stream.move[:-1]])
    without = np.stack([past.ravel(), stream.before.ravel(), np.ones(own.size)], axis=1)
    using = np.stack([own.ravel(), late.ravel(), np.sign(own).ravel()], axis=1)
    freedom = own.size - 6
    if freedom < 60 or not np.any(stream.move):
        return False
    left = [
        _left(columns, stream.move.ravel()) for columns in (without, np.concatenate([without, using], axis=1))
    ]
    return left[0] <= 1e-20 * np.sum(stream.move**2) or (left[0] - left[1]) / 3.0 < 3.0 * left[1] / freedom


def _left(columns, target):
    columns = columns / (np.linalg.norm(columns, axis=0) + 1e-300)
    return float(np.sum((target - columns @ np.linalg.lstsq(columns, target, rcond=None)[0]) ** 2))


def shares_velocity(stream, other, eps):
    """Whether the moves are the gradient plus a multiple of the other block's last move, before or after."""
    small = rounding(stream, eps)[1:]
    pushes = [stream.rate[1:, None] * stream.gradient[1:], stream.gradient[1:]]
    for carried in (other.move[1:], other.move[:-1]):
        for push in pushes:
            table = np.stack([(push / small).ravel(), (carried / small).ravel()], axis=1)
            target = (stream.move[1:] / small).ravel()
            if target.size < 6 or not (np.isfinite(table).all() and np.isfinite(target).all()):
                continue
            weights = np.linalg.lstsq(table, target, rcond=None)[0]
            if np.sqrt(np.mean((target - table @ weights) ** 2)) < 100.0 and abs(weights[1]) > 1e-3:
                return True
    return False
