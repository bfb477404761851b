"""Spoil the derivative of one operation of a loss, to see what gradient the slip would give.

While complex arrays run through a loss (see `complex_arrays`), every operation is known by the line
of the user's code and by its name. A mutation changes the imaginary part of its result, and so the
derivative, as a common mistake in a backward pass would.
"""

import linecache
import os
import sys
from dataclasses import dataclass, field

import numpy as np

_SKIPPED = tuple(os.path.dirname(os.path.abspath(path)) + os.sep for path in (np.__file__, __file__))
_SYMBOLS = {
    "multiply": "*", "matmul": "@", "add": "+", "subtract": "-", "divide": "/", "power": "**",
    "negative": "-",
    "add.reduce": "the sum", "maximum.reduce": "the maximum", "square": "**2",
}  # fmt: skip


@dataclass(frozen=True, order=True)
class Operation:
    """An operation of the user's code: file, line, and numpy's name for it."""

    file: str
    line: int
    name: str

    def __str__(self):
        return f"{_SYMBOLS.get(self.name, 'np.' + self.name)} in {self.where()}"

    def where(self):
        """Return the line's number and text."""
        text = linecache.getline(self.file, self.line).strip()
        return f"line {self.line}" + (f" ({text})" if text else "")


MUTATIONS = {
    "detach": "if {} were a constant",
    "pass": "if the derivative of {} were left out",
    "flip": "if the sign of the derivative of {} were turned round",
    "double": "if the derivative of {} were doubled",
    "untransposed": "if {} were multiplied back with the matrix itself in place of its transpose",
    "without-0": "if the first operand of {} were a constant",
    "without-1": "if the second operand of {} were a constant",
}


@dataclass
class Mutator:
    """Collects the operations of a call, and spoils chosen ones.

    Parameters
    ----------
    chosen : dict of Operation to str
        The mutation of each chosen operation, a key of ``MUTATIONS``.
    """

    chosen: dict = field(default_factory=dict)
    seen: dict = field(default_factory=dict)
    square: set = field(default_factory=set)  # products with a square matrix

    def enter(self, name, arrays):
        """Note an operation and return it."""
        operation = Operation(*_user_line(), name)
        operands = sum(np.iscomplexobj(value) for value in arrays)
        self.seen[operation] = max(operands, self.seen.get(operation, 0))
        if name in ("matmul", "dot") and np.ndim(arrays[1]) == 2 and arrays[1].shape[0] == arrays[1].shape[1]:
            self.square.add(operation)
        return operation

    def before(self, operation, arrays):
        """Return the operands, one of them real where the mutation says so."""
        kind = self.chosen.get(operation, "")
        if not kind.startswith("without-"):
            return arrays
        index = int(kind[-1])
        return [
            value.real + 0j if i == index and np.iscomplexobj(value) else value
            for i, value in enumerate(arrays)
        ]

    def after(self, operation, result, arrays):
        """Return the result with its imaginary part spoiled as the mutation says."""
        kind = self.chosen.get(operation)
        if kind is None or not np.iscomplexobj(result):
            return result
        result = np.asarray(result)
        if kind == "detach":
            return result.real + 0j
        if kind == "flip":
            return result.conj()
        if kind == "double":
            return result + 1j * result.imag
        if kind == "untransposed":
            matrix = np.asarray(arrays[1]).real
            if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
                return result
            return result + 1j * (np.asarray(arrays[0]).imag @ (np.swapaxes(matrix, -1, -2) - matrix))
        moving = [value for value in arrays if np.iscomplexobj(value)]
        if kind == "pass" and len(moving) == 1 and np.shape(moving[0]) == result.shape:
            return result.real + 1j * moving[0].imag
        return result


def candidates(mutator):
    """Yield the single mutations that make sense for the operations of a call."""
    for operation, operands in sorted(mutator.seen.items()):
        if operation in mutator.square:
            yield {operation: "untransposed"}
        yield {operation: "detach"}
        if (
            "." not in operation.name
            and operands == 1
            and operation.name not in ("add", "subtract", "negative")
        ):
            yield {operation: "pass"}
        yield {operation: "flip"}
        yield {operation: "double"}
        if operands == 2:
            yield {operation: "without-0"}
            yield {operation: "without-1"}


def pairs(mutator):
    """Yield the mutations that take two results as constants, as where mean and variance both are."""
    operations = sorted(mutator.seen)
    for i, first in enumerate(operations):
        for second in operations[i + 1 :]:
            yield {first: "detach", second: "detach"}


def describe(chosen):
    """Say what a mutation does, as the end of "what it would be ..."."""
    if set(chosen.values()) == {"detach"} and len(chosen) > 1:
        return "if " + " and ".join(map(str, chosen)) + " were constants"
    return " and ".join(MUTATIONS[kind].format(operation) for operation, kind in chosen.items())


def _user_line():
    """Return file and number of the innermost line that belongs neither to numpy nor to this package."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_SKIPPED):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)
