"""Tests of what a problem must be."""

import numpy as np
import pytest

import mlbug
from mlbug.problem import as_problem
from tests.mlbug.programs import classifier

CHANGES = [
    ({"params": {}}, "params must be a dict"),
    ({"params": [1.0]}, "params must be a dict"),
    ({"params": {1: np.ones(2)}}, "names must be strings"),
    ({"params": {"w": np.array(["a"])}}, r"params\['w'\] must hold real numbers"),
    ({"params": {"w": np.ones(2, complex)}}, r"params\['w'\] must hold real numbers"),
    ({"params": {"w": np.ones((0, 2))}}, r"params\['w'\] is empty"),
    ({"params": {"w": [[1.0], [1.0, 2.0]]}}, r"params\['w'\] cannot be read|params\['w'\] must be a plain"),
    ({"loss": None}, "loss must be a function, but None came"),
    ({"grad": 3.0}, "grad must be a function"),
    ({"scores": "f"}, "scores must be a function"),
    ({"train": np.ones((3, 2))}, r"train must be a tuple of arrays such as \(X, y\)"),
    ({"train": ()}, "train must be a tuple"),
    ({"train": (np.ones((3, 2)), np.ones(4))}, r"share their first axis, but their lengths are \[3, 4\]"),
    ({"train": (np.ones((0, 2)), np.ones(0))}, "train is empty"),
    ({"train": (np.ones(()),)}, "single value"),
    ({"test": (np.ones((3, 4)),)}, "train has 2 arrays and test has 1"),
    ({"learning_rate": "fast"}, "learning_rate must be a number"),
    ({"learning_rate": -0.1}, "learning_rate must be positive"),
    ({"learning_rate": float("nan")}, "learning_rate must be positive"),
    ({"regularizer": "weight"}, "loss has no keyword of that name"),
    ({"regularizer": {"loss": len}}, "regularizer must be"),
    ({"groups": {"day": np.ones(7)}}, r"groups\['day'\] must have one value for each example"),
    ({"groups": ["day"]}, "groups must be a dict"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_bad_field_is_named(change, message):
    """Each bad field gives one error with its name, what was expected and what came."""
    with pytest.raises(mlbug.ProblemError, match=message):
        mlbug.Problem(**classifier() | change)


def test_missing_and_unknown_fields_are_listed():
    """A dict with a misspelled field says which one, and which one is missing."""
    with pytest.raises(mlbug.ProblemError, match=r"unknown: gradient; missing: grad"):
        as_problem({"params": {}, "loss": len, "gradient": len, "train": ()})


def test_other_values_are_no_problem():
    """Neither a list nor a number can stand for a problem."""
    with pytest.raises(mlbug.ProblemError, match="a Problem or a dict"):
        as_problem([1, 2])


def test_problem_holds_copies():
    """What happens to the problem's arrays does not reach the user's, and the other way round."""
    program = classifier()
    problem = mlbug.Problem(**program)
    before = program["params"]["W1"].copy()
    problem.params["W1"][:] = 0.0
    problem.train[0][:] = 0.0
    np.testing.assert_array_equal(program["params"]["W1"], before)
    assert program["train"][0].any()


def test_shared_memory_is_remembered():
    """Two parameters that are one array are listed, although the copies are apart."""
    zero = np.zeros(3)
    problem = mlbug.Problem(**classifier(params={"a": zero, "b": zero, "c": np.zeros(3)}))
    assert problem.shared == (("a", "b"),)
