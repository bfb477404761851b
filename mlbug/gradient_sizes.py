"""How large are gradients and steps beside their parameters, layer by layer?"""

import numpy as np

from .fitting import minimize
from .report import Finding


def vanishing_gradients(guard, batch, grads):
    """Compare the gradient, times parameter size, of weight matrices, at the start and a few steps later."""
    first = _relative_gradients(guard.params(), grads)
    if len(first) < 3:
        return []
    later_params = minimize(guard, batch, steps=3).params
    later = _relative_gradients(later_params, guard.grad(later_params, batch))
    smallest = min(first, key=first.get)
    top = max(first.values())
    if top <= 0.0 or smallest not in later or max(later.values()) <= 0.0:
        return []
    ratios = [first[smallest] / top, later[smallest] / max(later.values())]
    if max(ratios) > 1e-4:
        return []
    text = (
        f"The gradient of {smallest}, beside its size, is {ratios[0]:.1e} of the largest one: "
        "hardly anything of the error "
        "comes back to it."
    )
    evidence = {"gradient size by array": first, "ratio": ratios}
    step = "Fewer layers, ReLU in place of saturating functions, scaled weights, or a path around the layers."
    low = [name for name, value in first.items() if value <= 1e-4 * top]
    status = "fault" if max(ratios) < 1e-6 else "suspect"
    return [Finding("activations", status, tuple(low), evidence, text, step, "vanishing-gradient")]


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
