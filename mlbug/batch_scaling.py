"""Does the loss average over the examples or sum them, and does the gradient do the same?"""

import numpy as np

from .descent import share_of_decrease
from .probing import attempt, first_rows, perturbed, repeated, rounding
from .report import Finding


def batch_scaling(guard):
    """Double and triple the batch: a mean stays, a sum grows."""
    params = perturbed(guard.params(), np.random.default_rng(guard.seed))
    batch = first_rows(guard.problem.train, 500)
    losses = [attempt(guard.loss, params, repeated(batch, k)) for k in (1, 2, 3)]
    grads = [attempt(guard.grad, params, repeated(batch, k)) for k in (1, 2, 3)]
    if any(value is None for value in losses + grads):
        return []
    noise = 1e3 * rounding(params)
    loss_kind = _growth(np.array(losses), noise)
    kinds = {name: _growth(np.array([g[name] for g in grads]), noise) for name in params}
    odd = [name for name, kind in kinds.items() if kind and loss_kind and kind != loss_kind]
    odd = [name for name in odd if _disagrees(guard, params, batch, name, losses[0], grads[0])]
    evidence = {"loss of the batch once, twice, three times": losses, "loss": loss_kind, "gradient": kinds}
    if odd:
        a, b = ("sums", "averages") if loss_kind == "sum" else ("averages", "sums")
        meaning = (
            f"With every example taken twice, the loss {'doubles' if a == 'sums' else 'stays'} but "
            "the gradient of "
            f"{', '.join(odd)} {'stays' if a == 'sums' else 'doubles'}: the loss {a} over the "
            f"examples, the gradient {b}."
        )
        step = "Divide both by the number of examples, or neither."
        return [Finding("setup", "fault", tuple(odd), evidence, meaning, step, "sum-or-mean")]
    if loss_kind == "sum":
        return [_sum_against_rate(guard, evidence)]
    return [
        Finding(
            "setup", "ok", (), evidence, "Loss and gradient scale alike with the batch.", "", "batch-scaling"
        )
    ]


def _disagrees(guard, params, batch, name, loss, grads):
    """Say whether the gradient is wrong on the batch as it is, too: some losses expect each example once."""
    share = share_of_decrease(guard, params, batch, name, grads[name], loss)
    return share is None or abs(share - 1.0) > 0.05


def _growth(values, noise):
    """Classify values at one, two and three times the batch as "mean", "sum" or None (neither)."""
    first, second = values[1] - values[0], values[2] - values[1]
    scale = max(float(np.abs(values).max()), 1e-300)
    if np.abs(first).max() <= noise * scale and np.abs(second).max() <= noise * scale:
        return "mean" if np.abs(values).max() > 1e-12 else None
    # a penalty that does not depend on the batch drops out of the differences
    if np.abs(second - first).max() <= 1e-6 * np.abs(first).max() + noise * scale:
        return "sum"
    return None


def _sum_against_rate(guard, evidence):
    """Judge a summed loss by whether the learning rate suits it."""
    rate, batch = guard.problem.learning_rate, guard.problem.train
    n = len(batch[0])
    meaning = f"The loss is a sum over the examples ({n} in the training set), not a mean."
    if rate is None or guard.problem.update is not None:
        return Finding("setup", "ok", (), evidence, meaning, "", "sum-loss")
    courses = {}
    for divisor in (1, n):
        params = guard.params()
        losses = [guard.loss(params, batch)]
        for _ in range(5):
            grads = guard.grad(params, batch)
            params = {name: value - rate / divisor * grads[name] for name, value in params.items()}
            losses.append(guard.loss(params, batch))
        courses[divisor] = losses
    rises = not courses[1][-1] <= courses[1][0]
    evidence = evidence | {
        "losses at the learning rate": courses[1],
        f"losses at the learning rate / {n}": courses[n],
    }
    if rises and courses[n][-1] < courses[n][0]:
        meaning += (
            f" The learning rate {rate:g} suits a mean: with it the loss goes from {courses[1][0]:.4g} to "
            f"{courses[1][-1]:.4g} in five steps, with {rate:g}/{n} to {courses[n][-1]:.4g}."
        )
        step = (
            "Divide loss and gradient by the number of examples; then the rate does not depend on the batch."
        )
        return Finding("setup", "fault", (), evidence, meaning, step, "sum-loss")
    return Finding("setup", "ok", (), evidence, meaning + " The learning rate suits it.", "", "sum-loss")
