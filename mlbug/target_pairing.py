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
    tolerance = 1e3 * rounding(params) * max(abs(whole), 1e-300)
    if abs(other - whole) <= tolerance:
        text = (
            "The loss does not change when all targets are replaced by one and the same: it does not "
            "read them."
        )
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
    text = (
        "The loss is the same when targets are exchanged at random: each prediction is compared with "
        "every target."
    )
    if _is_mean_over_pairs(guard, params, batch):
        text = (
            text[:-1]
            + ", and the loss of a batch is that of all pairs. Shapes (n, 1) and (n,) broadcast to (n, n)."
        )
        step = (
            "Bring predictions and targets to one shape, y[:, None] or out[:, 0], before subtracting; "
            "assert it."
        )
        return [Finding("setup", "fault", ("targets",), evidence, text, step, "targets-broadcast")]
    text = "The inputs hardly make a difference to the loss at random parameters."
    return [Finding("setup", "ok", (), evidence, text, "", "paired-targets")]


def _varies(targets):
    return bool((targets != targets[:1]).any())


def _with_one_target(batch):
    return (*batch[:-1], np.broadcast_to(batch[-1][:1], batch[-1].shape).copy())


def _is_mean_over_pairs(guard, params, batch, count=8):
    """Compare the loss of a few examples with those of their own pairs and of all pairs.

    Mean, sum, and sum over all pairs are allowed for. The two readings have to differ by more than
    rounding, and the loss has to be that of all pairs to a hundredth of their difference.
    """
    few = first_rows(batch, count)
    n = len(few[0])
    table = np.empty((n, n))
    for i, j in np.ndindex(n, n):
        inputs = tuple(array[i : i + 1] for array in few[:-1])
        loss = attempt(guard.loss, params, (*inputs, few[-1][j : j + 1]))
        table[i, j] = np.nan if loss is None else loss
    whole = attempt(guard.loss, params, few)
    if whole is None or not np.isfinite(table).all():
        return False
    every, own = float(table.mean()), float(np.trace(table)) / n
    apart = abs(every - own)
    if apart <= 1e3 * rounding(params) * float(np.abs(table).max()):
        return False
    return any(abs(whole / factor - every) < 0.01 * apart for factor in (1, n, n * n))
