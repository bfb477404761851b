"""Scalar functions with known derivatives, built from + - * / and the square root alone.

Those operations are correctly rounded everywhere, so that every computer, and the browser, gets the
same values to the last bit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ExampleFunction:
    """A function and its first three derivatives.

    Parameters
    ----------
    name, formula : str
        Short name, and what to print.
    f, derivative, second, third : callable
        Functions of one scalar, real or complex.
    point : float
        Where the function shows best what it is there for.
    """

    name: str
    formula: str
    f: Callable
    derivative: Callable
    second: Callable
    third: Callable
    point: float


def _rational_bump(x):
    return 1.0 / (1.0 + 25.0 * (x * x))


def _bump_first(x):
    b = _rational_bump(x)
    return -50.0 * x * (b * b)


def _bump_second(x):
    b = _rational_bump(x)
    return b * b * (5000.0 * (x * x) * b - 50.0)


def _bump_third(x):
    b = _rational_bump(x)
    return b * b * b * x * (15000.0 - 750000.0 * (x * x) * b)


def _sign(x):
    return 1.0 if x.real >= 0.0 else -1.0


def _zero(x):
    return 0.0 * x


def _absolute(x):
    # abs() turns x + ih into a real number; so does this function, and a complex step sees a flat line.
    # Its square root is rounded alike everywhere; the hypot of C libraries is not.
    return np.sqrt(x.real * x.real + x.imag * x.imag) if np.iscomplexobj(x) else abs(x)


def _softsign(x):
    return x / (1.0 + _absolute(x))


def _softsign_first(x):
    return 1.0 / ((1.0 + abs(x)) * (1.0 + abs(x)))


def _softsign_second(x):
    d = 1.0 + abs(x)
    return -2.0 * _sign(x) / (d * d * d)


def _softsign_third(x):
    d = 1.0 + abs(x)
    return 6.0 / (d * d * d * d)


EXAMPLE_FUNCTIONS = {
    entry.name: entry
    for entry in (
        ExampleFunction(
            "cubic",
            "x³ - 2x",
            lambda x: x * x * x - 2.0 * x,
            lambda x: 3.0 * (x * x) - 2.0,
            lambda x: 6.0 * x,
            lambda x: 6.0 + _zero(x),
            1.3,
        ),
        ExampleFunction(
            "bump", "1 / (1 + 25x²)", _rational_bump, _bump_first, _bump_second, _bump_third, 0.3
        ),
        ExampleFunction(
            "softsign",
            "x / (1 + |x|)",
            _softsign,
            _softsign_first,
            _softsign_second,
            _softsign_third,
            0.7,
        ),
        ExampleFunction("abs", "|x|", _absolute, _sign, _zero, _zero, 0.001),
        ExampleFunction(
            "offset",
            "10000 + x²",
            lambda x: 10000.0 + x * x,
            lambda x: 2.0 * x,
            lambda x: 2.0 + _zero(x),
            _zero,
            0.5,
        ),
    )
}
