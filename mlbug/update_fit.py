"""Fit the constants of a law to recorded moves, down to rounding.

The rate enters linearly and is eliminated (variable projection, Golub and Pereyra 1973); the other
constants follow by Levenberg-Marquardt from a few usual values. Residuals are measured in units of the
rounding error of each move, so that a law either explains a record or it does not.
"""

from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np

from .update_laws import Law

EXPLAINED = 20.0  # rms misfit, in units of rounding, up to which a law counts as exact
FEW = 40  # elements used for the fit; all are used to judge it


@dataclass(frozen=True)
class Fit:
    """A law with constants.

    Parameters
    ----------
    law : Law
        The law.
    constants : dict of str to float
        Its constants.
    rate : float or ndarray, shape (steps,)
        Factor on the direction: as a multiple of the stated rate (``mode`` "stated"), by itself ("own"),
        or step by step ("schedule").
    mode : str
        How the rate enters.
    residual : float
        Norm of what the law leaves unexplained, over the norm of the moves.
    misfit : float
        The same in units of rounding.
    """

    law: Law
    constants: dict[str, float]
    rate: object
    mode: str
    residual: float
    misfit: float

    @property
    def exact(self):
        """Whether nothing but rounding is left."""
        return self.misfit <= EXPLAINED


def rounding(stream, eps):
    """Return the size of the rounding error of each move, shape (steps, size)."""
    size = np.maximum(np.abs(stream.before), np.abs(stream.before + stream.move))
    typical = np.sqrt(np.mean(stream.move**2, axis=1, keepdims=True))
    overall = np.sqrt(np.mean(stream.move**2))
    return eps * (size + 16.0 * np.abs(stream.move) + 4.0 * typical + 1e-3 * overall) + np.finfo(float).tiny


def fit(stream, law, mode="stated", eps=2.3e-16, start=None):
    """Fit one law to one block.

    Parameters
    ----------
    stream : Stream
        The record of the block.
    law : Law
        The law to fit.
    mode : str
        ``stated``, ``own`` or ``schedule``.
    eps : float
        Relative rounding error of the parameters' type.
    start : dict, optional
        Constants to start from, before the law's own starting values.

    Returns
    -------
    Fit
    """
    few = thin(stream)
    small = rounding(few, eps)
    names = list(law.starts)

    def misfits(x):
        return _project(few, law, _constants(names, x), mode, small)[1].ravel()

    if not np.isfinite(stream.move).all():
        return Fit(law, {}, 0.0, mode, np.inf, np.inf)

    trials = [list(start.values())] if start else []
    trials += list(islice(product(*law.starts.values()), 48))
    trials = [np.array([_inward(n, v) for n, v in zip(names, trial, strict=True)]) for trial in trials]
    trials.sort(key=lambda x: _cost(misfits(x)))
    x = trials[0]
    for trial in trials[:2] if names else []:
        refined = _refine(misfits, trial, 0.01 * _cost(few.move / small))
        x = min(x, refined, key=lambda y: _cost(misfits(y)))
        if _cost(misfits(x)) <= EXPLAINED**2:
            break
    constants = _constants(names, x)
    rate, error = _project(stream, law, constants, mode, rounding(stream, eps))
    left = np.linalg.norm(error * rounding(stream, eps)[: len(error)])
    norm = np.linalg.norm(stream.move) or 1.0
    return Fit(law, constants, rate, mode, float(left / norm), float(np.sqrt(_cost(error))))


def thin(stream):
    """Return the record of a few elements, those that got a gradient first."""
    size = stream.move.shape[1]
    if size <= FEW:
        return stream
    alive = np.flatnonzero(np.abs(stream.gradient).sum(axis=0) > 0)
    pool = alive if len(alive) >= FEW else np.arange(size)
    index = np.sort(np.random.default_rng(0).choice(pool, FEW, replace=False))
    return replace(
        stream, gradient=stream.gradient[:, index], before=stream.before[:, index], move=stream.move[:, index]
    )


def _project(stream, law, constants, mode, small):
    """Return the best rate for these constants, and the misfit of each move in units of rounding."""
    with np.errstate(all="ignore"):
        direction = law.direction(stream, constants)
        carried = None
        if isinstance(direction, tuple):
            direction, carried = direction
        unit = (direction * stream.rate[:, None] if mode == "stated" else direction) / small
        target = (stream.move if carried is None else stream.move - carried) / small
        if carried is not None:
            unit, target = np.where(np.isnan(carried), 0.0, unit), np.where(np.isnan(carried), 0.0, target)
        axis = 1 if mode == "schedule" else None
        squares = np.sum(unit * unit, axis=axis)
        rate = -np.sum(unit * target, axis=axis) / np.where(squares > 0, squares, 1.0)
        error = target + (rate[:, None] if axis else rate) * unit
    error[~np.isfinite(error)] = 1e30
    return rate, error


def _cost(error):
    return float(np.mean(np.clip(error, -1e30, 1e30) ** 2))


def _refine(misfits, x, hopeless, iterations=25):
    """Levenberg-Marquardt with differences for the Jacobian; gives up early above the cost `hopeless`."""
    error, damping, stalled = misfits(x), 1e-3, 0
    for iteration in range(iterations):
        if iteration == 8 and _cost(error) > hopeless:
            break
        columns = []
        for i in range(len(x)):
            shifted = x.copy()
            shifted[i] += 1e-7
            columns.append((misfits(shifted) - error) / 1e-7)
        jacobian = np.stack(columns, axis=1)
        scale = np.sqrt(np.sum(jacobian**2, axis=0)) + 1e-300
        rows = np.concatenate([jacobian / scale, np.sqrt(damping) * np.eye(len(x))])
        step = np.linalg.lstsq(rows, np.concatenate([-error, np.zeros(len(x))]), rcond=None)[0] / scale
        trial = np.clip(x + np.clip(step, -3.0, 3.0), -45.0, 45.0)
        new = misfits(trial)
        before, after = _cost(error), _cost(new)
        if after < before:
            x, error, damping = trial, new, max(damping / 30.0, 1e-12)
        else:
            damping *= 10.0
        stalled = stalled + 1 if after > 0.5 * before else 0
        if stalled > 5 or _cost(error) < 1.0:
            break
    return x


def _inward(name, value):
    """Map a constant to the variable in which it is fitted: averages by log(1 - beta), epsilon by its log."""
    if name in ("momentum", "beta1", "beta2"):
        return np.log(max(1.0 - value, 1e-15))
    return np.log(max(value, 1e-30)) if name in ("epsilon", "limit") else value


def _constants(names, x):
    result = {}
    for name, value in zip(names, x, strict=True):
        if name in ("momentum", "beta1", "beta2"):
            result[name] = float(1.0 - np.exp(value))
        else:
            result[name] = float(np.exp(value)) if name in ("epsilon", "limit") else float(value)
    return result
