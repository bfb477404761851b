"""Let buffers that a loss makes for itself hold complex numbers while a derivative runs through it."""

import contextlib

import numpy as np

from .complex_arrays import trace

_MAKERS = ("zeros", "empty", "ones", "full", "zeros_like", "empty_like", "ones_like", "full_like")


@contextlib.contextmanager
def complex_buffers(notes):
    """Make ``np.zeros`` and its kin return complex arrays in place of real ones inside the context.

    A recurrent network often writes its states into ``np.zeros(shape)``, where an imaginary part would
    be lost. Integer and boolean buffers stay as they are. numpy's own code is not affected, since it
    reaches these functions by other names.

    Parameters
    ----------
    notes : Notes
        Noted by the arrays that are made.
    """
    kept = {name: getattr(np, name) for name in _MAKERS}
    try:
        for name, maker in kept.items():
            setattr(np, name, _complex_maker(maker, notes))
        yield
    finally:
        for name, maker in kept.items():
            setattr(np, name, maker)


def _complex_maker(maker, notes):
    def make(*args, **keywords):
        array = maker(*args, **keywords)
        return trace(array, notes) if array.dtype.kind == "f" else array

    return make
