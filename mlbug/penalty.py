"""Does the regularizer keep the program from learning?"""

import numpy as np

from .fitting import minimize
from .guard import UserFunctionError
from .report import Finding


def strong_penalty(guard):
    """Report a regularizer without which the program learns, and with which it does not."""
    if guard.problem.regularizer is None:
        return []
    batch, bare = guard.problem.train, guard.without_regularizer()
    start = bare.loss(guard.params(), batch)
    with_penalty = bare.loss(minimize(guard, batch, steps=60).params, batch)
    without = minimize(bare, batch, steps=60).losses[-1]
    flat = _flat_loss(guard, bare)
    top = min(start, flat) if flat is not None else start
    gain, kept = top - without, top - with_penalty
    evidence = {"data loss at the start": start, "with the penalty": with_penalty, "without it": without}
    if not (gain > 0.3 * abs(top) and kept < 0.2 * gain):
        return []
    name = guard.problem.regularizer if isinstance(guard.problem.regularizer, str) else "regularizer"
    text = (
        f"Without the penalty the loss on the training data falls to {without:.3g}, with it only "
        f"to {with_penalty:.3g} "
        f"(one answer for all examples: {top:.3g}): the penalty keeps the program from learning."
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
