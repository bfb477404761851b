"""Find a loss that compares each prediction with every target."""

import numpy as np

from .probing import attempt, first_rows, perturbed, rounding
from .report import Finding


def target_pairing(guard):
    """Ask whether the loss knows which target belongs to which input.

    Shapes (n, 1) and (n,) broadcast to an n by n table. Then the loss of a batch is the mean (or sum)
    of the losses of all n² pairs of an input and a target, and exchanging targets changes nothing.
    """
    batch = guard.problem.train
    if len(batch) < 2 or len(batch[0]) < 3 or not _varies(batch[-1]):
        return []
    rng = np.random.default_rng(guard.seed)
    params = perturbed(guard.params(), rng)
    whole = attempt(guard.loss, params, batch)
    moved = attempt(guard.loss, params, (*batch[:-1], batch[-1][rng.permutation(len(batch[-1]))]))
    other = attempt(guard.loss, params, _with_one_target(batch))
    if whole is None or moved is None or other is None:
        return []
    tolerance = 1e4 * rounding(params) * max(abs(whole), 1e-300)
    if abs(other - whole) <= tolerance:
        text = "The loss does not change when all targets are replaced by one and the same: it does not read them."
        return [
            Finding("setup", "suspect", ("targets",), {}, text, "See that this is meant.", "ignores-targets")
        ]
    if abs(moved - whole) > tolerance:
        text = "The loss changes when targets are exchanged: it knows which belongs to which input."
        return [Finding("setup", "ok", (), {"loss": whole, "exchanged": moved}, text, "", "paired-targets")]
    return _judge(guard, params, batch, whole, moved)


def _judge(guard, params, batch, whole, moved):
    evidence = {"loss": whole, "loss with targets exchanged": moved, "shape of targets": batch[-1].shape}
    if guard.problem.scores is not None:
        evidence["shape of scores"] = guard.scores(params, guard.inputs_of(batch)).shape
    if not _inputs_matter(guard, params, batch):
        text = "Exchanging targets does not change the loss, because no input makes a difference to it."
        return [
            Finding(
                "setup", "suspect", ("targets",), evidence, text, "See why inputs do not count.", "unpaired"
            )
        ]
    pairwise = _is_mean_over_pairs(guard, params, batch)
    text = "The loss is the same when targets are exchanged at random: each prediction is compared with every target."
    if pairwise:
        text = (
            text[:-1]
            + ", and the loss of a batch is that of all pairs. Shapes (n, 1) and (n,) broadcast to (n, n)."
        )
    step = (
        "Bring predictions and targets to one shape, y[:, None] or out[:, 0], before subtracting; assert it."
    )
    status = "fault" if pairwise else "suspect"
    return [Finding("setup", status, ("targets",), evidence, text, step, "targets-broadcast")]


def _varies(targets):
    return bool((targets != targets[:1]).any())


def _with_one_target(batch):
    return (*batch[:-1], np.broadcast_to(batch[-1][:1], batch[-1].shape).copy())


def _inputs_matter(guard, params, batch):
    rows = np.arange(len(batch[0]))[::-1] // 2
    other = attempt(guard.loss, params, (*guard.take(batch, rows)[:-1], batch[-1]))
    whole = guard.loss(params, batch)
    return other is not None and abs(other - whole) > 1e4 * rounding(params) * max(abs(whole), 1e-300)


def _is_mean_over_pairs(guard, params, batch):
    """Compare the loss of a few examples with the losses of all pairs of their inputs and targets.

    A penalty c beside the data part m is allowed for: over pairs of single examples the mean is m + c.
    """
    few = first_rows(batch, 5)
    n = len(few[0])
    single = []
    for i in range(n):
        for j in range(n):
            inputs = tuple(array[i : i + 1] for array in few[:-1])
            single.append(attempt(guard.loss, params, (*inputs, few[-1][j : j + 1])))
    whole = attempt(guard.loss, params, few)
    if whole is None or any(value is None for value in single):
        return False
    tolerance = 1e5 * rounding(params) * max(abs(whole), max(map(abs, single)))
    return any(abs(whole - factor * np.mean(single)) <= tolerance for factor in (1.0, n, n * n))
