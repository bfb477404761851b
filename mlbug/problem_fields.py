"""What each field of a `Problem` must be, and the error for one that is not."""

import inspect
from collections.abc import Mapping

import numpy as np


class ProblemError(ValueError):
    """A `Problem` cannot be built: the message names the field, what was expected and what came."""


def kind_of(value):
    """Say in a few words what `value` is."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    return f"{type(value).__name__} {value!r:.60}" if value is not None else "None"


def check_callable(name, value):
    """Raise unless `value` can be called."""
    if not callable(value):
        raise ProblemError(f"{name} must be a function, but {kind_of(value)} came")


def as_array(where, value):
    """Return a copy of `value` as an array of plain elements."""
    try:
        array = np.array(value)
    except (ValueError, TypeError) as error:
        raise ProblemError(f"{where} cannot be read as an array: {error}") from None
    if array.dtype == object:
        raise ProblemError(
            f"{where} must be a plain array, but its elements are Python objects or uneven rows"
        )
    return array


def check_params(params):
    """Return copies of the parameter arrays, real and not empty."""
    if not isinstance(params, Mapping) or not params:
        raise ProblemError(
            f"params must be a dict of arrays by name with at least one entry, but {kind_of(params)} came"
        )
    result = {}
    for name, value in params.items():
        if not isinstance(name, str):
            raise ProblemError(f"params: names must be strings, but {kind_of(name)} came")
        array = as_array(f"params[{name!r}]", value)
        if array.dtype.kind not in "fiub":
            raise ProblemError(f"params[{name!r}] must hold real numbers, but its type is {array.dtype}")
        if array.size == 0:
            raise ProblemError(f"params[{name!r}] is empty: its shape is {array.shape}")
        result[name] = array
    return result


def shared_pairs(params):
    """Return the pairs of names whose arrays share memory."""
    arrays = {name: value for name, value in params.items() if isinstance(value, np.ndarray)}
    names = list(arrays)
    return tuple(
        (a, b)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if np.may_share_memory(arrays[a], arrays[b])
    )


def check_batch(field, batch):
    """Return copies of the arrays of a batch, which share their first axis."""
    if not isinstance(batch, (tuple, list)) or not batch:
        raise ProblemError(f"{field} must be a tuple of arrays such as (X, y), but {kind_of(batch)} came")
    arrays = tuple(as_array(f"{field}[{i}]", value) for i, value in enumerate(batch))
    for i, array in enumerate(arrays):
        if array.ndim == 0:
            raise ProblemError(f"{field}[{i}] must have one row for each example, but it is a single value")
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise ProblemError(
            f"{field}: the arrays must share their first axis, but their lengths are {lengths}"
        )
    if lengths[0] == 0:
        raise ProblemError(f"{field} is empty: there is no example in it")
    return arrays


def check_layout(train, test):
    """Raise unless training and test data have equally many arrays."""
    if len(train) != len(test):
        raise ProblemError(f"train has {len(train)} arrays and test has {len(test)}: both need the same")


def check_rate(rate):
    """Return the learning rate as a positive finite float."""
    try:
        value = float(rate)
    except (TypeError, ValueError):
        raise ProblemError(f"learning_rate must be a number, but {kind_of(rate)} came") from None
    if not (0.0 < value < float("inf")):
        raise ProblemError(f"learning_rate must be positive and finite, but {value} came")
    return value


def check_regularizer(problem):
    """Raise unless the regularizer is a pair of functions, or a keyword that loss and gradient take."""
    rule = problem.regularizer
    if rule is None:
        return
    if isinstance(rule, str):
        for name in ("loss", "grad"):
            if not accepts(getattr(problem, name), rule):
                raise ProblemError(f"regularizer={rule!r}: {name} has no keyword of that name")
    elif not isinstance(rule, Mapping) or set(rule) != {"loss", "grad"}:
        raise ProblemError(
            f"regularizer must be {{'loss': f, 'grad': f}} or a keyword's name, but {kind_of(rule)} came"
        )
    else:
        for name in ("loss", "grad"):
            check_callable(f"regularizer[{name!r}]", rule[name])


def check_groups(problem):
    """Return the groups as vectors that have one value for each example."""
    if not isinstance(problem.groups, Mapping):
        raise ProblemError(f"groups must be a dict of arrays by name, but {kind_of(problem.groups)} came")
    sizes = {len(batch[0]) for batch in (problem.train, problem.test) if batch is not None}
    result = {}
    for name, value in problem.groups.items():
        array = np.asarray(value)
        if array.ndim != 1 or len(array) not in sizes:
            raise ProblemError(
                f"groups[{name!r}] must have one value for each example "
                f"({' or '.join(map(str, sorted(sizes)))}), "
                f"but its shape is {array.shape}"
            )
        result[name] = array
    return result


def accepts(function, keyword):
    """Say whether `function` can be called with the keyword argument `keyword`."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    return keyword in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())
