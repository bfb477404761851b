"""Find units that start alike and get the same update for ever."""

import numpy as np

from .guard import UserFunctionError
from .probing import finite
from .report import Finding


def symmetric_units(guard):
    """Report weight arrays whose slices are equal at the start and still equal after some steps.

    Equal slices alone are no fault (a linear softmax may start at zero, since its classes pull apart);
    they are one if the gradient keeps them equal.
    """
    start, batch = guard.params(), guard.problem.train
    axes = {name: _equal_axes(value) for name, value in start.items()}
    if not any(axes.values()):
        return [Finding("setup", "ok", meaning="No two units start alike.", kind="symmetry")]
    try:
        end, losses = _descend(guard, start, batch)
    except UserFunctionError:
        return []
    stuck = {
        name: [axis for axis in found if axis in _equal_axes(end[name])]
        for name, found in axes.items()
        if not np.array_equal(end[name], start[name]) or not np.any(guard.grad(end, batch)[name])
    }
    stuck = {name: found for name, found in stuck.items() if found}
    if not stuck:
        text = "Units that start alike are pulled apart by their gradients."
        return [Finding("setup", "ok", meaning=text, kind="symmetry")]
    counts = {name: [int(start[name].shape[axis]) for axis in found] for name, found in stuck.items()}
    text = (
        f"In {', '.join(stuck)} all {max(max(c) for c in counts.values())} units start with the "
        "same values and get the "
        f"same gradient: after {len(losses) - 1} steps they are still equal, so that they do the work of one."
    )
    step = "Start with random values, different for each unit."
    evidence = {"equal units": counts, "loss": [losses[0], losses[-1]]}
    return [Finding("setup", "fault", tuple(stuck), evidence, text, step, "symmetry")]


def _equal_axes(value):
    """Return the axes of a matrix (or larger array) along which all slices are equal."""
    if value.ndim < 2:
        return []
    scale = float(np.abs(value).max())
    return [
        axis
        for axis in range(value.ndim)
        if value.shape[axis] > 1 and float(np.ptp(value, axis=axis).max()) <= 1e-9 * scale
    ]


def _descend(guard, start, batch, steps=12):
    """Walk down the gradient with a step that halves where the loss would rise; different data each step."""
    params, losses = start, [guard.loss(start, batch)]
    rng = np.random.default_rng(guard.seed)
    rate = None
    for _ in range(steps):
        rows = rng.permutation(len(batch[0]))[: max(2, (2 * len(batch[0])) // 3)]
        part = guard.take(batch, rows)
        grads = guard.grad(params, part)
        size = max((float(np.abs(g).max()) for g in grads.values()), default=0.0)
        if not finite(grads) or size == 0.0:
            break
        rate = 0.1 / size if rate is None else rate
        params = {name: value - rate * grads[name] for name, value in params.items()}
        losses.append(guard.loss(params, batch))
        if not losses[-1] < losses[-2]:
            rate *= 0.5
    return params, losses
