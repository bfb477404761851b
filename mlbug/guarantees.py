"""Check what must hold up to rounding: descent, zero gradient at convergence, objectives that never rise."""

import numpy as np

from .descent import share_of_decrease
from .fitting import minimize
from .guard import UserFunctionError
from .monotone import whole_step_algorithm
from .probing import attempt, finite, first_rows, perturbed, rounding
from .problem import as_guard
from .report import Finding


def check_guarantees(problem, seed=0):
    """Check the promises of the method, each with a tolerance from precision and scale.

    Looked for: a parameter whose step along the negative gradient does not lower the loss by what the
    gradient predicts; a minimum whose gradient is not zero; a whole-step algorithm (a program with an
    update rule and no learning rate) whose objective rises or which stops where the gradient is not
    zero; a loss that depends on the order of its examples; probabilities that do not sum to 1.

    Parameters
    ----------
    problem : Problem or Guard
        The program.
    seed : int, optional
        Seed of the points at which the promises are tried.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    try:
        start = guard.loss(guard.params(), guard.problem.train)
        if not np.isfinite(start) or not finite(guard.grad(guard.params(), guard.problem.train)):
            text = "Loss or gradient are not finite at the start: see the setup check."
            return [Finding("guarantees", "skipped", meaning=text)]
        if guard.loss(guard.params(), guard.problem.train) != start:
            text = "Equal calls give different losses, so that nothing can be promised up to rounding."
            return [Finding("guarantees", "skipped", meaning=text)]
        findings = first_order_decrease(guard) + convergence(guard)
        if guard.problem.update is not None and guard.problem.learning_rate is None:
            findings += whole_step_algorithm(guard)
        return findings + order_of_examples(guard) + probabilities(guard)
    except UserFunctionError as error:
        return [Finding("guarantees", "skipped", meaning=f"A function failed on the way: {error}.")]


def first_order_decrease(guard):
    """Compare for each parameter alone the decrease that the gradient predicts with the measured one.

    Asked at three points near the start, off the kinks on which a start may sit; the share of the
    decrease that comes has to approach 1 as the step shrinks. The step is chosen so that rounding and
    curvature are both far below the tolerance of 5 %.
    """
    batch = first_rows(guard.problem.train, 300)
    rng = np.random.default_rng(guard.seed)
    shares = {name: [] for name in guard.problem.params}
    for size in (0.01, 0.03, 0.1):
        params = perturbed(guard.params(), rng, size)
        loss = attempt(guard.loss, params, batch)
        grads = attempt(guard.grad, params, batch)
        if loss is None or grads is None or not np.isfinite(loss) or not finite(grads):
            continue
        for name in shares:
            share = share_of_decrease(guard, params, batch, name, grads[name], loss)
            if share is not None:
                shares[name].append(share)
    wrong = {name: s for name, s in shares.items() if len(s) >= 2 and all(abs(x - 1.0) > 0.05 for x in s)}
    evidence = {"measured decrease / predicted": shares}
    if not wrong:
        text = (
            "A small step along the negative gradient lowers the loss by what the gradient predicts, "
            "for each array."
        )
        return [Finding("guarantees", "ok", (), evidence, text, "", "descent")]
    worst = max(wrong, key=lambda name: abs(wrong[name][0] - 1.0))
    rises = [name for name, s in wrong.items() if max(s) < 0.0]
    text = (
        f"A small step on {worst} alone changes the loss by {wrong[worst][0]:.3g} times what its "
        "gradient predicts"
        + (f"; on {', '.join(rises)} the loss rises where it has to fall." if rises else ".")
    )
    step = "The gradient is not that of the loss: see the gradient check for the term at fault."
    return [Finding("guarantees", "fault", tuple(wrong), evidence, text, step, "no-first-order-decrease")]


def convergence(guard):
    """Minimize as far as it goes and look at what is left of the gradient."""
    fit = minimize(guard, guard.problem.train, steps=80)
    start = _size(guard.grad(guard.params(), guard.problem.train))
    end = _size(guard.grad(fit.params, guard.problem.train))
    evidence = {"gradient at the start": start, "at the end": end, "losses": [fit.losses[0], fit.losses[-1]]}
    if fit.reason != "no-descent" or start == 0.0 or end <= 1e-3 * start:
        text = f"The gradient falls from {start:.3g} to {end:.3g} as the loss is minimized."
        return [Finding("guarantees", "ok", (), evidence, text, "", "convergence")]
    text = (
        f"The loss stops falling at {fit.losses[-1]:.4g}, where no step along the negative "
        "gradient lowers it, but the "
        f"gradient there has still {end / start:.0%} of its size at the start: a minimum has gradient zero."
    )
    step = "A kink of the loss may explain it; otherwise the gradient is not that of the loss."
    return [Finding("guarantees", "suspect", (), evidence, text, step, "gradient-at-minimum")]


def _size(grads):
    return float(np.sqrt(sum(float(np.sum(np.square(g, dtype=float))) for g in grads.values())))


def order_of_examples(guard):
    """Compare the loss of the batch with that of the same examples in another order."""
    batch = guard.problem.train
    rows = np.random.default_rng(guard.seed).permutation(len(batch[0]))
    params = guard.params()
    loss, other = guard.loss(params, batch), attempt(guard.loss, params, guard.take(batch, rows))
    if other is None:
        return []
    tolerance = 100.0 * rounding(params) * np.sqrt(len(rows)) * max(abs(loss), 1e-300)
    evidence = {"loss": loss, "in another order": other, "tolerance": tolerance}
    if abs(other - loss) <= max(tolerance, 1e-9 * abs(loss)):
        text = "The loss does not depend on the order of the examples."
        return [Finding("guarantees", "ok", (), evidence, text, "", "order")]
    text = f"The loss changes from {loss:.6g} to {other:.6g} when the examples come in another order."
    step = "Unless neighbors belong together, look for a state that is carried from one example to the next."
    return [Finding("guarantees", "suspect", ("inputs",), evidence, text, step, "order")]


def probabilities(guard):
    """Check that scores that are meant as probabilities are such, to rounding."""
    batch = guard.problem.train
    targets = batch[-1]
    if guard.problem.scores is None or targets.dtype.kind not in "iub" or targets.ndim != 1:
        return []
    scores = guard.scores(guard.params(), guard.inputs_of(batch))
    if scores.ndim != 2 or scores.shape[1] < 2 or not np.isfinite(scores).all():
        return []
    off = float(np.abs(scores.sum(axis=1) - 1.0).max())
    evidence = {"largest distance of a row's sum from 1": off, "smallest": float(scores.min())}
    if off <= 1e3 * rounding(guard.params()) * scores.shape[1] and scores.min() >= 0.0:
        return [Finding("guarantees", "ok", (), evidence, "Probabilities sum to 1.", "", "probabilities")]
    if off < 0.2 and scores.min() >= -1e-6:
        text = f"The probabilities of an example sum to 1 only up to {off:.2g}."
        return [
            Finding(
                "guarantees", "suspect", (), evidence, text, "Normalize along the classes.", "probabilities"
            )
        ]
    return []
