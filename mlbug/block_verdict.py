"""Given and true slopes of one parameter block side by side, and the verdict on them."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from .directional_differences import taylor_order
from .projections import directions_needed, project, smallest_share, spread
from .slopes import Slope

SHARE_THAT_MATTERS = 1e-4
FEWEST, MOST = 3, 24
HOPELESS = 0.03


@dataclass(frozen=True)
class Comparison:
    """The slope that the gradient claims along one direction, beside the true one."""

    direction: dict = field(repr=False)
    given: float
    slope: Slope
    tolerance: float
    size: float  # of the projected gradient, without cancellation

    @property
    def error(self):
        """Given minus true slope."""
        return self.given - self.slope.value

    @property
    def differs(self):
        """Whether the difference is more than rounding explains."""
        return abs(self.error) > self.tolerance

    @property
    def share(self):
        """The difference over the size of the gradient."""
        size = max(self.size, abs(self.slope.value))
        return abs(self.error) / size if size > 0 else 0.0


@dataclass
class BlockVerdict:
    """The verdict on one block of the parameters at one point.

    Parameters
    ----------
    block : str
        Name of the parameter.
    verdict : str
        ``"right"``, ``"wrong"``, ``"kink"``, ``"round-off"`` or ``"unreached"``.
    comparisons : list of Comparison
        What it rests on.
    smallest_share : float
        The relative error that would have been missed with a probability of 1e-6.
    taylor : float
        Order of the Taylor remainder with the given gradient: 2 if right, 1 if wrong; may be NaN.
    sides : tuple of float
        Slopes to the left and right of a kink, and the one given between or beside them.
    rounding_only : bool
        Whether the given gradient is no larger than its own rounding.
    """

    block: str
    verdict: str
    comparisons: list
    smallest_share: float
    taylor: float
    sides: tuple = ()
    rounding_only: bool = False

    @property
    def share(self):
        """Typical size of the error, relative to the gradient: a ratio of root mean squares."""
        size = math.hypot(*(max(c.size, abs(c.slope.value)) for c in self.comparisons))
        return math.hypot(*(c.error for c in self.comparisons)) / size if size > 0 else 0.0

    @property
    def method(self):
        """The witness: complex step or centred difference."""
        return self.comparisons[0].slope.method


def judge_block(point, block, rng):
    """Compare a block of the gradient with true slopes along Gaussian directions.

    As many directions are drawn as bring the chance of missing a relative error of 1e-4 below 1e-6, at
    the tolerance that the first ones show; never fewer than 3, nor more than 24.

    Parameters
    ----------
    point : Point
        Where to judge.
    block : str
        Name of the parameter.
    rng : numpy.random.Generator
        Source of the directions.

    Returns
    -------
    BlockVerdict
    """
    first = point.slopes.direction(block, rng)
    difference = point.slopes.preflight(block, first, point.grads)
    comparisons = [compare(point, first)]
    order = taylor_order(difference, comparisons[0].given, point.slopes.noise)
    while len(comparisons) < _wanted(comparisons):
        comparisons.append(compare(point, point.slopes.direction(block, rng)))
    share = smallest_share(_tolerance(comparisons), len(comparisons))
    result = BlockVerdict(block, "right", comparisons, share, order)
    _decide(result, point, rng)
    return result


def compare(point, direction):
    """Return the `Comparison` along one direction; a difference that disagrees is taken at small steps."""
    result = _compared(point, direction, point.slopes.at(direction, point.grads))
    if result.differs and result.slope.method != "complex step":
        closer = point.slopes.refined(direction, point.grads)
        if closer.error < 0.25 * abs(result.error):
            slope = replace(result.slope, value=closer.value, error=closer.error)
            return _compared(point, direction, slope)
    return result


def _compared(point, direction, slope):
    given = project(direction, point.grads)
    return Comparison(
        direction, given, slope, point.tolerance(direction, slope), spread(direction, point.grads)
    )


def _tolerance(comparisons):
    """Return the tolerance relative to the typical size of the projected gradient."""
    size = math.sqrt(sum(max(c.size, abs(c.slope.value)) ** 2 for c in comparisons) / len(comparisons))
    worst = max(c.tolerance for c in comparisons)
    return worst / size if size > 0 and math.isfinite(worst) else math.inf


def _wanted(comparisons):
    tolerance = _tolerance(comparisons)
    if not tolerance < HOPELESS or any(c.differs for c in comparisons[:FEWEST]):
        return FEWEST
    return min(MOST, max(FEWEST, directions_needed(tolerance, SHARE_THAT_MATTERS)))


def _decide(result, point, rng):
    comparisons = result.comparisons
    differing = [c for c in comparisons if c.differs]
    if 0 < len(differing) < len(comparisons):  # a narrow case: more directions settle it
        comparisons += [compare(point, point.slopes.direction(result.block, rng)) for _ in range(2 * FEWEST)]
        differing = [c for c in comparisons if c.differs]
    if differing:
        sides = [_sides(point, c) for c in differing[:FEWEST]]
        kinks = [s for s in sides if s]
        if 2 * len(kinks) > len(sides):
            result.verdict, result.sides = "kink", kinks[0]
        else:
            result.verdict = "wrong" if 2 * len(differing) > len(comparisons) else "round-off"
    elif all(_at_rest(c, point) for c in comparisons):
        result.verdict = "unreached"
    elif not result.smallest_share < HOPELESS:
        result.verdict = "round-off"
    result.rounding_only = all(50.0 * point.rounding(c.direction) >= HOPELESS * c.size for c in comparisons)


def _sides(point, comparison):
    """Return left, right and given slope if a kink lies at the point, else nothing."""
    kink, left, right = point.slopes.has_kink(comparison.direction, comparison.slope, abs(comparison.error))
    return (left, right, comparison.given) if kink else ()


def _at_rest(comparison, point):
    """Whether both gradient and true slope vanish, as they do where a parameter cannot be felt."""
    (u,) = comparison.direction.values()
    felt = float(np.max(np.abs(u), initial=0.0)) > 0
    return felt and comparison.size == 0.0 and abs(comparison.slope.value) <= comparison.slope.error
