"""Algorithms of whole steps (EM, power iteration, coordinate descent): their objective must never rise."""

import numpy as np

from .probing import finite, rounding
from .report import Finding

STEPS = 150


def whole_step_algorithm(guard):
    """Iterate the update, watch the objective, and look at the gradient where it stops.

    The reference for the objective is the training loss. The gradient at the fixed point is compared
    with that at the start after removing what the algorithm's own constraints (a constant sum, a
    constant norm) account for.

    Parameters
    ----------
    guard : Guard
        A program with an update rule and no learning rate.

    Returns
    -------
    list of Finding

    References
    ----------
    A. Dempster, N. Laird and D. Rubin, Journal of the Royal Statistical Society B 39 (1977).
    """
    path, losses = _iterate(guard)
    rise = first_rise(losses, _noise(losses, guard))
    still = _stops(path, losses)
    slopes = _slopes_at_end(guard, path) if still else {}
    left = [name for name, share in slopes.items() if share > 1e-3]
    evidence = {"objective": _short(losses), "steps": len(losses) - 1, "gradient left": slopes}
    if rise is not None:
        places = left or _raising_blocks(guard, path[rise], path[rise + 1])
        text = (
            f"The objective rises in step {rise + 1}, from {losses[rise]:.8g} to "
            f"{losses[rise + 1]:.8g}; this algorithm "
            "promises that it never does."
        )
        if left:
            text += _left_text(left, slopes)
        step = (
            f"Derive the step for {', '.join(places) or 'each parameter'} anew: it has to maximize its "
            "part exactly."
        )
        return [Finding("guarantees", "fault", tuple(places), evidence, text, step, "objective-rises")]
    if left:
        text = "The algorithm comes to rest, but not at a stationary point." + _left_text(left, slopes)
        step = f"Derive the step for {', '.join(left)} anew."
        return [Finding("guarantees", "fault", tuple(left), evidence, text, step, "stops-off-optimum")]
    text = f"The objective never rises in {len(losses) - 1} steps, from {losses[0]:.6g} to {losses[-1]:.6g}."
    if still:
        text += " Where the algorithm stops, the gradient is zero."
    return [Finding("guarantees", "ok", (), evidence, text, "", "monotone")]


def _left_text(left, slopes):
    return (
        f" Where it stops, the gradient by {', '.join(left)} still has "
        f"{max(slopes[name] for name in left):.0%} of its "
        "scale: that is no optimum."
    )


def _iterate(guard):
    """Return the parameters and losses of each step until nothing changes any more."""
    batch = guard.problem.train
    guard.reset_update()
    path, losses = [guard.params()], [guard.loss(guard.params(), batch)]
    for _ in range(STEPS):
        params = guard.update(path[-1], guard.grad(path[-1], batch), 1.0)
        loss = guard.loss(params, batch) if finite(params) else np.inf
        path.append(params)
        losses.append(loss)
        if not np.isfinite(loss):
            break
        if all(np.allclose(params[k], path[-2][k], rtol=1e-10, atol=1e-12) for k in params):
            break
    guard.reset_update()
    return path, losses


def first_rise(objectives, noise=0.0):
    """Return the index of the first step that raises the objective by more than noise, or None.

    Parameters
    ----------
    objectives : array_like, shape (steps + 1,)
        Objective before the first step and after each; a value that is not a number counts as a rise.
    noise : float or ndarray, shape (steps,)
        What rounding may add, in the units of the objective.

    Returns
    -------
    int or None
        Step k is the one from ``objectives[k]`` to ``objectives[k + 1]``.
    """
    values = np.asarray(objectives, dtype=float)
    risen = np.flatnonzero(~(values[1:] <= values[:-1] + noise))
    return int(risen[0]) if len(risen) else None


def _noise(losses, guard):
    values = np.array(losses)
    scale = np.abs(values[:-1]) + np.ptp(values[np.isfinite(values)])
    return np.maximum(1e4 * rounding(guard.problem.params) * scale, 1e-12)


def _stops(path, losses):
    if len(path) < 3 or not np.isfinite(losses[-1]):
        return False
    return all(np.allclose(path[-1][k], path[-2][k], rtol=1e-6, atol=1e-9) for k in path[-1])


def _slopes_at_end(guard, path):
    """Return what is left of each array's gradient at the end, beside the gradient's natural scale.

    The scale of an array's gradient is the larger of its size at the start of the run and that of a
    move by a tenth of the array away from the end.
    """
    batch, end = guard.problem.train, path[-1]
    last = guard.grad(end, batch)
    rng = np.random.default_rng(guard.seed)
    shares = {}
    for name, value in end.items():
        moved = end | {name: value * (1.0 + 0.1 * rng.standard_normal(value.shape))}
        grads = [guard.grad(p, batch)[name] for p in (path[0], moved)]
        if not all(np.isfinite(g).all() for g in grads):
            continue
        scale = max(float(np.linalg.norm(_tangent(name, g, path))) for g in grads)
        rest = float(np.linalg.norm(_tangent(name, last[name], path)))
        shares[name] = rest / scale if scale > 0.0 else 0.0
    return shares


def _tangent(name, grad, path):
    """Remove from a gradient the directions that the algorithm never moves in: constant sums and norms."""
    steps = [params[name].astype(float) for params in path[1:]]
    g = grad.astype(float)
    for axis in (None, *range(g.ndim)):
        sums = [np.sum(x, axis=axis) for x in steps]
        if all(np.allclose(s, sums[0], rtol=1e-9, atol=1e-12) for s in sums):
            g = g - np.mean(g, axis=axis, keepdims=axis is not None)
    for axis in (None, *range(g.ndim)):
        norms = [np.sum(x * x, axis=axis) for x in steps]
        if all(np.allclose(s, norms[0], rtol=1e-9) for s in norms):
            end = steps[-1]
            keep = axis is not None
            square = np.sum(end * end, axis=axis, keepdims=keep)
            g = g - end * np.sum(g * end, axis=axis, keepdims=keep) / np.where(square > 0.0, square, 1.0)
    return g


def _raising_blocks(guard, before, after):
    """Return the arrays without whose step the objective would have risen less, or not at all."""
    batch = guard.problem.train
    base, full = guard.loss(before, batch), guard.loss(after, batch)
    without = {name: guard.loss(after | {name: before[name]}, batch) for name in after}
    return [name for name, loss in without.items() if loss < base or loss < full - 0.5 * abs(full - base)]


def _short(losses):
    return losses if len(losses) <= 12 else [*losses[:8], "...", *losses[-3:]]
