"""The evidence behind the gradient check."""

import numpy as np
import pytest

from mlbug import gradient_verdict
from tests.mlbug.gradient_programs import mlp
from tests.mlbug.gradient_programs_hard import HARD, dropout, hinge, zero_last_layer
from tests.mlbug.gradient_programs_nets import NETS, recurrent
from tests.mlbug.gradient_programs_noisy import noisy_solver, rayleigh


def two_layers(size, wrong=False, safe=True):
    """Network whose first matrix has about `size` entries, one of them with twice its gradient if `wrong`."""
    rng = np.random.default_rng(0)
    d = int(size**0.5)
    X, y = rng.normal(size=(10, d)), rng.normal(size=10)
    params = {"W": rng.normal(size=(d, size // d)) / d**0.5, "v": rng.normal(size=size // d)}

    def hidden(p, X):
        H = np.tanh(X @ p["W"])
        return H if safe else np.array(H, dtype=float)

    def loss(p, batch):
        return float(np.mean((hidden(p, batch[0]) @ p["v"] - batch[1]) ** 2))

    def grad(p, batch):
        H = np.tanh(batch[0] @ p["W"])
        r = 2 * (H @ p["v"] - batch[1]) / len(batch[1])
        g = batch[0].T @ (np.outer(r, p["v"]) * (1 - H**2))
        if wrong:
            g[d // 3, 2] *= 2
        return {"W": g, "v": H.T @ r}

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


@pytest.mark.parametrize("safe", [True, False])
def test_evaluations_do_not_grow_with_the_size(safe):
    """A right gradient of 40,000 entries takes as many evaluations as one of 100, up to a step or two."""
    counts = [gradient_verdict(two_layers(size, safe=safe)).losses for size in (100, 2500, 40_000)]
    assert max(counts) <= 1.1 * min(counts)
    assert max(counts) < 200


@pytest.mark.parametrize("safe", [True, False])
def test_one_wrong_entry_is_found_in_a_logarithmic_number_of_steps(safe):
    """One wrong entry of 40,000 is found, placed, and costs little more than one of 100."""
    small, large = (gradient_verdict(two_layers(s, wrong=True, safe=safe)) for s in (100, 40_000))
    assert large.blocks["W"].entry[0] == (66, 2)
    assert large.losses < 1.5 * small.losses


@pytest.mark.parametrize("program", [*NETS, *HARD])
@pytest.mark.parametrize("seed", range(3))
def test_differences_alone_raise_no_false_alarm(program, seed):
    """Without the complex step, right programs are not called wrong either."""
    verdict = gradient_verdict(program("", seed), seed, use_complex=False)
    assert {r.grade for r in verdict.blocks.values()} == {"ok"}


def test_verdicts_by_witness():
    """The witness is told: the complex step where it works, differences where it does not."""
    assert gradient_verdict(mlp()).blocks["W1"].deciding.method == "complex step"
    verdict = gradient_verdict(noisy_solver())
    assert verdict.blocks["w"].deciding.method == "centred difference"
    assert "np.real" in verdict.not_complex_safe["w"]


def test_buffers_do_not_stop_the_complex_step():
    """States that are written into np.zeros carry their imaginary part."""
    assert gradient_verdict(recurrent()).not_complex_safe == {}


def test_an_exact_kink_is_called_a_kink():
    """At a kink between its slopes the verdict is kink or right, and the sides are given."""
    verdict = gradient_verdict(mlp_at_a_kink())
    assert verdict.blocks["b"].verdict == "kink"
    left, right, given = verdict.blocks["b"].start.sides
    assert min(left, right) < given < max(left, right)


def mlp_at_a_kink():
    """ReLU of a zero bias at zero inputs; the gradient takes 0.2 of the slope at the kink."""
    X, y = np.zeros((8, 2)), np.arange(8.0) + 1

    def pre(p, X):
        return X @ p["w"] + p["b"]

    def loss(p, batch):
        return np.mean((np.maximum(pre(p, batch[0]), 0) - batch[1]) ** 2)

    def grad(p, batch):
        a = pre(p, batch[0])
        c = 2 * (np.maximum(a, 0) - batch[1]) / len(a) * np.where(a == 0, 0.2, a > 0)
        return {"w": batch[0].T @ c, "b": c.sum(keepdims=True)}

    params = {"w": np.ones(2), "b": np.zeros(1)}
    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def test_a_zero_at_the_start_is_judged_near_by():
    """A layer that no slope reaches at the start is judged at parameters near by."""
    block = gradient_verdict(zero_last_layer()).blocks["W"]
    assert (block.start.verdict, block.shifted.verdict, block.verdict) == ("unreached", "right", "right")


def test_random_draws_are_frozen():
    """Loss and gradient that draw a mask are given the same draws."""
    verdict = gradient_verdict(dropout())
    assert verdict.random == "frozen"
    assert verdict.blocks["w"].verdict == "right"


def test_draws_that_cannot_be_frozen_are_not_judged():
    """Randomness from the clock is called not deterministic."""
    program = mlp()
    loss, ticks = program["loss"], iter(range(10**9))
    program["loss"] = lambda p, batch, l2=1e-2: loss(p, batch, l2) + 1e-3 * np.sin(next(ticks))
    assert gradient_verdict(program).random == "not-deterministic"


def test_an_update_that_needs_no_gradient_is_noticed():
    """A wrong gradient that the program's update does not use is suspect, not a fault."""
    program = rayleigh()
    program["grad"] = lambda p, batch: {"w": 3.0 * p["w"] + 1.0}
    verdict = gradient_verdict(program)
    assert verdict.ignored_by_update
    assert verdict.blocks["w"].grade == "suspect"


def test_taylor_order_tells_right_from_wrong():
    """The remainder falls with order 2 for the right gradient and 1 for a wrong one."""
    assert gradient_verdict(mlp()).blocks["W2"].start.taylor == pytest.approx(2.0, abs=0.1)
    assert gradient_verdict(mlp("sign")).blocks["W2"].start.taylor == pytest.approx(1.0, abs=0.1)


def test_equal_seeds_give_equal_verdicts():
    """All random choices come from the seed."""
    first, second = (gradient_verdict(hinge("margin-at-zero"), seed=5) for _ in range(2))
    assert first.blocks["w"].start.comparisons[0].given == second.blocks["w"].start.comparisons[0].given
