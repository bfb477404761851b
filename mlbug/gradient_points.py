"""The points at which a gradient is judged, and how exact it can be expected to be there."""

import math
from dataclasses import dataclass

import numpy as np

from .guard import UserFunctionError
from .noise import loss_noise, precision_of, typical_size
from .projections import in_double, project, shift, spread
from .slopes import Slopes

FLOOR = 1e-9
PERTURBATIONS = 3


@dataclass
class Point:
    """Parameters, examples, the gradient given there and the witness of the true slopes.

    Parameters
    ----------
    name : str
        ``"start"`` or ``"shifted"``.
    params, batch
        Where the gradient is judged.
    grads : dict of str to ndarray
        What the user's function gives.
    epsilon : float
        Rounding unit of the gradient.
    slopes : Slopes
        The witness.
    variations : list of dict
        Changes of the gradient when parameters and data move by rounding.
    scale : dict of str to ndarray
        Gradient on half of the examples: it does not vanish where those of the examples cancel.
    """

    name: str
    params: dict
    batch: tuple
    grads: dict
    epsilon: float
    slopes: Slopes
    variations: list
    scale: dict

    def tolerance(self, direction, slope):
        """Return the difference between given and true slope that rounding and the witness explain."""
        size = spread(direction, self.grads)
        cancel = 16.0 * self.epsilon * spread(direction, self.scale)
        return (
            4.0 * slope.error
            + max(FLOOR, 32.0 * self.epsilon) * size
            + 50.0 * self.rounding(direction)
            + cancel
        )

    def rounding(self, direction):
        """Return how far the given slope moves when its arguments move by rounding."""
        moves = sorted(abs(project(direction, change)) for change in self.variations)
        return moves[len(moves) // 2] if moves else 0.0


def start_point(evaluations, params, batch, rng, use_complex=True):
    """Return the `Point` of the initial parameters."""
    return _point("start", evaluations, params, batch, rng, use_complex)


def shifted_point(evaluations, params, batch, rng, use_complex=True):
    """Return a `Point` near by, off kinks, zeros and optima, on half of the examples where that works.

    Returns None where no such point with a finite loss and gradient is found.
    """
    n = len(batch[0])
    half = np.sort(rng.permutation(n)[: (n + 1) // 2])
    for size in (5e-2, 2e-3):
        moved = {name: _jitter(value, size, rng) for name, value in params.items()}
        for part in (evaluations.guard.take(batch, half), batch) if n >= 8 else (batch,):
            try:
                if math.isfinite(evaluations.loss(moved, part)):
                    point = _point("shifted", evaluations, moved, part, rng, use_complex)
                    if all(np.all(np.isfinite(value)) for value in point.grads.values()):
                        return point
            except UserFunctionError:
                continue
    return None


def _jitter(value, size, rng):
    if value.dtype.kind != "f":
        return value.copy()
    room = np.where(value == 0, typical_size(value) if np.any(value) else 1.0, np.abs(value))
    return (value + size * room * rng.standard_normal(value.shape)).astype(value.dtype)


def _point(name, evaluations, params, batch, rng, use_complex):
    value = evaluations.loss(params, batch)
    grads = evaluations.grad(params, batch)
    types = [np.zeros(0, dtype=array.dtype) for array in params.values()]
    epsilon = precision_of([value], *types, *grads.values())
    double = in_double(params)
    near = [evaluations.loss(double, batch)] + [
        evaluations.loss(shift(double, {key: 1e-3 * typical_size(array)}, 1.0), batch)
        for key, array in list(double.items())[:3]
        if array.dtype.kind == "f"
    ]
    noise = loss_noise(evaluations, double, batch, rng, precision_of(near))
    slopes = Slopes(evaluations, params, batch, noise, use_complex)
    variations = [_variation(evaluations, params, batch, grads, epsilon, rng) for _ in range(PERTURBATIONS)]
    return Point(
        name,
        params,
        batch,
        grads,
        epsilon,
        slopes,
        variations,
        _half_scale(evaluations, params, batch, grads),
    )


def _variation(evaluations, params, batch, grads, epsilon, rng):
    """Return the change of the gradient when its arguments move by rounding; whole numbers stay."""
    moved = {key: _round_off(value, epsilon, rng) for key, value in params.items()}
    data = tuple(_round_off(array, epsilon, rng) for array in batch)
    other = evaluations.grad(moved, data)
    return {key: np.asarray(other[key], dtype=float) - np.asarray(grads[key], dtype=float) for key in grads}


def _round_off(array, epsilon, rng):
    if array.dtype.kind != "f":
        return array
    factor = 1.0 + 2.0 * epsilon * rng.standard_normal(array.shape)
    return np.where(array == np.round(array), array, array * factor).astype(array.dtype)


def _half_scale(evaluations, params, batch, grads):
    half = len(batch[0]) // 2
    if half < 1:
        return grads
    try:
        part = evaluations.grad(params, evaluations.guard.take(batch, slice(0, half)))
    except UserFunctionError:
        return grads
    return {key: np.where(np.isfinite(value), value, 0.0) for key, value in part.items()}
