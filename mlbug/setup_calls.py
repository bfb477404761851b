"""Questions on single calls: are equal calls equal, and are arguments left alone?"""

import numpy as np

from .guard import UserFunctionError
from .probing import rounding
from .report import Finding


def repeatability(guard):
    """Call loss, gradient and scores several times with equal arguments and compare."""
    params, batch = guard.params(), guard.problem.train
    losses = np.array([guard.loss(params, batch) for _ in range(6)])
    scale = max(float(np.abs(losses).max()), 1e-300)
    noise = float(np.ptp(losses)) / scale
    tolerance = 100.0 * rounding(params)
    scores = _score_change(guard, params, batch)
    evidence = {"loss of equal calls": losses.tolist(), "relative change": noise}
    if scores is not None and scores > tolerance:
        return [
            Finding(
                "setup",
                "fault",
                (),
                evidence | {"change of scores": scores},
                f"Equal calls give different scores (they differ by {scores:.1e} of their size): "
                "something random, or remembered, takes part in the prediction.",
                "Switch dropout, noise and updates of running averages off wherever the model predicts.",
                "random-scores",
            )
        ]
    if noise <= tolerance:
        return [Finding("setup", "ok", (), evidence, "Equal calls give equal losses.", "", "repeatable")]
    steps = np.diff(losses)
    drift = bool(np.all(steps > 0) or np.all(steps < 0)) and noise > 1e-6
    if drift:
        return [
            Finding(
                "setup",
                "fault",
                (),
                evidence,
                f"Each call with the same arguments moves the loss the same way, from {losses[0]:.6g} to "
                f"{losses[-1]:.6g}: the function keeps something from one call to the next.",
                "Find what `loss` stores outside itself and pass it in instead.",
                "stateful-loss",
            )
        ]
    return [
        Finding(
            "setup",
            "suspect",
            (),
            evidence,
            f"Equal calls give losses that differ by {noise:.1e} of their size: the loss is random.",
            "Fix its seed, or switch dropout off, while you look for a fault: a gradient cannot be compared "
            "with a moving loss.",
            "random-loss",
        )
    ]


def _score_change(guard, params, batch):
    if guard.problem.scores is None:
        return None
    inputs = guard.inputs_of(batch)
    first = guard.scores(params, inputs)
    scale = max(float(np.abs(first).max()), 1e-300)
    return max(float(np.abs(guard.scores(params, inputs) - first).max()) / scale for _ in range(3))


def argument_writes(guard):
    """Hand each function its arguments and look whether they are the same afterwards."""
    written = {}
    for name in ("loss", "grad", "scores", "activations"):
        if getattr(guard.problem, name) is None:
            continue
        params = guard.params()
        batch = guard.problem.train if name in ("loss", "grad") else guard.inputs_of(guard.problem.train)
        places = guard.writes(name, params, batch)
        if places:
            written[name] = places
    if not written:
        return [
            Finding("setup", "ok", meaning="No function writes into its arguments.", kind="arguments-kept")
        ]
    return [
        Finding(
            "setup",
            "fault",
            tuple(places),
            {"function": name},
            f"`{name}` changes {' and '.join(places)} that it was given: the next call starts from "
            "other values.",
            f"In `{name}`, work on a copy, or write x = x - m in place of x -= m.",
            "writes-arguments",
        )
        for name, places in written.items()
    ]


def shared_memory(guard):
    """Report parameter arrays that share memory, so that an in-place step on one moves the other."""
    pairs = guard.problem.shared
    if not pairs:
        return []
    names = sorted({name for pair in pairs for name in pair})
    harmful = _moves_together(guard, names)
    return [
        Finding(
            "setup",
            "fault" if harmful else "suspect",
            tuple(names),
            {"pairs": [list(pair) for pair in pairs]},
            f"{' and '.join(names)} are views of one array"
            + (
                ": the update writes in place, so that a step on one also moves the other."
                if harmful
                else "."
            ),
            "Give each parameter its own array, with .copy(), unless they are meant to be tied.",
            "shared-parameters",
        )
    ]


def _moves_together(guard, names):
    """Say whether the user's update gives shared arrays another result than separate ones."""
    if guard.problem.update is None:
        return False
    grads = {name: np.ones(value.shape) * (i + 1) for i, (name, value) in enumerate(guard.params().items())}
    rate = guard.problem.learning_rate or 1.0
    try:
        apart = guard.update(guard.params(), grads, rate)
        guard.reset_update()
        together = guard.update_shared(grads, rate)
    except UserFunctionError:
        return False
    finally:
        guard.reset_update()
    return any(not np.array_equal(apart[name], together[name]) for name in names)
