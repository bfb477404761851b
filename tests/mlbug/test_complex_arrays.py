"""Complex arrays that follow a derivative through numpy code."""

import numpy as np
import pytest

from mlbug.complex_arrays import ComplexArray, trace
from mlbug.complex_buffers import complex_buffers
from mlbug.trace_notes import Notes, Uses

X = np.random.default_rng(0).normal(size=(7, 4))
SAFE = {
    "affine": lambda w: (X @ w + 1.0).sum(),
    "tanh": lambda w: np.tanh(X @ w).mean(),
    "relu": lambda w: np.maximum(X @ w, 0).sum(),
    "where": lambda w: np.where(X @ w > 0, X @ w, 0.1 * (X @ w)).sum(),
    "clip": lambda w: np.clip(X @ w, -0.5, 0.5).sum(),
    "abs": lambda w: np.abs(X @ w).sum() + abs(w).sum(),
    "sign": lambda w: (w * np.sign(w)).sum(),
    "var": lambda w: (X @ w).var(axis=0).sum() + np.var(w),
    "std": lambda w: np.std(X @ w, axis=1, ddof=1).sum() + (X @ w).std(),
    "norm": lambda w: np.linalg.norm(w) + np.linalg.norm(w, axis=0).sum() + np.linalg.norm(w[:, 0], 1),
    "logaddexp": lambda w: np.logaddexp(0, X @ w).sum(),
    "log1p": lambda w: np.log1p(w**2).sum() + np.expm1(w).sum(),
    "hypot": lambda w: np.hypot(w, 2.0).sum() + np.arctan2(w, 3.0).sum() + np.cbrt(w).sum(),
    "power": lambda w: (np.abs(w) ** 1.5).sum() + (2.0**w).sum() + np.sqrt(w**2 + 1).sum(),
    "remainder": lambda w: np.remainder(w, 0.7).sum() + np.floor(w).sum(),
    "division": lambda w: (1 / (1 + np.exp(-800 * w))).sum() + (w / (1 + w**2)).sum(),
    "einsum": lambda w: np.einsum("ij,kj->ik", w, w).sum() + np.dot(X, w).sum() + np.vdot(w, w),
    "stacks": lambda w: np.concatenate([w, w**2]).sum() + np.stack([w[0], w[1]]).prod(),
    "sorts": lambda w: np.sort(w, axis=0)[0].sum() + np.median(w) + w.max() - w.min(axis=0).sum(),
    "in place": lambda w: _in_place(w),
    "elements": lambda w: sum(w[0][i] * w[1, i] ** 3 for i in range(3)),
    "solve": lambda w: np.linalg.solve(w.T @ w + np.eye(3), np.ones(3)).sum(),
    "cholesky": lambda w: np.linalg.cholesky(w.T @ w + np.eye(3)).sum(),
    "slogdet": lambda w: np.linalg.slogdet(w.T @ w + np.eye(3))[1],
    "eigvalsh": lambda w: np.linalg.eigvalsh(w.T @ w).max(),
    "casts": lambda w: (w.astype(np.float64) * w.astype(int)).sum(),
    "masks": lambda w: np.add.reduce(w, axis=0, where=w > 0).sum(),
}


def _in_place(w):
    w = w.copy()
    w -= w.mean(axis=0)
    w /= 1 + w.max()
    w[0] *= 2
    return (w**2).sum()


def slope(f, w, u, step=1e-20):
    """Return the derivative of f at w along u by a complex step, and the notes taken."""
    notes = Notes()
    value = f(trace(w + 1j * step * u, notes))
    return complex(np.asarray(value)).imag / step, notes


@pytest.mark.parametrize("name", SAFE)
def test_slopes_through_numpy_functions(name):
    """The complex step agrees with a centred difference through each of these."""
    rng = np.random.default_rng(1)
    w, u = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    f = SAFE[name]
    with np.errstate(all="ignore"):
        centred = (f(w + 1e-6 * u) - f(w - 1e-6 * u)) / 2e-6
        assert slope(f, w, u)[0] == pytest.approx(centred, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("name", SAFE)
def test_the_real_part_is_the_value(name):
    """With a step of zero the function's own value comes out."""
    w = np.random.default_rng(1).normal(size=(4, 3))
    with np.errstate(all="ignore"):
        value = SAFE[name](trace(w, Notes()))
        assert complex(np.asarray(value)).real == pytest.approx(float(SAFE[name](w)), rel=1e-12)


def test_float_is_remembered():
    """A float() keeps its imaginary part in the notes."""
    notes = Notes()
    value = float((trace(np.array([2.0 + 1e-20j]), notes) ** 2).sum())
    assert value == 4.0
    assert notes.floats == [4.0 + 4e-20j]


def test_a_kink_shows_in_the_sign_of_the_step():
    """At zero the two signs of the step give the slopes of the two sides."""
    w, u = np.zeros(1), np.ones(1)

    def relu(w):
        return np.maximum(w, 0).sum()

    assert (slope(relu, w, u, 1e-20)[0], slope(relu, w, u, -1e-20)[0]) == (1.0, 0.0)
    assert (slope(lambda w: np.abs(w).sum(), w, u, -1e-20)[0]) == -1.0


def test_calls_that_numpy_spoils_are_named():
    """Functions done by rule, and those that stop the complex step, are in the notes."""
    w = np.ones((4, 3))
    assert slope(SAFE["var"], w, w)[1].replaced == {"np.var"}
    notes = Notes()
    np.interp(np.zeros(1), np.arange(4.0), trace(w[:, 0], notes))
    assert notes.unsafe == {"np.interp"}


def test_a_real_buffer_stops_the_imaginary_part_and_complex_buffers_do_not():
    """Writing into np.zeros loses the derivative, unless buffers are complex; np.zeros is given back."""
    u = np.ones((4, 3))

    def through_buffer(w):
        out = np.zeros(4)
        out[:] = w.sum(axis=1)
        return (out**2).sum()

    with pytest.warns(np.exceptions.ComplexWarning):
        through_buffer(trace(u, Notes()))
    zeros = np.zeros
    notes = Notes()
    with complex_buffers(notes):
        value = through_buffer(trace(u + 1e-20j * u, notes))
        assert np.zeros(2, dtype=int).dtype.kind == "i"
    assert np.zeros is zeros
    assert complex(np.asarray(value)).imag == pytest.approx(4 * 2 * 3 * 3 * 1e-20)


def test_uses_are_told_apart():
    """A parameter that is used twice can move at one use alone; the parts add up."""
    w = np.array([0.3, -0.2])
    parts = []
    for only in (0, 1, None):
        uses = Uses(only)
        p = trace(w + 1e-20j, Notes(), uses)
        parts.append(complex(np.asarray((np.tanh(p) * (p**2)).sum())).imag / 1e-20)
        assert uses.count == 2
    assert parts[0] + parts[1] == pytest.approx(parts[2])
    assert parts[0] == pytest.approx(((1 - np.tanh(w) ** 2) * w**2).sum())


def test_nan_stays_nan():
    """A NaN is passed on, not hidden behind a complex logarithm."""
    with np.errstate(invalid="ignore"):
        value = np.log(trace(np.array([-1.0]), Notes())).sum()
    assert np.isnan(complex(np.asarray(value)).real)


def test_indexing_gives_arrays_of_the_same_kind():
    """A single element goes on as an array of dimension zero."""
    assert isinstance(trace(np.ones(3), Notes())[1], ComplexArray)
