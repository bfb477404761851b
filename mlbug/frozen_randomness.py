"""Give a function that draws random numbers the same draws at every call."""

import functools

import numpy as np

_GENERATORS = (np.random.Generator, np.random.RandomState)


class FrozenRandomness:
    """The random generators that some functions can reach, and their states now.

    Found are generators in closures, in the globals that a function names, in defaults, partials and
    attributes of bound objects, and numpy's global one. `rewind` brings all of them back, so that a loss
    and a gradient with dropout or sampling see the same draws and can be compared.

    Parameters
    ----------
    functions : iterable of callable
        The functions to look into.
    """

    def __init__(self, functions):
        found, seen = {}, set()
        for function in functions:
            _visit(function, found, seen)
        self._generators = list(found.values())
        self._states = [_state(generator) for generator in self._generators]
        self._global = np.random.get_state()  # noqa: NPY002 (the user's code may draw from it)

    def rewind(self):
        """Put every generator back to the state that it had when this object was made."""
        for generator, state in zip(self._generators, self._states, strict=True):
            if isinstance(generator, np.random.Generator):
                generator.bit_generator.state = state
            else:
                generator.set_state(state)
        np.random.set_state(self._global)  # noqa: NPY002


def _state(generator):
    return (
        generator.bit_generator.state if isinstance(generator, np.random.Generator) else generator.get_state()
    )


def _visit(value, found, seen, depth=0):
    if id(value) in seen or depth > 6:
        return
    seen.add(id(value))
    if isinstance(value, _GENERATORS):
        found[id(value)] = value
        return
    for part in _parts(value):
        _visit(part, found, seen, depth + 1)


def _parts(value):
    """Yield what a function, or an object that is no array or module, holds."""
    if isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, (list, tuple)):
        yield from value[:100]
    elif isinstance(value, dict):
        yield from list(value.values())[:100]
    elif hasattr(value, "__self__") and hasattr(value, "__func__"):
        yield from (value.__self__, value.__func__)
    elif hasattr(value, "__code__"):
        for cell in value.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:  # a name that is not bound yet
                continue
        yield from value.__defaults__ or ()
        yield from (value.__globals__[name] for name in value.__code__.co_names if name in value.__globals__)
    elif hasattr(value, "__dict__") and not isinstance(value, (type, type(np), np.ndarray)):
        yield from vars(value).values()
