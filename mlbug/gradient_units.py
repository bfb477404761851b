"""Activation derivatives that are missing or wrong, found unit by unit and example by example.

On one example alone a unit's weights and bias share one factor, the derivative of its activation; given
over true slope tells it apart from everything else.
"""

from collections.abc import Callable

import numpy as np

from .block_verdict import compare
from .gradient_examples import example_point
from .gradient_terms import Cause
from .guard import UserFunctionError

EXAMPLES, UNITS = 4, 8


def _sigmoid(a):
    return 0.5 * (1.0 + np.tanh(0.5 * a))


DERIVATIVES: dict[str, Callable] = {
    "tanh": lambda a: 1.0 - np.tanh(a) ** 2,
    "sigmoid": lambda a: _sigmoid(a) * (1.0 - _sigmoid(a)),
    "relu": lambda a: (a > 0).astype(float),
    "softplus": _sigmoid,
    "sine": np.cos,
    "exponential": np.exp,
    "square": lambda a: 2.0 * a,
}
SLIPS = {
    "1 - a**2 of the pre-activation": lambda a: 1.0 - a**2,
    "a * (1 - a) of the pre-activation": lambda a: a * (1.0 - a),
    "the derivative of tanh taken at tanh(a)": lambda a: 1.0 - np.tanh(np.tanh(a)) ** 2,
    "the derivative of the sigmoid taken at sigmoid(a)": lambda a: DERIVATIVES["sigmoid"](_sigmoid(a)),
    "1 - tanh(a)": lambda a: 1.0 - np.tanh(a),
    "1 - sigmoid(a)": lambda a: 1.0 - _sigmoid(a),
    "tanh(a)": np.tanh,
    "sigmoid(a)": _sigmoid,
}


def units_cause(evaluations, point, block, rng):
    """Compare given and true slopes of single units on single examples with known derivatives.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Where the gradient is wrong.
    block : str
        A parameter whose last axis is the layer's units.
    rng : numpy.random.Generator
        Source of directions and choices.

    Returns
    -------
    Cause or None
    """
    shape = point.params[block].shape
    if not 1 <= len(shape) <= 2 or shape[-1] < 2:
        return None
    examples = rng.permutation(len(point.batch[0]))[:EXAMPLES]
    units = rng.permutation(shape[-1])[:UNITS]
    try:
        given, true = _table(evaluations, point, block, examples, units, rng)
        layers = _layers(evaluations, point, examples, units, shape[-1])
    except UserFunctionError:
        return None
    if not np.any(np.abs(given - true) > 1e-6 * np.abs(true).max()):
        return None
    return _named(given, true, layers)


def _table(evaluations, point, block, examples, units, rng):
    """Return given and true slopes, one row an example and one column a unit."""
    pairs = []
    for i in examples:
        one = example_point(evaluations, point, i)
        box = tuple(slice(0, n) for n in point.params[block].shape[:-1])
        row = [compare(one, one.slopes.direction(block, rng, (*box, slice(j, j + 1)))) for j in units]
        pairs.append([(c.given, c.slope.value) for c in row])
    table = np.array(pairs)
    return table[..., 0], table[..., 1]


def _layers(evaluations, point, examples, units, width):
    """Return the pre-activations of those examples and units, for each layer of that width."""
    guard = evaluations.guard
    if guard.problem.activations is None:
        return {}
    batch = guard.take(point.batch, np.sort(examples))
    layers = guard.activations(point.params, guard.inputs_of(batch))
    order = np.argsort(np.argsort(examples))
    return {
        name: value[order][:, units]
        for name, value in layers.items()
        if value.ndim == 2 and value.shape[1] == width
    }


def _named(given, true, layers):
    best = None
    for layer, a in layers.items():
        none = {"": np.ones_like}
        for right, derivative in (DERIVATIVES | none).items():
            for wrong, slip in (DERIVATIVES | SLIPS | none).items():
                if right == wrong:
                    continue
                with np.errstate(all="ignore"):
                    # both sides times the other's factor: no division by a derivative of zero
                    left, side = true * slip(a), given * derivative(a)
                    size = np.linalg.norm(left) + np.linalg.norm(side)
                    residual = np.linalg.norm(left - side) / size if size > 0 else 1.0
                if residual < 1e-5 and (best is None or residual < best[0]):
                    best = (float(residual), layer, right, wrong)
    return None if best is None else _cause(*best)


def _cause(residual, layer, right, wrong):
    if not wrong:
        text = f"the true one without the derivative of the {right} at layer {layer}"
        kind = "activation-derivative-missing"
    elif not right:
        text = (
            f"the true one times a derivative that does not belong there, that of {wrong}, at layer {layer}"
        )
        kind = "activation-derivative-extra"
    else:
        of = f"that of {wrong}" if wrong in DERIVATIVES else wrong
        text = f"the true one with a wrong derivative at layer {layer}: {of} instead of that of the {right}"
        kind = "activation-derivative-wrong"
    return Cause(
        kind, text, f"Check the factor of the activation in the backward step of layer {layer}.", residual
    )
