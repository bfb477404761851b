"""Does the regularizer keep the program from learning?"""

import numpy as np

from .fitting import minimize, trained
from .guard import UserFunctionError
from .report import Finding


def penalty_faults(guard):
    """Report a regularizer with the wrong sign, or one without which alone the program learns."""
    if guard.problem.regularizer is None:
        return []
    name = guard.problem.regularizer if isinstance(guard.problem.regularizer, str) else "regularizer"
    return _wrong_sign(guard, name) or _too_strong(guard, name)


def _wrong_sign(guard, name):
    """Ask what the regularizer adds to the loss as the parameters grow: a reward, in place of a penalty?"""
    batch, bare = guard.problem.train, guard.without_regularizer()
    added = []
    for size in (1.0, 2.0, 4.0, 4.0):
        params = {key: (size * value).astype(value.dtype) for key, value in guard.params().items()}
        added.append(guard.loss(params, batch) - bare.loss(params, batch))
    if not (added[2] == added[3] and added[2] < added[1] < added[0] < 0.0 and np.isfinite(added[2])):
        return []
    text = (
        f"{name} lowers the loss as the parameters grow: by {-added[0]:.3g} at the start, by "
        f"{-added[1]:.3g} at twice and "
        f"{-added[2]:.3g} at four times the parameters. It rewards what it has to punish."
    )
    evidence = {"added to the loss at 1, 2 and 4 times the parameters": added[:3]}
    step = "Add the penalty to the loss in place of subtracting it, in the gradient too."
    return [Finding("train-test", "fault", (name,), evidence, text, step, "penalty-sign")]


def _too_strong(guard, name):
    batch, bare = guard.problem.train, guard.without_regularizer()
    start = bare.loss(guard.params(), batch)
    runs = (minimize(guard, batch, steps=60), trained(guard))
    with_penalty = min(bare.loss(run.params, batch) for run in runs)
    without = minimize(bare, batch, steps=60).losses[-1]
    flat = _flat_loss(guard, bare)
    top = min(start, flat) if flat is not None else start
    gain, kept = top - without, top - with_penalty
    evidence = {"data loss at the start": start, "with the penalty": with_penalty, "without it": without}
    if not (gain > 0.3 * abs(top) and kept < 0.2 * gain):
        return []
    text = (
        f"Without the penalty the loss on the training data falls to {without:.3g}, with it only to "
        f"{with_penalty:.3g} (one answer for all examples: {top:.3g}): the penalty keeps the "
        "program from learning."
    )
    step = f"Set {name} to a thousandth of its value, then raise it while the test error falls."
    return [Finding("train-test", "fault", (name,), evidence, text, step, "penalty-too-strong")]


def _flat_loss(guard, bare):
    """Return the data loss with all parameters zero: the best that a crushed model gives, or None."""
    zero = {name: 0.0 * value for name, value in guard.params().items()}
    try:
        loss = bare.loss(zero, guard.problem.train)
    except UserFunctionError:
        return None
    return loss if np.isfinite(loss) else None
