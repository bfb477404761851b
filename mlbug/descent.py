"""Does a small step along the negative gradient do what the gradient says?"""

import numpy as np

from .probing import rounding


def share_of_decrease(guard, params, batch, name, grad, loss):
    """Return the measured over the predicted decrease of the loss for a small step on one array.

    Parameters
    ----------
    guard : Guard
        The program.
    params : dict of str to ndarray
        Where to start; off any kink.
    batch : tuple of ndarray
        Examples.
    name : str
        The array to step on, along its negative gradient.
    grad : ndarray
        Its gradient as the program gives it.
    loss : float
        The loss at `params`.

    Returns
    -------
    float or None
        1 up to a few percent for a right gradient: the value at the step at which two successive steps
        agree best. None where the gradient is zero, or rounding or curvature leave no such step.
    """
    slope = float(np.sum(np.square(grad, dtype=float)))
    reach = max(float(np.linalg.norm(params[name])), 1e-3 * np.sqrt(grad.size))
    if slope <= 0.0:
        return None
    noise = 30.0 * rounding(params) * max(abs(loss), 1e-300)
    found, direction = [], grad.astype(float) / np.sqrt(slope)
    for power in np.arange(-1.0, -9.0, -1.0):
        step = reach * 10.0**power
        predicted = step * np.sqrt(slope)
        if predicted < 200.0 * noise:
            break
        moved = params | {name: (params[name] - step * direction).astype(params[name].dtype)}
        actual = float(np.sum((params[name].astype(float) - moved[name]) * grad))
        if not abs(actual - predicted) < 0.01 * predicted:
            break
        found.append((loss - guard.loss(moved, batch)) / actual)
    if len(found) < 2:
        return None
    jumps = np.abs(np.diff(found))
    best = int(np.argmin(jumps))
    return found[best + 1] if jumps[best] < 0.02 * max(1.0, abs(found[best + 1])) else None
