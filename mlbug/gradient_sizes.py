"""How large are gradients and steps beside their parameters, layer by layer?"""

import numpy as np

from .probing import finite
from .report import Finding


def vanishing_gradients(guard, batch):
    """Compare what the gradients of the weight matrices, times the size of these, are worth.

    A matrix that starts at zero sends nothing back in the first step alone: random numbers of usual size
    stand in for it.
    """
    params = _without_zeros(guard)
    grads = guard.grad(params, batch)
    sizes = _relative_gradients(params, grads)
    if len(sizes) < 3 or not finite(grads):
        return []
    smallest, top = min(sizes, key=sizes.get), max(sizes.values())
    if top <= 0.0 or sizes[smallest] > 1e-4 * top:
        return []
    ratio = sizes[smallest] / top
    text = (
        f"The gradient of {smallest}, times its size, is {ratio:.1e} of the largest one: hardly anything of "
        "the error comes back to it."
    )
    evidence = {"gradient times size": sizes, "ratio": ratio}
    step = "Fewer layers, ReLU in place of saturating functions, scaled weights, or a path around the layers."
    low = [name for name, value in sizes.items() if value <= 1e-4 * top]
    status = "fault" if ratio < 1e-6 else "suspect"
    return [Finding("activations", status, tuple(low), evidence, text, step, "vanishing-gradient")]


def _without_zeros(guard):
    rng = np.random.default_rng(guard.seed)
    params = guard.params()
    for name, value in params.items():
        if value.ndim >= 2 and not np.any(value):
            noise = rng.standard_normal(value.shape) / np.sqrt(value.shape[0])
            params[name] = noise.astype(value.dtype if value.dtype.kind == "f" else float)
    return params


def _relative_gradients(params, grads):
    return {
        name: float(np.linalg.norm(grads[name]) * np.linalg.norm(value))
        for name, value in params.items()
        if value.ndim >= 2 and np.any(value)
    }


def update_sizes(guard, grads):
    """Report plain updates that are far larger than their parameters."""
    rate = guard.problem.learning_rate
    if rate is None or guard.problem.update is not None:
        return []
    ratios = {
        name: float(rate * np.linalg.norm(grads[name]) / np.linalg.norm(value))
        for name, value in guard.params().items()
        if value.ndim >= 2 and np.any(value)
    }
    large = [name for name, ratio in ratios.items() if ratio > 10.0]
    if not large:
        return []
    text = f"The first step on {', '.join(large)} is {max(ratios.values()):.2g} times the parameter itself."
    step = "About 1 % is usual, 0.01 % to 10 % common: lower the learning rate or scale the inputs."
    return [
        Finding(
            "activations", "suspect", tuple(large), {"step / parameter": ratios}, text, step, "large-update"
        )
    ]
