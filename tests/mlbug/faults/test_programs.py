"""Random programs without a fault: their gradients are right and they learn."""

import numpy as np
import pytest

from mlbug.faults import KINDS, healthy_models, random_program


@pytest.mark.parametrize("kind", [*KINDS, "mixture"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_gradient_agrees_with_differences(kind, seed):
    """Along a random direction the gradient is the centred difference of the loss."""
    rng = np.random.default_rng(seed)
    program = random_program(rng, kind)
    p, train = program.fields["params"], program.fields["train"]
    direction = {n: rng.normal(size=v.shape) for n, v in p.items()}
    up, down = ({n: v + h * direction[n] for n, v in p.items()} for h in (1e-6, -1e-6))
    slope = (program.network.loss(up, train) - program.network.loss(down, train)) / 2e-6
    g = program.network.grad(p, train)
    assert slope == pytest.approx(sum(np.sum(g[n] * direction[n]) for n in g), rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_program_learns_by_its_own_rule(kind):
    """Sixty steps of its own rule at its own rate lower the training loss."""
    program = random_program(np.random.default_rng(4), kind)
    f = program.fields
    p = dict(f["params"])
    start = program.network.loss(p, f["train"])
    for _ in range(60):
        p = f["update"](p, program.network.grad(p, f["train"]), f["learning_rate"])
    assert program.network.loss(p, f["train"]) < start


def test_step_of_the_mixture_never_lowers_the_likelihood():
    """Thirty steps of expectation maximization lower the mean negative log likelihood, each of them."""
    program = random_program(np.random.default_rng(0), "mixture")
    p, losses = program.fields["params"], []
    for _ in range(30):
        losses.append(program.network.loss(p, program.fields["train"]))
        p = program.network.update(p, {}, None)
    assert np.all(np.diff(losses) <= 1e-12)
    assert losses[-1] < losses[0]


def test_all_kinds_come_in_turn():
    """Every kind comes once, then a mixture of densities; the seed fixes them."""
    assert [program.kind for program in healthy_models(len(KINDS) + 1)] == [*KINDS, "mixture"]
    first, second = (next(healthy_models(1, seed=3)) for _ in range(2))
    assert all(
        np.array_equal(a, b) for a, b in zip(first.fields["train"], second.fields["train"], strict=True)
    )
