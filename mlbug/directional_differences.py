"""Centred differences along a direction, extrapolated, with an error that is estimated and not assumed."""

import math
from dataclasses import dataclass, field

import numpy as np

LEVELS = 13
FACTOR = 4.0
SAFETY = 4.0


@dataclass(frozen=True)
class Difference:
    """A slope along a direction, from centred differences.

    Parameters
    ----------
    value : float
        The extrapolated slope.
    error : float
        Estimate of its error: change in the last extrapolation plus noise of the loss over the step.
    steps, forward, backward : tuple of float
        The steps tried, largest first, and the loss after a step forward and back.
    start : float
        The loss at the point itself.
    """

    value: float
    error: float
    start: float
    steps: tuple[float, ...] = field(repr=False)
    forward: tuple[float, ...] = field(repr=False)
    backward: tuple[float, ...] = field(repr=False)


def extrapolated_difference(along, start, noise, target, first=2.0**-5):
    """Differentiate a function of one variable at 0.

    Centred differences at steps that fall by 4 fill a Romberg table; the entry with the smallest
    estimated error is taken (Ridders 1982; Numerical Recipes, section 5.7). The search ends when the
    error is below `target` or the noise of the function rules out anything better.

    Parameters
    ----------
    along : callable
        ``along(step) -> float``.
    start : float
        Its value at 0.
    noise : float
        Standard deviation of the noise of its values.
    target : float
        Error that is good enough.
    first : float
        The largest step.

    Returns
    -------
    Difference
        With an infinite error where no finite values were found.
    """
    steps, forward, backward, table = [], [], [], []
    best, error = math.nan, math.inf
    for level in range(LEVELS):
        step = first * FACTOR**-level
        if SAFETY * noise / step > error:
            break
        ahead, back = along(step), along(-step)
        if not (math.isfinite(ahead) and math.isfinite(back)):
            table.append([])
            continue
        steps.append(step)
        forward.append(ahead)
        backward.append(back)
        table.append(_romberg_row((ahead - back) / (2.0 * step), table[-1] if table else []))
        value, change = _best_of_row(table)
        change += SAFETY * noise / step
        if change < error:
            best, error = value, change
        if error <= target:
            break
    return Difference(best, error, start, tuple(steps), tuple(forward), tuple(backward))


def _romberg_row(slope, above):
    row = [slope]
    for order, old in enumerate(above[:3], start=1):
        row.append(row[-1] + (row[-1] - old) / (FACTOR ** (2 * order) - 1.0))
    return row


def _best_of_row(table):
    """Return the entry of the last row that changed least, and by how much it changed."""
    row = table[-1]
    above = table[-2] if len(table) > 1 else []
    if not above:
        return row[0], math.inf
    changes = [abs(row[0] - above[0])]
    for order in range(1, len(row)):
        changes.append(max(abs(row[order] - row[order - 1]), abs(row[order] - above[order - 1])))
    order = int(np.argmin(changes))
    return row[order], changes[order]


def taylor_order(difference, slope, noise):
    """Return the order at which the Taylor remainder falls: 2 if `slope` is right, 1 if it is wrong.

    The remainder is ``f(h) - f(0) - h * slope``; steps at which it drowns in the noise do not count
    (Farrell et al. 2013, the Taylor remainder test). NaN where fewer than two steps remain.
    """
    steps = np.array(difference.steps)
    remainder = np.abs(np.array(difference.forward) - difference.start - steps * slope)
    told = remainder > 100.0 * noise
    if told.sum() < 2:
        return math.nan
    steps, remainder = steps[told][-3:], remainder[told][-3:]
    return float(np.polyfit(np.log(steps), np.log(remainder), 1)[0])


def one_sided_slopes(along, start, noise, resolution):
    """Look for a kink at 0 that is larger than `resolution`.

    Where the function is smooth, the slopes to the right and to the left draw together in proportion
    to the step; at a kink they stay apart.

    Parameters
    ----------
    along, start, noise
        As for `extrapolated_difference`.
    resolution : float
        Difference of slopes that matters; sets the smallest step.

    Returns
    -------
    left, right : float
        The one-sided slopes at the smallest step.
    kink : bool
        Whether they stay apart while the step falls by 16.
    """
    smallest = min(max(16.0 * noise / resolution, 1e-9), 1e-3) if resolution > 0 else 1e-3
    jumps, left, right = [], math.nan, math.nan
    for step in (16.0 * smallest, 4.0 * smallest, smallest):
        right, left = (along(step) - start) / step, (start - along(-step)) / step
        jumps.append(right - left)
    steady = all(0.7 < jump / jumps[-1] < 1.5 for jump in jumps) if jumps[-1] else False
    return left, right, bool(steady and abs(jumps[-1]) > max(0.2 * resolution, 8.0 * noise / smallest))
