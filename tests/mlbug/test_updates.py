"""The update law: correct optimizers are identified exactly, departures are named at their place."""

import numpy as np
import pytest

import mlbug
from mlbug.updates import check_updates, identify_update_law
from tests.mlbug.optimizers import CORRECT, WRONG, adam, moments, rule


def network(update, dtype=float, learning_rate=0.1, grad_factor=1.0, scale=1.0):
    """Return a tanh regression network with blocks W, V (10 elements each), b and c."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2)).astype(dtype)
    y = np.sin(X.sum(axis=1)).astype(dtype)
    params = {
        "W": rng.normal(size=(2, 5)),
        "V": rng.normal(size=(5, 2)),
        "b": rng.normal(size=5),
        "c": np.array([0.3]),
    }

    def forward(p, X):
        H = np.tanh(X @ p["W"] + p["b"])
        return H, (H @ p["V"]).sum(axis=1) + p["c"][0]

    def loss(p, batch):
        return scale * np.mean((forward(p, batch[0])[1] - batch[1]) ** 2)

    def grad(p, batch):
        X, y = batch
        H, out = forward(p, X)
        slope = (grad_factor * scale * 2.0 / len(y) * (out - y)).astype(dtype)
        dA = np.outer(slope, p["V"].sum(axis=1)) * (1 - H**2)
        dV = np.repeat((H.T @ slope)[:, None], 2, axis=1) * np.array([1.0, 1.0], dtype=dtype)
        return {"W": X.T @ dA, "V": dV, "b": dA.sum(axis=0), "c": np.array([slope.sum()])}

    return mlbug.Problem(
        params={name: value.astype(dtype) for name, value in params.items()},
        loss=loss, grad=grad, train=(X, y), update=update, learning_rate=learning_rate,
    )  # fmt: skip


def kinds(findings):
    """Return the faults as a dict of kind to where."""
    return {f.kind: f.where for f in findings if f.status == "fault"}


@pytest.mark.parametrize("name", CORRECT)
def test_correct_optimizer_is_identified_without_alarm(name):
    """Each correct optimizer gets its own name, a residual down to rounding, and no fault."""
    factory, law = CORRECT[name]
    findings = check_updates(network(factory()))
    assert [f.kind for f in findings if f.status in ("fault", "suspect")] == (
        ["rate-by-block"] if name.startswith("by ") else []
    )
    texts = [text for f in findings for where, text in f.evidence.items() if where == "W"]
    assert texts[0].startswith(law + " (")
    assert float(texts[0].split("residual ")[1]) <= 1e-12


@pytest.mark.parametrize("name", ["plain", "momentum outside", "adam", "rmsprop", "schedule", "clip all"])
def test_single_precision_optimizer_raises_no_alarm(name):
    """In float32 the laws are judged by float32 rounding."""
    assert kinds(check_updates(network(CORRECT[name][0](), dtype=np.float32))) == {}


@pytest.mark.parametrize("scale", [1e-8, 1e6])
@pytest.mark.parametrize("name", ["plain", "momentum inside", "decay"])
def test_rescaled_loss_raises_no_alarm(name, scale):
    """Gradients a million times larger or smaller, with the rate to match, are judged alike."""
    problem = network(CORRECT[name][0](), scale=scale, learning_rate=0.1 / scale)
    assert "unknown" not in kinds(check_updates(problem))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rule_is_named_at_its_place(name):
    """A mistake in the rule of W and b is named, and placed at W and b alone."""
    step, kind = WRONG[name]
    wrong, right = rule(step)(), CORRECT["plain"][0]()

    def update(params, grads, lr):
        bad, good = wrong(params, grads, lr), right(params, grads, lr)
        return {name: bad[name] if name in ("W", "b") else good[name] for name in params}

    assert kinds(check_updates(network(update))) == {kind: ("W", "b")}


def test_fixed_fall_of_one_number_is_found():
    """The book's equation 11.4: a bias of one element that falls by a fixed amount."""

    def update(params, grads, lr):
        return {n: v - (0.002 if n == "c" else lr * grads[n]) for n, v in params.items()}

    assert kinds(check_updates(network(update))) == {"ignores-gradient": ("c",)}


def test_one_number_with_gradients_of_one_sign_is_no_absolute_value():
    """A block of one element whose gradient never changes sign follows the law of the others."""

    def step(w, g, lr, s, t):
        m, v = moments(s, g, t, b1=0.8, b2=0.95)
        return w - lr * m / (np.sqrt(v) + 1e-6)

    assert kinds(check_updates(network(rule(step)(), learning_rate=0.01))) == {}


def test_fault_beside_adam_is_found():
    """The rule of the healthy blocks may be any law of the catalog."""
    right = rule(adam)()

    def update(params, grads, lr):
        return right(params, grads, lr) | {"b": params["b"] - 0.002}

    assert kinds(check_updates(network(update))) == {"ignores-gradient": ("b",)}


def test_other_block_of_equal_size_is_named_as_the_source():
    """Gradients matched by position instead of name: the finding says whose gradient came."""
    own = network(None)
    swap = {"W": "V", "V": "W", "b": "b", "c": "c"}

    def update(params, grads, lr):
        return {n: v - lr * grads[swap[n]].reshape(v.shape) for n, v in params.items()}

    findings = [f for f in check_updates(network(update)) if f.kind == "swapped"]
    assert {f.where: f.status for f in findings} == {("W",): "fault", ("V",): "fault"}
    assert "gradient of V" in findings[0].meaning
    assert own.params["W"].size == own.params["V"].size


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (lambda w, g, lr, s, t: w - 2 * lr * g, "twice"),
        (lambda w, g, lr, s, t: w - lr * g / 60, "rate"),
        (lambda w, g, lr, s, t: w - lr * lr * g, "rate-squared"),
        (lambda w, g, lr, s, t: w - 0.01 * g, "own-rate"),
        (lambda w, g, lr, s, t: w + lr * g, "sign"),
    ],
)
def test_rate_that_is_not_the_stated_one_is_a_fault(step, kind):
    """Where all blocks move with one and the same wrong rate, it is named."""
    assert set(kinds(check_updates(network(rule(step)())))) == {kind}


def test_rule_with_the_stated_rate_of_its_own_is_right():
    """A rule that ignores its argument but uses the stated rate raises no alarm."""
    assert kinds(check_updates(network(rule(lambda w, g, lr, s, t: w - 0.1 * g)()))) == {}


def test_step_counter_advanced_by_every_block_is_found():
    """Adam's counter that each parameter advances runs too fast."""
    memory, count = {}, [0]

    def update(params, grads, lr):
        new = {}
        for name, value in params.items():
            count[0] += 1
            m, v = moments(memory.setdefault(name, {}), grads[name], count[0])
            new[name] = value - lr * m / (np.sqrt(v) + 1e-8)
        return new

    assert set(kinds(check_updates(network(update)))) == {"step-counter"}


def test_returned_arrays_that_share_memory_are_found():
    """Two names of one array: what moves one moves the other."""

    def update(params, grads, lr):
        new = {n: v - lr * grads[n] for n, v in params.items()}
        return new | {"V": new["W"].reshape(5, 2)}

    assert ("V", "W") in [f.where for f in check_updates(network(update)) if f.kind == "aliased"]


def test_gradients_that_pile_up_between_calls_are_found():
    """A gradient function that adds to its buffers is a fault even without a rule."""
    right, buffer = network(None), {}

    def grad(params, batch):
        for name, value in right.grad(params, batch).items():
            buffer[name] = buffer.get(name, 0.0) + value
        return {name: value.copy() for name, value in buffer.items()}

    problem = mlbug.Problem(
        params=right.params, loss=right.loss, grad=grad, train=right.train, learning_rate=0.1
    )
    assert kinds(check_updates(problem)) == {"accumulates": ("W", "V", "b", "c")}


def test_rate_too_high_is_found_and_a_lower_one_given():
    """A rate at which the loss explodes is a fault; the finding names one that works."""
    (finding,) = [f for f in check_updates(network(None, learning_rate=300.0)) if f.status == "fault"]
    assert finding.kind == "rate-too-high"
    assert 0 < finding.evidence["rate that lowers the loss"] < 10.0
    assert kinds(check_updates(network(None, learning_rate=0.1))) == {}


def test_rate_too_low_is_found():
    """A rate at which nothing is learned, though far higher ones are stable, is a fault."""
    for update in (None, CORRECT["plain"][0](), CORRECT["momentum inside"][0]()):
        assert set(kinds(check_updates(network(update, learning_rate=1e-8)))) == {"rate-too-low"}
        assert kinds(check_updates(network(update, learning_rate=0.01))) == {}


def test_rate_that_vanishes_within_a_few_steps_is_found():
    """A decay meant for epochs but applied at each step stops training."""
    slow = rule(lambda w, g, lr, s, t: w - lr * 0.9**t * g)()
    fast = rule(lambda w, g, lr, s, t: w - lr * 0.1**t * g)()
    assert kinds(check_updates(network(slow))) == {}
    assert set(kinds(check_updates(network(fast)))) == {"rate-vanishes"}


def test_velocity_that_two_blocks_share_is_found():
    """One velocity for two arrays of equal shape mixes their gradients."""
    velocity = {"v": np.zeros(5)}
    right = network(None)

    def update(params, grads, lr):
        new = {n: v - lr * grads[n] for n, v in params.items()}
        for name in ("b", "d"):
            velocity["v"] = 0.9 * velocity["v"] + grads[name]
            new[name] = params[name] - lr * velocity["v"]
        return new

    params = right.params | {"d": np.ones(5)}
    rng = np.random.default_rng(2)
    pull = rng.normal(size=5)

    def loss(p, batch):
        return right.loss(p, batch) + 0.1 * np.sum((p["d"] - pull) ** 2)

    def grad(p, batch):
        return right.grad(p, batch) | {"d": 0.2 * (p["d"] - pull)}

    problem = mlbug.Problem(
        params=params, loss=loss, grad=grad, train=right.train, update=update, learning_rate=0.1
    )
    assert kinds(check_updates(problem)) in (
        {"shared-velocity": ("b", "d")}, {"shared-velocity": ("d",)}, {"shared-velocity": ("b",)}
    )  # fmt: skip


def test_unknown_rule_that_climbs_is_a_sign_fault():
    """A rule of no known law whose first step goes uphill is a fault; one that descends is a suspicion."""
    for sign, status in ((1.0, "fault"), (-1.0, "suspect")):
        step = lambda w, g, lr, s, t, sign=sign: w + sign * lr * np.cbrt(g) * (1 + t % 3)  # noqa: E731
        statuses = {f.status for f in check_updates(network(rule(step)())) if f.where and "W" in f.where}
        assert status in statuses


def test_nan_gradient_is_no_rate_fault():
    """NaN from the gradient is not blamed on the rule."""
    findings = check_updates(network(CORRECT["plain"][0](), grad_factor=np.nan))
    assert kinds(findings) == {}


def test_missing_rule_and_whole_steps_are_skipped():
    """Without a rule, or without a rate, there is no law to identify."""
    assert "skipped" in [f.status for f in check_updates(network(None))]
    findings = check_updates(network(lambda p, g, lr: p, learning_rate=None))
    assert [f.status for f in findings] == ["skipped"]


def test_recorded_steps_are_identified():
    """`identify_update_law` takes plain triples and gives law, constants and residual."""
    rng = np.random.default_rng(0)
    update, w, steps = CORRECT["adam"][0](), {"w": rng.normal(size=3)}, []
    for _ in range(12):
        g = {"w": rng.normal(size=3)}
        new = update(w, g, 0.05)
        steps.append((w, g, new))
        w = new
    law = identify_update_law(steps)["w"]
    assert law.law == "Adam"
    assert law.constants["rate"] == pytest.approx(0.05, rel=1e-9)
    assert law.constants["beta2"] == pytest.approx(0.999, rel=1e-9)
    assert law.kind == ""
    assert law.residual < 1e-12


def test_too_few_or_uneven_steps_are_refused():
    """The error says how many steps, or which arrays, were expected."""
    step = ({"w": np.ones(2)}, {"w": np.ones(2)}, {"w": np.zeros(2)})
    with pytest.raises(ValueError, match="at least 4"):
        identify_update_law([step])
    with pytest.raises(ValueError, match=r"steps\[4\].after"):
        identify_update_law([step] * 4 + [(*step[:2], {"w": np.zeros(3)})])


def test_rule_starts_fresh_and_leaves_no_trace():
    """The check resets the rule's memory before and after, and leaves the parameters alone."""
    problem = network(CORRECT["momentum inside"][0]())
    before = {name: value.copy() for name, value in problem.params.items()}
    first, second = (check_updates(problem) for _ in range(2))
    assert [f.evidence for f in first] == [f.evidence for f in second]
    assert all(np.array_equal(problem.params[name], before[name]) for name in before)


def test_the_books_rule_is_not_taken_for_a_sign():
    """A lone bias that loses the rate itself ignores its gradient, though that gradient keeps its sign."""
    rng = np.random.default_rng(0)
    X = rng.normal(1.0, 0.5, size=(150, 1))
    y = 2.0 * X[:, 0] + 3.0

    def error(params, batch):
        return batch[0] @ params["w"] + params["b"][0] - batch[1]

    def grad(params, batch):
        off = error(params, batch)
        return {"w": 2 * batch[0].T @ off / len(off), "b": np.array([2 * off.mean()])}

    problem = mlbug.Problem(
        params={"w": np.zeros(1), "b": np.zeros(1)},
        loss=lambda params, batch: float(np.mean(error(params, batch) ** 2)),
        grad=grad,
        train=(X, y),
        update=lambda params, grads, lr: {"w": params["w"] - lr * grads["w"], "b": params["b"] - lr},
        learning_rate=0.01,
    )
    faults = [finding for finding in mlbug.check_updates(problem) if finding.status == "fault"]
    assert [(fault.kind, fault.where) for fault in faults] == [("ignores-gradient", ("b",))]
