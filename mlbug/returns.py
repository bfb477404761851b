"""Check what a function of the user's returns, and say what is wrong with it."""

import traceback
from pathlib import Path

import numpy as np

from .problem_fields import kind_of

PACKAGE = str(Path(__file__).parent)


class UserFunctionError(RuntimeError):
    """A function of the user's raised, returned the wrong thing or ran too long.

    Attributes
    ----------
    function : str
        Name of the function at fault, a field of `Problem`.
    where : tuple of str
        Names of the parameters, layers or arguments concerned; may be empty.
    """

    def __init__(self, message, function="", where=()):
        super().__init__(message)
        self.function = function
        self.where = tuple(where)


def wrong(function, text, where=()):
    """Raise `UserFunctionError` for a function, with the names of the places concerned."""
    raise UserFunctionError(f"{function} {text}", function, where)


def named_arrays(function, result, params, partial=False):
    """Check arrays by name against the parameters and return copies of them."""
    if not hasattr(result, "items"):
        wrong(function, f"must return a dict of arrays by parameter name, but {kind_of(result)} came")
    extra = [str(name) for name in result if name not in params]
    lost = [] if partial else [name for name in params if name not in result]
    if extra or lost:
        wrong(
            function,
            f"must return the names {', '.join(params)}, but {', '.join(map(str, result)) or 'none'} came"
            + (f": {', '.join(lost)} is missing" if lost else ""),
            lost or extra,
        )
    return {name: _shaped(function, name, result[name], params[name]) for name in params if name in result}


def as_array(function, value, name=None):
    """Return a copy of what a function returned as an array, if it has the form of one."""
    try:
        return np.array(value)
    except (ValueError, TypeError, OverflowError) as error:
        key = "" if name is None else f"[{name!r}] "
        where = () if name is None else (str(name),)
        wrong(function, f"{key}cannot be read as an array ({error}), {kind_of(value)} came", where)


def _shaped(function, name, value, param):
    array = as_array(function, value, name)
    if array.dtype.kind not in "fiuc":
        wrong(function, f"[{name!r}] must be a real array, but {kind_of(value)} came", [name])
    if array.dtype.kind == "c" and not np.iscomplexobj(param):
        wrong(function, f"[{name!r}] must be real, but its type is {array.dtype}", [name])
    if array.size == 1 and param.size == 1:
        return array.reshape(param.shape)
    if array.shape != param.shape:
        wrong(
            function,
            f"[{name!r}] must have the parameter's shape {param.shape}, but it has {array.shape}",
            [name],
        )
    return array


def rows(function, value, inputs, name=None):
    """Check that an array is real and has one row for each example, and return it as floats."""
    n = len(inputs[0]) if isinstance(inputs, tuple) else len(inputs)
    key = "" if name is None else f" [{name!r}]"
    where = () if name is None else (str(name),)
    if value.dtype.kind not in "fiub":
        wrong(function, f"must return real arrays, but{key} {kind_of(value)} came", where)
    if value.ndim == 0 or len(value) != n:
        shape = f"but the shape of{key or ' the result'} is {value.shape}"
        wrong(function, f"must return one row for each of the {n} examples, {shape}", where)
    return value if value.dtype.kind == "f" else value.astype(float)


def raised(name, error):
    """Say what was raised and at which line of the user's code."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(PACKAGE)]
    place = f" (line {frames[-1].lineno} of {frames[-1].filename.rsplit('/', 1)[-1]})" if frames else ""
    return f"{name} raised {type(error).__name__}: {error}{place}"
