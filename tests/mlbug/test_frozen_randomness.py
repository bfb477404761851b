"""The same draws at every call."""

import functools

import numpy as np

from mlbug.frozen_randomness import FrozenRandomness

SHARED = np.random.default_rng(0)


def from_globals():
    """Draw from a generator of the module."""
    return SHARED.random()


def with_default(rng=np.random.default_rng(3)):  # noqa: B008
    """Draw from the generator that is the default."""
    return rng.random()


def test_generators_are_found_and_rewound():
    """Closures, globals, defaults, partials, attributes and numpy's own generator repeat their draws."""
    inner = np.random.default_rng(1)

    class Model:
        def __init__(self):
            self.rng = np.random.RandomState(2)

        def draw(self):
            return self.rng.rand()

    functions = [
        lambda: inner.random(),
        from_globals,
        with_default,
        functools.partial(lambda rng: rng.random(), np.random.default_rng(4)),
        Model().draw,
        lambda: np.random.rand(),  # noqa: NPY002
    ]
    frozen = FrozenRandomness(functions)
    first = [function() for function in functions]
    assert [function() for function in functions] != first
    frozen.rewind()
    assert [function() for function in functions] == first
