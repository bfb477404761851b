"""Derivatives of single operations, spoiled on purpose."""

import numpy as np
import pytest

from mlbug.complex_arrays import trace
from mlbug.trace_mutations import Mutator, candidates, describe
from mlbug.trace_notes import Notes


def loss(w):
    """Return the sum of tanh(w) times w squared."""
    a = np.tanh(w)
    b = w * w
    return (a * b).sum()


def slope(chosen):
    """Return the derivative of `loss` at 0.5 with some operations spoiled, and the mutator."""
    mutator = Mutator(chosen)
    value = loss(trace(np.array([0.5 + 1e-20j]), Notes(mutator=mutator)))
    return complex(np.asarray(value)).imag / 1e-20, mutator


def find(name, kind, code):
    """Return the mutation of a kind for the operation of that name on the line with that code."""
    for chosen in candidates(slope({})[1]):
        ((operation, found),) = chosen.items()
        if operation.name == name and found == kind and code in operation.where():
            return chosen
    raise AssertionError(f"no {kind} of {name}")


T, D = np.tanh(0.5), 1 - np.tanh(0.5) ** 2
SPOILED = [
    ("tanh", "detach", "a = ", T),
    ("tanh", "pass", "a = ", 0.25 + T),
    ("tanh", "flip", "a = ", -0.25 * D + T),
    ("tanh", "double", "a = ", 0.5 * D + T),
    ("multiply", "without-0", "b = ", 0.25 * D + 0.5 * T),
    ("multiply", "without-1", "(a * b)", 0.25 * D),
]


@pytest.mark.parametrize(("name", "kind", "code", "expected"), SPOILED)
def test_each_mutation_does_to_the_slope_what_it_says(name, kind, code, expected):
    """The spoiled slopes are those worked out by hand."""
    assert slope(find(name, kind, code))[0] == pytest.approx(expected)


def test_without_mutation_the_slope_is_right():
    """Following the operations changes nothing."""
    assert slope({})[0] == pytest.approx(0.25 * D + T)


def test_the_description_gives_the_line():
    """A mutation is told with the operation, its line and the code there."""
    text = describe(find("tanh", "pass", "a = "))
    assert text.startswith("if the derivative of np.tanh in line ")
    assert "(a = np.tanh(w)) were left out" in text
