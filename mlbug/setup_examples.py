"""Questions on how loss and scores depend on the examples."""

import numpy as np

from .probing import attempt, first_rows, perturbed, rounding
from .report import Finding
from .scoring import is_classification


def example_independence(guard):
    """Exchange all other examples and look whether an example's score stays."""
    if guard.problem.scores is None:
        return []
    rng = np.random.default_rng(guard.seed)
    params = perturbed(guard.params(), rng)
    batch = first_rows(guard.problem.train, 60)
    worst = _dependence(guard, guard.scores, params, batch)
    if worst is None:
        return []
    if worst <= _independence_tolerance(params):
        text = "Each example's score depends on that example alone."
        return [Finding("setup", "ok", (), {"largest change": worst}, text, "", "independent-examples")]
    layers = _dependent_layers(guard, params, batch)
    place = f" The first layer that does is {layers[0]}." if layers else ""
    return [
        Finding(
            "setup",
            "fault",
            (*layers[:1], "inputs"),
            {"largest change of a score": worst},
            f"The score of an example changes by {worst:.1e} of its size when only the other examples of the "
            f"batch change.{place}",
            "Look for an average, a reshape or a sum over the first axis on the way to the scores; batch "
            "normalization has to use stored statistics here.",
            "examples-mix",
        )
    ]


def _independence_tolerance(params):
    return 1e6 * rounding(params)


def _dependence(guard, function, params, batch):
    """Return the largest relative change of the first half's rows when the other half is exchanged."""
    n = len(batch[0])
    half = n // 2
    if half < 1:
        return None
    inputs = guard.inputs_of(batch)
    whole = attempt(function, params, inputs)
    # first half alone, one row alone, first half beside itself reversed
    others = [slice(0, half), slice(0, 1), np.r_[0:half, half - 1 : -1 : -1] if half > 1 else slice(0, 1)]
    changes = []
    for index in others:
        part = attempt(function, params, guard.inputs_of(guard.take(batch, index)))
        if whole is None or part is None:
            continue
        rows = min(half, len(part))
        scale = max(float(np.abs(whole).max()), 1e-300)
        changes.append(float(np.abs(part[:rows] - whole[:rows]).max()) / scale)
    return max(changes) if changes else None


def _dependent_layers(guard, params, batch):
    if guard.problem.activations is None:
        return []
    layers = attempt(guard.activations, params, guard.inputs_of(batch))
    found = []
    for name in layers or {}:
        change = _dependence(guard, lambda p, x, name=name: guard.activations(p, x)[name], params, batch)
        if change is not None and change > _independence_tolerance(params):
            found.append(name)
    return found


def input_dependence(guard):
    """Look whether different inputs ever get different scores."""
    if guard.problem.scores is None:
        return []
    rng = np.random.default_rng(guard.seed)
    inputs = guard.inputs_of(guard.problem.train)
    if not _differ(inputs):
        return []
    spreads = []
    for params in (guard.params(), *(perturbed(guard.params(), rng, size) for size in (0.3, 1.0, 1.0))):
        scores = attempt(guard.scores, params, inputs)
        if scores is None:
            continue
        scale = max(float(np.abs(scores).max()), 1e-300)
        spreads.append(float(np.ptp(scores, axis=0).max()) / scale)
    if not spreads or not max(spreads) <= 1e2 * rounding(guard.params()):
        text = "The scores depend on the inputs."
        return [Finding("setup", "ok", (), {"spread of scores": spreads}, text, "", "reads-inputs")]
    return [
        Finding(
            "setup",
            "fault",
            ("inputs",),
            {"spread of scores": spreads},
            "All inputs get the same score, at the start and at random parameters too: the program does not "
            "read its input, or nothing of it reaches the output.",
            "Follow one example through the forward pass and find where it stops making a difference.",
            "ignores-inputs",
        )
    ]


def _differ(inputs):
    arrays = inputs if isinstance(inputs, tuple) else (inputs,)
    return any(len(array) > 1 and bool((array != array[:1]).any()) for array in arrays)


def start_loss(guard):
    """Compare the loss of a k-class classifier at the start with log k."""
    if guard.problem.scores is None or not is_classification(guard, guard.problem.train):
        return []
    batch = guard.problem.train
    scores = guard.scores(guard.params(), guard.inputs_of(batch))
    k = scores.shape[1]
    bare = guard.without_regularizer() if guard.problem.regularizer is not None else guard
    loss = bare.loss(guard.params(), batch)
    evidence = {"start loss": loss, "log k": float(np.log(k)), "classes": k}
    text = f"The loss starts at {loss:.3g}; guessing among {k} classes costs log {k} = {np.log(k):.3g}."
    if loss > 4.0 * np.log(k) + 2.0:
        text += " The program starts out sure of wrong answers."
        step = "Start the last layer with smaller weights, and see that the loss is a mean."
        return [Finding("setup", "suspect", (), evidence, text, step, "start-loss")]
    return [Finding("setup", "ok", (), evidence, text, "", "start-loss")]
