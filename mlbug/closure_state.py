"""Save and restore what a function keeps between its calls: the memory of an optimizer."""

import copy

import numpy as np

_PLAIN = (int, float, complex, bool, str, type(None), np.generic)


def save_state(function):
    """Remember the numbers, arrays and containers in the closure of `function`, and of functions it uses.

    Parameters
    ----------
    function : callable or None
        A closure, a bound method, or a function whose defaults hold its state.

    Returns
    -------
    list of tuple
        What `restore_state` takes. Other objects (a framework's optimizer) are left alone.
    """
    saved, seen = [], set()
    _visit(function, saved, seen)
    return saved


def restore_state(saved):
    """Put back what `save_state` remembered, in place wherever something else may refer to it."""
    for holder, key, original, value in saved:
        if isinstance(original, np.ndarray):
            original[...] = value
        elif isinstance(original, (dict, set)):
            original.clear()
            original.update(copy.deepcopy(value))
        elif isinstance(original, list):
            original[:] = copy.deepcopy(value)
        if key == "cell":
            holder.cell_contents = original
        elif key == "attributes":
            holder.__dict__.update({name: copy.deepcopy(item) for name, item in value.items()})


def _visit(function, saved, seen):
    if function is None or id(function) in seen:
        return
    seen.add(id(function))
    for cell in getattr(function, "__closure__", None) or ():
        try:
            content = cell.cell_contents
        except ValueError:  # a name that is not bound yet
            continue
        if _is_data(content):
            saved.append((cell, "cell", content, copy.deepcopy(content)))
        elif callable(content):
            _visit(content, saved, seen)
    owner = getattr(function, "__self__", None) or (function if hasattr(function, "__dict__") else None)
    state = {name: item for name, item in getattr(owner, "__dict__", {}).items() if _is_data(item)}
    if state:
        saved.append((owner, "attributes", None, copy.deepcopy(state)))
    for default in getattr(function, "__defaults__", None) or ():
        if isinstance(default, (dict, list, np.ndarray)) and _is_data(default):
            saved.append((None, "default", default, copy.deepcopy(default)))


def _is_data(value):
    if isinstance(value, _PLAIN):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype != object
    if isinstance(value, dict):
        return all(_is_data(item) for item in value.values())
    return isinstance(value, (list, tuple, set)) and all(_is_data(item) for item in value)
