"""The slope of a loss along a direction, by the best witness that the program allows."""

import math
from dataclasses import dataclass

import numpy as np

from .directional_differences import extrapolated_difference, one_sided_slopes
from .evaluations import NotComplexSafe
from .noise import typical_size
from .projections import gaussian_direction, in_double, project, shift, spread

COMPLEX_STEP = 1e-20
GOOD_ENOUGH = 1e-9
SMALL = 2.0**-17
SINGLE = float(np.finfo(np.float32).eps)


@dataclass(frozen=True)
class Slope:
    """A slope along a direction, with the estimate of its error and the slopes on both sides."""

    value: float
    error: float
    left: float
    right: float
    method: str  # "complex step" or "centred difference"

    @property
    def kink(self):
        """Whether the complex step sees different slopes on the two sides."""
        return abs(self.right - self.left) > 1e-6 * max(abs(self.right), abs(self.left))


class Slopes:
    """Slopes at one point.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    params, batch
        The point and the examples.
    noise : float
        Noise of the loss.
    use_complex : bool
        Whether to try the complex step at all.
    """

    def __init__(self, evaluations, params, batch, noise, use_complex=True):
        self.evaluations = evaluations
        self.params = in_double(params)
        self.batch = batch
        self.noise = noise
        self.start = evaluations.loss(self.params, batch)
        self.unsafe = {} if use_complex else dict.fromkeys(params, "not tried")
        self.replaced = set()
        self.buffers = False  # whether the loss needs complex buffers
        self._error = 64.0 * np.finfo(float).eps
        self._sizes = {name: typical_size(value) for name, value in params.items()}

    def like(self, other):
        """Take over from slopes at another point what is known of the complex step."""
        self.unsafe = dict(other.unsafe)
        self.buffers = other.buffers

    def direction(self, block, rng, box=None):
        """Return a Gaussian direction of the block, scaled to the size of its entries."""
        direction = gaussian_direction(self.params, block, rng, box)
        return {block: direction[block] * self._sizes[block]}

    def at(self, direction, grads):
        """Return the `Slope` along a direction of one block; `grads` gives the scale that matters."""
        (block,) = direction
        if block not in self.unsafe:
            try:
                return self._complex(direction, grads)
            except NotComplexSafe as error:
                self.unsafe[block] = str(error)
        difference = self.difference(direction, grads)
        return Slope(difference.value, difference.error, math.nan, math.nan, "centred difference")

    def _complex(self, direction, grads, uses=None):
        right, left = (
            side * self.imaginary(direction, side * COMPLEX_STEP, uses) / COMPLEX_STEP for side in (1.0, -1.0)
        )
        value = 0.5 * (right + left)
        if not math.isfinite(value):
            raise NotComplexSafe("with complex parameters the loss is not finite")
        error = self._error * max(abs(value), spread(direction, grads)) + self.noise
        return Slope(value, error, left, right, "complex step")

    def imaginary(self, direction, step, uses=None, mutator=None):
        """Return the imaginary part of the loss after an imaginary step."""
        value, notes = self.evaluations.traced_loss(
            self.params, direction, step, self.batch, uses, mutator, self.buffers
        )
        self.replaced |= notes.replaced
        if notes.single:
            self._error = max(self._error, 16.0 * SINGLE)
        return value.imag

    def difference(self, direction, grads):
        """Return the `Difference` along a direction."""
        (block,) = direction
        scale = max(spread(direction, grads), abs(project(direction, grads)))
        first = 2.0**-5
        if scale > 0:  # a loss that hardly changes needs a longer step
            longest = 2.0**6 if not np.any(self.params[block]) else 2.0**-2
            first = min(max(first, self.noise / (GOOD_ENOUGH * scale)), longest)
        return extrapolated_difference(
            self.along(direction), self.start, self.noise, GOOD_ENOUGH * scale, first
        )

    def refined(self, direction, grads):
        """Return the `Difference` with small steps only, which a kink near by disturbs less."""
        scale = spread(direction, grads)
        return extrapolated_difference(
            self.along(direction), self.start, self.noise, GOOD_ENOUGH * scale, SMALL
        )

    def along(self, direction):
        """Return the loss as a function of the step along a direction."""
        return lambda step: self.evaluations.loss(shift(self.params, direction, step), self.batch)

    def has_kink(self, direction, slope, resolution):
        """Say whether the loss has a kink at this point, along a direction, that matters at `resolution`."""
        if slope.method == "complex step":
            return slope.kink, slope.left, slope.right
        left, right, kink = one_sided_slopes(self.along(direction), self.start, self.noise, resolution)
        return kink, left, right

    def preflight(self, block, direction, grads):
        """Try the complex step on a block and hold it against a centred difference.

        Checked are that the loss at real parameters in complex form is the loss, that the result is
        complex, and that the slopes agree. What fails is noted in `unsafe`.

        Returns
        -------
        Difference
            The centred difference, which serves the Taylor remainder too.
        """
        difference = self.difference(direction, grads)
        for buffers in (self.buffers, True):
            if block in self.unsafe and not (buffers and "assignment" in self.unsafe[block]):
                break
            self.buffers = buffers
            try:
                self._try_complex(direction, grads, difference)
                self.unsafe.pop(block, None)
                break
            except NotComplexSafe as error:
                self.unsafe[block] = str(error)
        return difference

    def _try_complex(self, direction, grads, difference):
        value, _ = self.evaluations.traced_loss(self.params, direction, 0.0, self.batch, buffers=self.buffers)
        if not abs(value.real - self.start) <= 16.0 * self.noise + 1e-9 * abs(self.start):
            raise NotComplexSafe("in complex form the loss is another number")
        slope = self._complex(direction, grads)
        if not self._agree(slope, difference):
            difference = self.refined(direction, grads)
        if not self._agree(slope, difference):
            raise NotComplexSafe(
                f"the complex step gives a slope of {slope.value:.6g} where a centred difference gives "
                f"{difference.value:.6g}"
            )

    @staticmethod
    def _agree(slope, difference):
        size = max(abs(slope.value), abs(difference.value))
        return abs(slope.value - difference.value) <= 10.0 * (difference.error + slope.error) + 1e-6 * size
