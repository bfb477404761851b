"""Whatever comes in: no crash but the two named errors, no false alarm, no change to the user's arrays.

The number of examples follows hypothesis' profile: ``pytest --hypothesis-profile=thorough`` throws ten
thousand inputs.
"""

import dataclasses
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import mlbug
from mlbug import diagnose
from mlbug.faults import random_program

SCALE = settings().max_examples / 100
NAMED = (mlbug.ProblemError, mlbug.UserFunctionError)


def examples(count):
    """Return settings with so many examples in the default profile."""
    return settings(
        max_examples=max(1, int(count * SCALE)), deadline=None, suppress_health_check=list(HealthCheck)
    )


def program(seed=0):
    """Return the fields of a right softmax classifier."""
    rng = np.random.default_rng(seed)
    y = np.arange(30) % 3
    X = rng.normal(size=(3, 4))[y] * 2.0 + rng.normal(size=(30, 4))

    def scores(p, inputs):
        Z = inputs @ p["W"] + p["b"]
        E = np.exp(Z - Z.max(axis=1, keepdims=True))
        return E / E.sum(axis=1, keepdims=True)

    def loss(p, batch):
        return -np.mean(np.log(scores(p, batch[0])[np.arange(len(batch[1])), batch[1]]))

    def grad(p, batch):
        d = (scores(p, batch[0]) - np.eye(3)[batch[1]]) / len(batch[1])
        return {"W": batch[0].T @ d, "b": d.sum(axis=0)}

    def update(p, grads, lr):
        return {name: value - lr * grads[name] for name, value in p.items()}

    def activations(p, inputs):
        return {"output": inputs @ p["W"] + p["b"]}

    return {
        "params": {"W": 0.1 * rng.normal(size=(4, 3)), "b": np.zeros(3)},
        "loss": loss, "grad": grad, "train": (X, y), "test": (X[::-1] + 0.5, y[::-1].copy()),
        "scores": scores, "update": update, "learning_rate": 0.1, "activations": activations,
        "groups": {"source": np.arange(30) % 4},
    }  # fmt: skip


junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=4),
    st.lists(st.floats(), max_size=3),
    st.lists(st.lists(st.integers(), max_size=2), max_size=3),
    st.just(object()),
    st.just(np.zeros(0)),
    st.just(np.array([None, "a"], dtype=object)),
    arrays.arrays(
        st.sampled_from([np.float64, np.float32, np.int64, np.complex128, np.bool_]),
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    ),
)
tangle = st.one_of(
    junk,
    st.lists(junk, max_size=3),
    st.lists(junk, max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(["W", "b", "x", 3]), junk, max_size=3),
)


@given(field=st.sampled_from([f.name for f in dataclasses.fields(mlbug.Problem) if f.init]), value=tangle)
@examples(330)
def test_bad_field_gets_a_problem_error_that_names_it(field, value):
    """A field of any type either makes a Problem or one error that names the field."""
    message = field
    try:
        mlbug.Problem(**(program() | {field: value}))
    except mlbug.ProblemError as error:
        message = str(error)
    assert field in message


def spoil(behavior, right, value):
    """Return a function that misbehaves in one way."""

    def function(*args, **keywords):
        if behavior == "raise":
            raise RuntimeError(str(value)[:20])
        if behavior == "exit":
            raise SystemExit(1)
        if behavior == "return":
            return value
        if behavior == "print":
            print("noise")
        if behavior == "write":
            for arg in args:
                for array in arg.values() if isinstance(arg, dict) else arg if isinstance(arg, tuple) else ():
                    if isinstance(array, np.ndarray) and array.dtype.kind == "f":
                        array *= 0.5
        result = right(*args, **keywords)
        if behavior == "nan":
            return {k: v * np.nan for k, v in result.items()} if isinstance(result, dict) else result * np.nan
        if behavior == "entry" and isinstance(result, dict):
            return result | {"W": value}
        if behavior == "extra" and isinstance(result, dict):
            return result | {"extra": value}
        if behavior == "lost" and isinstance(result, dict):
            return dict(list(result.items())[1:])
        if behavior == "shape":
            return (
                {k: v[..., None] for k, v in result.items()} if isinstance(result, dict) else [result, result]
            )
        return result

    return function


BEHAVIORS = ("raise", "exit", "return", "print", "write", "nan", "entry", "extra", "lost", "shape")


@given(
    name=st.sampled_from(["loss", "grad", "scores", "update", "activations"]),
    behavior=st.sampled_from(BEHAVIORS),
    value=tangle,
)
@examples(40)
def test_bad_function_ends_in_a_report_and_changes_nothing(name, behavior, value):
    """A function that misbehaves makes a report or a named error; the user's arrays stay as they are."""
    fields = program()
    fields[name] = spoil(behavior, fields[name], value)
    before = [a.copy() for a in (*fields["params"].values(), *fields["train"], *fields["test"])]
    message = name
    try:
        report = diagnose(mlbug.Problem(**fields), time_limit=5.0)
        report.to_json()
        str(report)
    except NAMED as error:
        message = str(error)
    assert name in message
    after = (*fields["params"].values(), *fields["train"], *fields["test"])
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


@given(
    data=arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 12), st.just(4)),
        elements=st.one_of(st.floats(-10, 10), st.sampled_from([0.0, np.nan, np.inf, 1e300, -1e-300])),
    ),
    labels=st.integers(0, 2**31),
)
@examples(25)
def test_strange_numbers_end_in_a_report(data, labels):
    """Tiny, huge, constant, missing and infinite inputs make a report, not a crash."""
    fields = program()
    y = np.random.default_rng(labels).integers(0, 3, len(data))
    kept = data.copy()
    report = diagnose(mlbug.Problem(**(fields | {"train": (data, y), "test": None, "groups": None})))
    assert report.findings
    assert np.array_equal(data, kept, equal_nan=True)


@given(seed=st.integers(0, 2**32 - 1))
@examples(12)
def test_right_program_of_any_kind_raises_no_fault(seed):
    """A random right network, of any kind, size, data and optimizer, gets no fault from any check."""
    faults = diagnose(random_program(np.random.default_rng(seed)).problem()).faults
    assert [(f.check, f.kind, f.where) for f in faults] == []


@pytest.mark.parametrize("name", ["loss", "scores"])
def test_function_without_end_is_stopped(name):
    """A function that never returns is stopped, named and reported."""

    def forever(*args):
        while True:
            time.sleep(0.01)

    report = diagnose(mlbug.Problem(**(program() | {name: forever})), time_limit=0.2)
    assert any(name in f.meaning for f in report.faults)
