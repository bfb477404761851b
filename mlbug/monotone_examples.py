"""Three algorithms whose objective can never rise, and slips that break or merely bend that promise."""

import math
from dataclasses import dataclass

import numpy as np

FAULTS = ("none", "wrong formula", "left out")
WORSE = 2.0  # a run ends once its objective stands this far above its start


@dataclass(frozen=True)
class Descent:
    """A run of an algorithm that promises descent.

    Parameters
    ----------
    objective : ndarray, shape (steps + 1,)
        Objective before the first step and after each.
    gradient_left : float
        Largest entry of the gradient at the end over that at the start, rounded to six decimals, since
        less is noise.
    """

    objective: np.ndarray
    gradient_left: float


def run_descent(algorithm, fault="none", fault_step=1, steps=40):
    """Run one of `ALGORITHMS`, with a slip from a step on.

    Parameters
    ----------
    algorithm : str
        ``"EM"`` for a mixture of two normals, ``"line search"`` for gradient descent that shortens its
        step until the objective falls enough, ``"coordinate descent"`` for least squares.
    fault : {"none", "wrong formula", "left out"}
        ``"wrong formula"``: EM stores standard deviations as variances, the line search takes its first
        trial unseen, coordinate descent moves all coordinates by one old residual. ``"left out"``: EM
        never updates the shares, the line search moves along x alone, one coordinate is never visited.
    fault_step : int
        First step with the fault, from 1.
    steps : int
        Number of steps; fewer where the objective ends far above its start.

    Returns
    -------
    Descent
        An unknown algorithm or fault is a ValueError.

    References
    ----------
    A. Dempster, N. Laird and D. Rubin, Journal of the Royal Statistical Society B 39 (1977);
    L. Armijo, Pacific Journal of Mathematics 16 (1966).
    """
    if algorithm not in ALGORITHMS or fault not in FAULTS:
        raise ValueError(f"no such algorithm or fault: {algorithm!r}, {fault!r}")
    state, objective, step, slope = ALGORITHMS[algorithm]()
    first = np.max(np.abs(slope(state)))
    values = [objective(state)]
    for number in range(1, steps + 1):
        state = step(state, fault if number >= fault_step else "none")
        values.append(objective(state))
        if not values[-1] <= values[0] + WORSE * abs(values[0]):
            break
    left = float(np.max(np.abs(slope(state))) / first)
    return Descent(np.array(values), round(left, 6))


def _mixture():
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.normal(-2.0, 0.6, 50), rng.normal(1.5, 1.0, 70)])

    def log_joint(state):
        share, means, variances = state
        return np.log(share) - 0.5 * (
            np.log(2.0 * math.pi * variances) + (x[:, None] - means) ** 2 / variances
        )

    def objective(state):
        joint = log_joint(state)
        top = joint.max(axis=1)
        return -float(np.mean(top + np.log(np.exp(joint - top[:, None]).sum(axis=1))))

    def responsibilities(state):
        joint = log_joint(state)
        weight = np.exp(joint - joint.max(axis=1, keepdims=True))
        return weight / weight.sum(axis=1, keepdims=True)

    def step(state, fault):
        weight = responsibilities(state)
        count = weight.sum(axis=0)
        means = weight.T @ x / count
        variances = (weight * (x[:, None] - means) ** 2).sum(axis=0) / count
        if fault == "wrong formula":
            variances = np.sqrt(variances)
        return (state[0] if fault == "left out" else count / len(x)), means, variances

    def slope(state):
        share, means, variances = state
        weight, off = responsibilities(state), x[:, None] - means
        by_mean = (weight * off).mean(axis=0) / variances
        by_variance = 0.5 * (weight * (off**2 / variances - 1.0)).mean(axis=0) / variances
        return np.concatenate([by_mean, by_variance, weight.mean(axis=0) - share])

    return (np.array([0.8, 0.2]), np.array([-0.5, 0.5]), np.array([1.0, 1.0])), objective, step, slope


def _valley():
    def objective(state):
        x, y = state
        return (x - 1.0) * (x - 1.0) + (y - x * x) * (y - x * x)

    def slope(state):
        x, y = state
        return np.array([2.0 * (x - 1.0) - 4.0 * x * (y - x * x), 2.0 * (y - x * x)])

    def step(state, fault):
        g = slope(state)
        if fault == "left out":
            g = np.array([g[0], 0.0])
        rate, before = 1.0, objective(state)
        while fault != "wrong formula":
            if objective(state - rate * g) <= before - 0.3 * rate * (g[0] * g[0] + g[1] * g[1]):
                break
            rate *= 0.5
            if rate < 1e-10:  # at rest: no step lowers the objective by more than rounding
                return state
        return state - rate * g

    return np.array([-1.0, 0.5]), objective, step, slope


def _least_squares(size=6):
    rank = np.arange(size)
    a = 0.8 ** np.abs(rank[:, None] - rank)
    b = np.array([1.0, -0.5, 0.8, 0.3, -1.0, 0.6])

    def objective(state):
        return float(0.5 * state @ a @ state - b @ state)

    def step(state, fault):
        new = state.copy()
        for i in range(size - 1 if fault == "left out" else size):
            base = state if fault == "wrong formula" else new
            new[i] += (b[i] - a[i] @ base) / a[i, i]
        return new

    return np.full(size, 3.0), objective, step, lambda state: a @ state - b


ALGORITHMS = {"EM": _mixture, "line search": _valley, "coordinate descent": _least_squares}
