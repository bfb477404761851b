"""Tests of the calls of a user's functions."""

import contextlib
import time

import numpy as np
import pytest

from mlbug.guard import Guard, UserFunctionError
from mlbug.problem import as_problem
from tests.mlbug.programs import classifier


def guarded(**fields):
    """Return a guard of a correct classifier with some fields replaced."""
    return Guard(as_problem(classifier(**fields)), time_limit=0.3)


def endless(*args):
    """Never return, whatever is raised inside that an ordinary handler catches."""
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0.01)


def with_value(value):
    """Return a function that answers `value` whatever it is given."""
    return lambda *args: value


def raising(*args):
    """Fail as user code does."""
    return {}["velocity"]


WRONG = [
    ("loss", with_value(None), "loss must return one number, but None came"),
    ("loss", with_value(np.ones(3)), r"loss must return one number, but an array of shape \(3,\)"),
    ("loss", with_value("0.3"), "loss must return a real number"),
    ("loss", with_value(1j), "loss must return a real number"),
    ("loss", raising, "loss raised KeyError: 'velocity'.*line"),
    ("loss", endless, "loss ran longer than 0.3 s"),
    ("grad", with_value(None), "grad must return a dict of arrays by parameter name, but None came"),
    ("grad", with_value({"W1": 0.0}), "b1, W2, b2 is missing"),
    ("grad", lambda p, b: p | {"W1": np.ones((8, 4))}, r"grad \['W1'\] must have the parameter's shape"),
    ("grad", lambda p, b: p | {"W1": None}, r"grad \['W1'\] must be a real array, but None came"),
    ("grad", lambda p, b: p | {"W3": 0.0}, "grad must return the names W1, b1, W2, b2, but .*W3"),
    ("scores", with_value(np.ones((3, 3))), "scores must return one row for each of the 120 examples"),
    ("scores", with_value(None), "scores must return real arrays"),
    ("activations", with_value([1.0]), "activations must return a dict"),
    ("activations", with_value({"h": np.ones(2)}), r"activations must return one row .* \['h'\] is"),
    ("update", with_value(None), "update must return a dict"),
]


def call(guard, name):
    """Call one function of the guard with its natural arguments."""
    params, batch = guard.params(), guard.problem.train
    if name == "update":
        return guard.update(params, guard.grad(params, batch), 0.1)
    data = batch if name in ("loss", "grad") else guard.inputs_of(batch)
    return getattr(guard, name)(params, data)


@pytest.mark.parametrize(("name", "function", "message"), WRONG)
def test_wrong_function_is_named(name, function, message):
    """Each wrong result gives an error with the function, the key, what was expected and what came."""
    with pytest.raises(UserFunctionError, match=message) as caught:
        call(guarded(**{name: function}), name)
    assert caught.value.function == name


def test_exit_does_not_end_the_check():
    """A function that calls exit() is reported like one that raises."""
    with pytest.raises(UserFunctionError, match="loss raised SystemExit"):
        call(guarded(loss=lambda p, b: exit(0)), "loss")


def test_arguments_are_copies():
    """A function that overwrites all it gets changes nothing of the problem."""
    net = classifier()["loss"]

    def vandal(p, batch):
        value = net(p, batch)
        for array in [*p.values(), *batch]:
            array[...] = 0
        p.clear()
        return value

    guard = guarded(loss=vandal)
    first = call(guard, "loss")
    assert call(guard, "loss") == first
    assert guard.writes("loss", guard.params(), guard.problem.train) == [
        "W1",
        "b1",
        "W2",
        "b2",
        "inputs",
        "targets",
    ]


def test_prints_are_captured(capsys):
    """What a function prints is kept and does not reach the terminal."""
    net = classifier()["loss"]
    guard = guarded(loss=lambda p, b: (print("epoch 1"), net(p, b))[1])
    call(guard, "loss")
    assert guard.printed.getvalue() == "epoch 1\n"
    assert capsys.readouterr().out == ""


def test_float32_stays_float32():
    """A float32 program is handed float32, and its gradient comes back as it is."""
    guard = Guard(as_problem(classifier(dtype=np.float32)))
    assert {value.dtype for value in call(guard, "grad").values()} == {np.dtype(np.float32)}


def test_complex_loss_keeps_the_imaginary_part():
    """A complex parameter gives a complex loss."""
    guard = guarded(loss=lambda p, b: np.sum(p["W1"]) ** 2)
    params = guard.params()
    params["W1"] = params["W1"] + 1e-20j
    assert guard.complex_loss(params, guard.problem.train).imag != 0.0


def test_regularizer_is_switched_off_in_both_forms():
    """A keyword and a pair of functions are both taken out of loss and gradient."""
    by_keyword = guarded(l2=0.3)
    bare = guarded()
    pair = {
        "loss": lambda p: 0.3 * sum(np.sum(v**2) for k, v in p.items() if k[0] == "W"),
        "grad": lambda p: {k: 0.6 * v for k, v in p.items() if k[0] == "W"},
    }
    program = classifier(l2=0.3)
    by_pair = Guard(as_problem(program | {"regularizer": pair}))
    for guard in (by_keyword, by_pair):
        off = guard.without_regularizer()
        assert call(guard, "loss") > call(bare, "loss") + 0.1
        assert call(off, "loss") == pytest.approx(call(bare, "loss"), rel=1e-12)
        for name, value in call(off, "grad").items():
            np.testing.assert_allclose(value, call(bare, "grad")[name], atol=1e-14)


def test_optimizer_is_reset():
    """Momentum kept in a closure starts anew after a reset, in place and by name."""
    velocity, count = {}, 0

    def update(p, grads, lr):
        nonlocal count
        count += 1
        for name in p:
            velocity[name] = 0.9 * velocity.get(name, 0.0) - lr * grads[name]
        return {name: p[name] + velocity[name] * count for name in p}

    guard = guarded(update=update)
    first, second = call(guard, "update"), call(guard, "update")
    guard.reset_update()
    again = call(guard, "update")
    assert not np.array_equal(first["W1"], second["W1"])
    np.testing.assert_array_equal(first["W1"], again["W1"])
    assert count == 1


def test_single_number_may_come_as_any_shape():
    """A gradient of one entry may be a float where the parameter has shape (1,)."""
    guard = guarded(params={"b": np.zeros(1)}, loss=with_value(0.0), grad=with_value({"b": 2.0}))
    assert call(guard, "grad")["b"].shape == (1,)
