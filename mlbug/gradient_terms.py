"""What a wrong gradient would have to be multiplied by, turned round or completed with to be right.

Each hypothesis predicts the true slopes along the directions at hand from the given gradient; the one
that leaves no residual names the slip.
"""

from dataclasses import dataclass, field

import numpy as np

from .gradient_factors import name_factor
from .projections import project


@dataclass(frozen=True)
class Cause:
    """A slip that explains a wrong gradient.

    Parameters
    ----------
    kind : str
        Short stable name.
    text : str
        What the gradient is instead.
    next_step : str
        Where to look.
    residual : float
        Part of the true slopes that the explanation leaves over (0 to 1).
    evidence : dict
        More numbers.
    sure : bool
        Whether the numbers leave no other reading.
    """

    kind: str
    text: str
    next_step: str
    residual: float
    evidence: dict = field(default_factory=dict)
    sure: bool = True


@dataclass(frozen=True)
class Slips:
    """Given and true slopes of a block along a number of directions.

    Parameters
    ----------
    directions : list of dict
        The directions.
    given, true : ndarray, shape (k,)
        Slopes.
    tolerance : float
        Relative residual that counts as none.
    """

    directions: list
    given: np.ndarray
    true: np.ndarray
    tolerance: float

    @classmethod
    def of(cls, comparisons):
        """Collect from a list of `Comparison`."""
        true = np.array([c.slope.value for c in comparisons])
        size = max(float(np.linalg.norm(true)), float(np.linalg.norm([c.given for c in comparisons])))
        worst = float(np.linalg.norm([c.tolerance for c in comparisons]))
        tolerance = max(1e-7, 4.0 * worst / size if size > 0 else 0.0)
        return cls(
            [c.direction for c in comparisons], np.array([c.given for c in comparisons]), true, tolerance
        )

    def explained(self, residual):
        """Whether a residual, relative to the true slopes, is rounding and far less than the error itself."""
        error = float(np.linalg.norm(self.given - self.true))
        return residual <= self.tolerance and residual * float(np.linalg.norm(self.true)) <= 0.05 * error

    def slopes_of(self, block, array):
        """Return the slopes that a gradient `array` of the block would have."""
        return np.array([project(u, {block: array}) for u in self.directions])


def fit(target, source):
    """Return c and the relative residual of ``target = c * source`` by least squares."""
    target, source = np.asarray(target, dtype=float), np.asarray(source, dtype=float)
    top = float(np.max(np.abs(source), initial=0.0))
    size = float(np.linalg.norm(target))
    if not (0.0 < top < np.inf) or size == 0.0:
        return 0.0, 1.0
    scaled = source / top
    c = float(target @ scaled / (scaled @ scaled))
    return c / top, float(np.linalg.norm(target - c * scaled)) / size


def scalar_cause(slips, block, shape, factors):
    """Try whether the given gradient is a multiple of the true one."""
    c, residual = fit(slips.true, slips.given)
    size = int(np.prod(shape))
    if not slips.explained(residual) or c == 0.0:
        return None
    times = 1.0 / c
    factor = name_factor(times, factors, max(1e-6, slips.tolerance))
    if factor is None and size < 3:
        return None  # two numbers are always nearly some multiple of two others
    text = f"{times:.6g} times the true one"
    if factor is None:
        return Cause(
            "factor",
            text,
            "Look for a constant factor that loss and gradient do not share.",
            residual,
            {"factor": times},
        )
    return Cause(factor.kind, f"{text}{factor.reason}", _look(factor.kind), residual, {"factor": times})


def _look(kind):
    return {
        "sign": "Look for the minus sign that one of loss and gradient lacks.",
        "sum-for-mean": "Divide the gradient by the number of examples, or sum in the loss too.",
        "mean-for-sum": "Divide by the number of examples once only.",
        "learning-rate": "Leave the learning rate to the update.",
    }.get(kind, "Compare the constant factors of loss and gradient.")


def rearranged_cause(slips, block, grad, factors):
    """Try whether the right numbers stand at the wrong places."""
    for kind, words, array in _rearrangements(np.asarray(grad, dtype=float)):
        c, residual = fit(slips.true, slips.slopes_of(block, array))
        if not slips.explained(residual) or c == 0.0:
            continue
        if abs(c - 1.0) < 1e-6 + slips.tolerance:
            return Cause(
                kind, words, "Put the axes of the gradient in the order of the parameter's.", residual
            )
        factor = name_factor(1.0 / c, factors, 1e-6 + slips.tolerance)
        if factor is not None:
            words = f"{words}, and {1.0 / c:.6g} times as large{factor.reason}"
            return Cause(kind, words, "Put the axes in order first, then the factor.", residual)
    return None


def _rearrangements(g):
    axes = range(g.ndim)
    for i in axes:
        for j in axes:
            if i < j and g.shape[i] == g.shape[j] > 1:
                yield "transposed", "the transpose of the true one", np.swapaxes(g, i, j)
    if g.ndim >= 2 and min(g.shape) > 1:
        turned = g.reshape(g.shape[::-1]).transpose()
        yield "reshaped", "the true numbers, reshaped where a transpose belongs", turned
        yield "rotated", "the true one with its last two axes turned round", np.flip(g, (-2, -1))
    for i in axes:
        if g.shape[i] > 2:
            yield "reversed", f"the true one in reverse order along axis {i}", np.flip(g, i)
            for step in (1, -1):
                words = f"the true one shifted by one place along axis {i}"
                yield "shifted-entries", words, np.roll(g, step, i)


def penalty_cause(slips, block, value):
    """Try whether a multiple of the parameter, or of its sign, is missing or too much."""
    error = slips.given - slips.true
    if value.size < 3:
        return None
    loose = slips.tolerance * float(np.linalg.norm(slips.true)) / max(float(np.linalg.norm(error)), 1e-300)
    for words, array in (("the parameter itself", value), ("the sign of the parameter", np.sign(value))):
        c, residual = fit(error, slips.slopes_of(block, np.asarray(array, dtype=float)))
        if residual <= min(max(loose, 1e-6), 1e-2) and c != 0.0:
            which = "lacks" if c < 0 else "has too much of"
            text = f"the true one but for a penalty: it {which} {abs(c):.6g} times {words}"
            kind = "regularizer-missing" if c < 0 else "regularizer-extra"
            return Cause(
                kind, text, "Put the same penalty into loss and gradient.", residual, {"strength": abs(c)}
            )
    return None
