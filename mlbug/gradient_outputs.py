"""Slips at the output layer: a softmax or sigmoid whose derivative is missing, a forgotten label term.

The gradient with respect to the outputs has few usual forms. Summed over the examples it is the output
bias's gradient, and with the layer's inputs the output weights'.
"""

import numpy as np

from .gradient_terms import Cause, fit
from .guard import UserFunctionError

LOOK = "Check the gradient of the loss with respect to the outputs, before anything is carried further back."


def output_cause(evaluations, point, block):
    """Try whether the given gradient is one of the usual wrong forms at the output.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Where the gradient is wrong.
    block : str
        Name of the parameter.

    Returns
    -------
    Cause or None
        None where the program has no scores, or no form fits.
    """
    guard = evaluations.guard
    if guard.problem.scores is None:
        return None
    inputs, target = guard.inputs_of(point.batch), guard.targets_of(point.batch)
    try:
        scores = guard.scores(point.params, inputs)
        layers = guard.activations(point.params, inputs) if guard.problem.activations is not None else {}
    except UserFunctionError:
        return None
    if scores.ndim != 2:
        return None
    given = np.asarray(point.grads[block], dtype=float)
    fronts = list(_fronts(given.shape, scores.shape, point.batch, layers))
    for kind, text, deltas in _forms(scores, np.asarray(target)):
        for front in fronts:
            with np.errstate(all="ignore"):
                form = front(deltas).reshape(given.shape)
            if _matches(given, form, max(1e-8, 32.0 * point.epsilon), len(scores)):
                return Cause(kind, text, LOOK, 0.0)
    return None


def _fronts(shape, scores, batch, layers):
    """Yield functions that carry output gradients (n, k) on to a parameter of the given shape."""
    k = scores[1]
    if int(np.prod(shape)) == k:
        yield lambda deltas: deltas.sum(axis=0)
    before = [batch[0].astype(float)] if batch[0].ndim == 2 and batch[0].dtype.kind in "fiu" else []
    for value in layers.values():
        if value.ndim == 2:
            before += [np.tanh(value), np.maximum(value, 0.0), 0.5 * (1.0 + np.tanh(0.5 * value))]
    for array in before:
        if int(np.prod(shape)) == array.shape[1] * k and shape[0] == array.shape[1]:
            yield lambda deltas, array=array: array.T @ deltas


def _forms(scores, target):
    """Yield the wrong forms of the gradient with respect to the outputs, each (n, k)."""
    k = scores.shape[1]
    if target.dtype.kind in "iu" and target.ndim == 1 and k > 1 and target.min() >= 0 and target.max() < k:
        one = np.eye(k)[target]
        with np.errstate(all="ignore"):
            yield (
                "softmax-missing",
                "what the log alone gives: the derivative of the softmax is missing",
                -one / scores,
            )
        yield (
            "softmax-diagonal",
            "what the diagonal of the softmax's Jacobian alone gives: the terms between classes are missing",
            one * (scores - 1.0),
        )
        yield "label-term-missing", "the probabilities alone: the labels are not subtracted", scores
        yield "probability-missing", "the labels alone: the probabilities are missing", -one
        yield (
            "sigmoid-extra",
            "that of a squared error through a sigmoid, p(1 - p)(p - y), not of this loss",
            (scores - one) * scores * (1.0 - scores),
        )
    elif target.size == scores.size:
        residual = scores - target.reshape(scores.shape)
        yield (
            "output-derivative",
            "the plain residual of the outputs: the output's own derivative is missing",
            residual,
        )
        yield (
            "output-derivative",
            "the residual times s(1 - s), a sigmoid's derivative that does not belong here",
            residual * scores * (1.0 - scores),
        )
        yield (
            "output-derivative",
            "the residual times 1 - s**2, a tanh's derivative that does not belong here",
            residual * (1.0 - scores**2),
        )
        yield "label-term-missing", "the outputs alone: the targets are not subtracted", scores
        yield (
            "absolute-for-square",
            "that of the absolute error, sign(s - y), not of this loss",
            np.sign(residual),
        )
        yield "magnitude", "made from the size of the residual, |s - y|: its sign is lost", np.abs(residual)


def _matches(given, form, tolerance, n):
    """Whether the form is the given gradient, up to a factor; for two numbers, a usual one."""
    if not np.all(np.isfinite(form)):
        return False
    c, residual = fit(given.ravel(), form.ravel())
    usual = any(abs(c - a / b) <= 1e-6 * a / b for a in (0.5, 1.0, 2.0) for b in (1.0, n))
    return residual <= tolerance and (given.size >= 3 or usual)
