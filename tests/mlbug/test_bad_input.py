"""Ten thousand bad inputs: one clear error each, no crash, nothing of the user's changed."""

import copy

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mlbug
from mlbug.guard import Guard, UserFunctionError
from mlbug.problem import as_problem
from mlbug.setup import check_setup
from tests.mlbug.programs import classifier, kinds, regressor

QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True, "database": None}
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.floats(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
    st.sampled_from(
        [np.zeros(0), np.zeros((2, 3)), np.array("a"), np.array([None, 1]), np.nan, 1j, object(), len]
    ),
)
FIELDS = list(classifier())


@settings(max_examples=5000, **QUIET)
@given(field=st.sampled_from(FIELDS), value=JUNK)
def test_junk_in_a_field_is_one_error(field, value):
    """A field with junk in it either works or is named by a ProblemError, whatever the junk."""
    message = field
    try:
        mlbug.Problem(**classifier(n=6) | {field: value})
    except mlbug.ProblemError as error:
        message = str(error)
    assert field in message
    assert "\n" not in message


@settings(max_examples=4000, **QUIET)
@given(
    name=st.sampled_from(["loss", "grad", "scores", "activations", "update"]), value=JUNK, key=st.booleans()
)
def test_junk_from_a_function_is_one_error(name, value, key):
    """Whatever a function returns, the call gives checked values or an error that names the function."""
    result = {"W1": value, "b1": 0.0, "W2": 0.0, "b2": 0.0} if key else value
    guard = Guard(as_problem(classifier(n=6) | {name: lambda *args: copy.copy(result)}))
    params, batch = guard.params(), guard.problem.train
    calls = {
        "loss": lambda: guard.loss(params, batch),
        "grad": lambda: guard.grad(params, batch),
        "scores": lambda: guard.scores(params, guard.inputs_of(batch)),
        "activations": lambda: guard.activations(params, guard.inputs_of(batch)),
        "update": lambda: guard.update(params, params, 0.1),
    }
    caught = None
    try:
        calls[name]()
    except UserFunctionError as error:
        caught = error
    assert caught is None or str(caught).startswith(name)
    assert caught is None or caught.function == name


def vandal(kind):
    """Return a wrapper that makes a function misbehave in one way."""

    def wrap(function):
        def bad(p, data, *rest):
            result = function(p, data, *rest)
            if kind == "raises":
                raise RuntimeError("no")
            if kind == "prints":
                print("x" * 1000)
            if kind == "clears":
                p.clear()
            if kind == "writes":
                for array in p.values():
                    array[...] = 7.0
            if kind == "nan":
                return (
                    {k: v * np.nan for k, v in result.items()}
                    if isinstance(result, dict)
                    else result * np.nan
                )
            return result

        return bad

    return wrap


@settings(max_examples=900, **QUIET)
@given(
    name=st.sampled_from(["loss", "grad", "scores", "activations"]),
    kind=st.sampled_from(["raises", "prints", "clears", "writes", "nan"]),
    seed=st.integers(0, 50),
)
def test_misbehaving_function_never_ends_the_setup_check(name, kind, seed):
    """A function that raises, prints, clears, overwrites or gives NaN is a finding, and changes nothing."""
    program = classifier(seed, n=12)
    before = copy.deepcopy((program["params"], program["train"]))
    findings = check_setup(program | {name: vandal(kind)(program[name])}, seed)
    found = {f.kind for f in findings if f.status == "fault"}
    expected = {"raises": "user-function", "writes": "writes-arguments", "clears": "writes-arguments"}
    if kind in expected:
        assert expected[kind] in found
    if kind == "prints":
        assert found == set()
    for name_, value in before[0].items():
        np.testing.assert_array_equal(program["params"][name_], value)
    for a, b in zip(before[1], program["train"], strict=True):
        np.testing.assert_array_equal(a, b)


@settings(max_examples=120, **QUIET)
@given(
    make=st.sampled_from([classifier, regressor]),
    seed=st.integers(0, 10_000),
    depth=st.integers(0, 3),
    width=st.integers(1, 12),
    inputs=st.integers(1, 8),
    outputs=st.integers(2, 4),
    activation=st.sampled_from(["tanh", "relu", "sigmoid"]),
    dtype=st.sampled_from([np.float64, np.float32]),
    n=st.integers(8, 200),
)
def test_random_correct_network_raises_no_alarm(
    make, seed, depth, width, inputs, outputs, activation, dtype, n
):
    """A correct network of any size has no fault in setup and data."""
    sizes = (inputs, *[width] * depth, outputs)
    program = make(seed, n=n, sizes=sizes, activation=activation, dtype=dtype)
    report = mlbug.diagnose(program, checks=["setup", "data"])
    assert [(f.check, f.kind, f.meaning) for f in report.faults] == []


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("make", [classifier, regressor])
def test_fewest_examples_go_through_all_checks(make, n):
    """One, two or three examples are enough for every check to answer, and no reason for a fault of setup."""
    report = mlbug.diagnose(make(n=n))
    assert kinds([f for f in report.findings if f.check in ("setup", "gradients", "updates")]) == set()
