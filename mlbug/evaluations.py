"""Evaluations of one program, counted, and repeatable where it draws random numbers."""

import contextlib
import warnings

import numpy as np

from .complex_arrays import trace
from .complex_buffers import complex_buffers
from .frozen_randomness import FrozenRandomness
from .time_limit import TimeUp, time_limit
from .trace_notes import Notes


class NotComplexSafe(Exception):
    """The loss could not be followed with complex parameters; the message says why."""


class Evaluations:
    """The loss and the gradient of a guarded program.

    Parameters
    ----------
    guard : Guard
        The program.

    Attributes
    ----------
    losses, grads : int
        Number of evaluations so far.
    """

    def __init__(self, guard):
        self.guard = guard
        self.losses = 0
        self.grads = 0
        self._frozen = None

    @contextlib.contextmanager
    def freeze_randomness(self):
        """Give the functions the same random draws at every call, and their generators back at the end."""
        self._frozen = FrozenRandomness([self.guard.problem.loss, self.guard.problem.grad])
        try:
            yield
        finally:
            self._rewind()
            self._frozen = None

    def _rewind(self):
        if self._frozen is not None:
            self._frozen.rewind()

    def loss(self, params, batch):
        """Return the loss as a float, possibly not finite."""
        self.losses += 1
        self._rewind()
        return self.guard.loss(params, batch)

    def grad(self, params, batch):
        """Return the user's gradient, arrays by name."""
        self.grads += 1
        self._rewind()
        return self.guard.grad(params, batch)

    def traced_loss(self, params, direction, step, batch, uses=None, mutator=None, buffers=False):
        """Return the loss at complex parameters ``params + 1j * step * direction``.

        Parameters
        ----------
        params : dict of str to ndarray
            The point.
        direction : dict of str to ndarray
            The blocks that move.
        step : float
            Size of the imaginary part; 0 gives the pre-flight value.
        batch : tuple of ndarray
            The examples.
        uses : Uses, optional
            Restricts the step to one use of the block.
        mutator : Mutator, optional
            Follows the operations, and spoils chosen ones.
        buffers : bool, optional
            Whether buffers that the loss makes hold complex numbers too.

        Returns
        -------
        value : complex
            The loss.
        notes : Notes
            What happened on the way.

        Raises
        ------
        NotComplexSafe
            If the function raises, or its result does not carry the imaginary part.
        """
        self.losses += 1
        self._rewind()
        notes = Notes(mutator=mutator)
        moved = {name: np.array(value) for name, value in params.items()}
        for name, u in direction.items():
            moved[name] = trace(moved[name] + 1j * (step * u), notes, uses)
        with complex_buffers(notes) if buffers else contextlib.nullcontext():
            value, dropped = self._call_traced(moved, batch)
        notes.unsafe |= dropped
        return _complex_value(value, notes), notes

    def _call_traced(self, params, batch):
        guard = self.guard
        keywords = guard._off("loss")
        batch = tuple(np.array(array) for array in batch)
        try:
            with (
                contextlib.redirect_stdout(guard.printed),
                warnings.catch_warnings(record=True) as seen,
                np.errstate(all="ignore"),
                time_limit(guard.time_limit),
            ):
                warnings.simplefilter("always")
                value = guard.problem.loss(params, batch, **keywords)
                if not guard.regularized and isinstance(guard.problem.regularizer, dict):
                    value = value - guard.problem.regularizer["loss"](params)
        except TimeUp:
            raise NotComplexSafe("the loss takes too long with complex parameters") from None
        except Exception as error:
            raise NotComplexSafe(
                f"with complex parameters the loss raises {type(error).__name__}: {error}"
            ) from None
        return value, {
            f"an assignment to real numbers in line {warning.lineno}"
            for warning in seen
            if issubclass(warning.category, np.exceptions.ComplexWarning)
        }


def _complex_value(value, notes):
    """Return the loss as a complex number; a plain float is known by the last ``float()`` that was seen."""
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "fiuc":
        raise NotComplexSafe("with complex parameters the loss does not return one number")
    if array.dtype.kind == "c":
        return complex(array.reshape(()))
    real = float(array.reshape(()))
    if notes.floats and notes.floats[-1].real == real:
        return notes.floats[-1]
    names = ", ".join(sorted(notes.unsafe)) or (
        "arithmetic after a float()" if notes.floats else "an unknown step"
    )
    raise NotComplexSafe(f"the imaginary part is lost in the loss, by {names}")
