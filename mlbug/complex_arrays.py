"""Complex arrays that carry a derivative through ordinary numpy code.

An array of this kind replaces a parameter while the user's loss runs. Functions that numpy does not
continue analytically get the rules of `complex_rules`, a ``float()`` keeps its imaginary part in the
notes, and what cannot be followed is named there.
"""

import numpy as np

from .complex_rules import FOLLOWED, FUNCTION_RULES, UFUNC_RULES, UNSAFE


class ComplexArray(np.ndarray):
    """A complex array with analytic versions of numpy's functions; made by `trace`."""

    __array_priority__ = 1000.0

    def __array_finalize__(self, source):
        self.notes = getattr(source, "notes", None)
        self.uses = getattr(source, "uses", None)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        notes = _notes_of(inputs, out)
        arrays = [_operand(value) for value in inputs]
        keywords.pop("subok", None)
        if method == "at":
            _buffer_check(arrays[0], arrays[-1], notes, ufunc.__name__ + ".at")
            ufunc.at(*arrays, **keywords)
            return None
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        result = _followed(notes, name, arrays, lambda *a: _apply(ufunc, method, a, out, keywords, notes))
        return _store(result, out, notes, ufunc.__name__) if out is not None else _wrap(result, notes)

    def __array_function__(self, func, types, args, kwargs):
        notes = self.notes
        name = func.__name__
        if name in FUNCTION_RULES:
            notes.replaced.add(_label(func))
            rule = FUNCTION_RULES[name]
            return _wrap(_followed(notes, name, _deep_plain(args), lambda *a: rule(*a, **kwargs)), notes)
        if name in FOLLOWED and "out" not in kwargs:
            call = FOLLOWED[name]
            return _wrap(_followed(notes, name, _deep_plain(args), lambda *a: call(*a, **kwargs)), notes)
        if name in UNSAFE:
            notes.unsafe.add(_label(func))
        result = super().__array_function__(func, types, args, kwargs)
        return _wrap(result, notes)

    def __getitem__(self, index):
        return _wrap(super().__getitem__(index), self.notes, self.uses)

    def __float__(self):
        value = complex(self.view(np.ndarray).reshape(()))
        self.notes.floats.append(value)
        return value.real

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return _wrap(np.asarray(array), self.notes)

    def astype(self, dtype, *args, **keywords):
        """Cast to the complex type of the same precision; a cast to integers keeps the real part."""
        target = np.dtype(dtype)
        if target.kind == "f":
            self.notes.single |= target.itemsize < 8
            target = np.result_type(target, np.complex64)
        elif target.kind in "iub":
            return self.view(np.ndarray).real.astype(target)
        return super().astype(target, *args, **keywords)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **_):
        """Variance, as `complex_rules.variance`."""
        return np.var(self, axis=axis, ddof=ddof, keepdims=keepdims)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **_):
        """Return the standard deviation, as `complex_rules.deviation`."""
        return np.std(self, axis=axis, ddof=ddof, keepdims=keepdims)


REPLACED = {
    "absolute",
    "fabs",
    "sign",
    "logaddexp",
    "hypot",
    "arctan2",
    "cbrt",
    "heaviside",
    "floor",
    "conjugate",
}
"""Those of the ufuncs with a rule that numpy itself refuses or spoils for complex arguments."""


def trace(value, notes, uses=None):
    """Return a complex copy of `value` (any shape) that follows what is done with it.

    Parameters
    ----------
    value : ndarray
        Real or complex array.
    notes : Notes
        Filled in while the array is used.
    uses : Uses, optional
        Restricts the imaginary part to one use of the array.
    """
    array = np.array(value, dtype=np.complex128).view(ComplexArray)
    array.notes, array.uses = notes, uses
    return array


def _apply(ufunc, method, arrays, out, keywords, notes):
    """Call a ufunc, by its rule where it has one and an argument is complex."""
    rule = UFUNC_RULES.get(ufunc.__name__) if method == "__call__" else None
    if rule is None or not any(np.iscomplexobj(value) for value in arrays):
        return getattr(ufunc, method)(*arrays, **keywords)
    if ufunc.__name__ in REPLACED:
        notes.replaced.add("np." + ufunc.__name__)
    result = rule(*arrays)
    where = keywords.get("where", True)
    if where is True:
        return result
    return np.where(where, result, _plain(out[0]) if out is not None else np.zeros_like(result))


def _followed(notes, name, arrays, function):
    """Apply a function to plain arrays, spoiled where a mutation is to be tried."""
    if notes.mutator is None:
        return function(*arrays)
    operation = notes.mutator.enter(name, arrays)
    arrays = notes.mutator.before(operation, arrays)
    return notes.mutator.after(operation, function(*arrays), arrays)


def _label(func):
    return ("np.linalg." if "linalg" in func.__module__ else "np.") + func.__name__


def _plain(value):
    return value.view(np.ndarray) if isinstance(value, ComplexArray) else value


def _operand(value):
    """Return the plain array, without its imaginary part where this use is not the chosen one."""
    if not isinstance(value, ComplexArray):
        return value
    plain = value.view(np.ndarray)
    if value.uses is not None and not value.uses.take():
        return plain.real + 0j
    return plain


def _deep_plain(args):
    return [_operand(value) for value in args]


def _notes_of(inputs, out):
    return next(v.notes for v in (*inputs, *(out or ())) if isinstance(v, ComplexArray))


def _buffer_check(buffer, value, notes, name):
    if np.iscomplexobj(value) and not np.iscomplexobj(buffer):
        notes.unsafe.add(f"np.{name} into a real array")


def _store(result, out, notes, name):
    _buffer_check(_plain(out[0]), result, notes, name)
    target = _plain(out[0])
    np.copyto(target, result, casting="unsafe")
    return out[0]


def _wrap(result, notes, uses=None):
    """Make complex results, and those inside tuples and lists, follow on; leave others alone."""
    if isinstance(result, (tuple, list)):
        return (
            type(result)(_wrap(item, notes, uses) for item in result)
            if type(result) in (tuple, list)
            else result
        )
    if isinstance(result, (np.ndarray, np.complexfloating)) and np.iscomplexobj(result):
        array = np.asarray(result).view(ComplexArray)
        array.notes, array.uses = notes, uses
        return array
    return _plain(result)
