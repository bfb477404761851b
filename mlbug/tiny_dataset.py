"""A correct program fits one example, and then a handful."""

import numpy as np

from .fitting import minimize
from .guard import UserFunctionError
from .probing import finite, perturbed, rounding
from .problem import as_guard
from .report import Finding
from .scoring import is_classification, predictions
from .train_test import strong_penalty

HANDFUL = 6
NEXT = "Check the gradient, then follow this example through the forward pass by hand."


def check_tiny_dataset(problem, seed=0):
    """Fit one example, then a handful, with regularization off.

    The fit uses the program's loss and gradient and a minimizer of its own, so that neither learning
    rate nor update rule matter. Whether an example is fitted is read from the scores: the probability of
    its class, or the distance to its target.

    Parameters
    ----------
    problem : Problem or Guard
        The program.
    seed : int, optional
        Seed of the choice of examples.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    bare = guard.without_regularizer()
    try:
        if not np.isfinite(bare.loss(bare.params(), bare.problem.train)):
            return [
                Finding("tiny-dataset", "skipped", meaning="The loss is not finite: see the setup check.")
            ]
        judge = _Judge(bare)
        if judge.kind is None:
            return [_by_loss_alone(bare), *_penalty(guard)]
        one = _one_example(bare, judge)
        several = _handful(bare, judge) if one.status == "ok" else []
        return [one, *several, *_penalty(guard)]
    except UserFunctionError as error:
        text = f"The program does not run on a few examples: {error}."
        return [Finding("tiny-dataset", "skipped", meaning=text)]


class _Judge:
    """Says by the scores whether examples are fitted."""

    def __init__(self, guard):
        self.guard, batch = guard, guard.problem.train
        self.kind = None
        if is_classification(guard, batch):
            self.kind = "class"
        elif guard.problem.scores is not None and batch[-1].dtype.kind in "fiu":
            scores = guard.scores(guard.params(), guard.inputs_of(batch))
            if predictions(scores, batch[-1]) is not None:
                self.kind = "value"
                self.scale = max(float(np.std(batch[-1])), 1e-3 * float(np.abs(batch[-1]).max()), 1e-300)

    def misfit(self, params, batch):
        """Return the largest misfit over the examples: 1 - probability, or distance in spreads of the target."""
        scores = self.guard.scores(params, self.guard.inputs_of(batch))
        if self.kind == "class":
            labels = batch[-1].astype(int)
            return float(1.0 - scores[np.arange(len(labels)), labels].min())
        return float(np.abs(predictions(scores, batch[-1]) - batch[-1]).max()) / self.scale


def _chosen_rows(guard, count):
    """Return rows with inputs that are not zero, at random, and different from each other."""
    batch, rng = guard.problem.train, np.random.default_rng(guard.seed)
    order = rng.permutation(len(batch[0]))
    chosen, seen = [], set()
    for i in order:
        parts = [np.asarray(array[i]) for array in batch[: max(1, len(batch) - 1)]]
        key = b"".join(part.tobytes() for part in parts)
        empty = all(part.dtype.kind in "fiub" and not np.any(part) for part in parts)
        if key in seen or empty:
            continue
        seen.add(key)
        chosen.append(int(i))
        if len(chosen) == count:
            break
    return chosen or [0]


def _one_example(guard, judge):
    results = []
    for row in _chosen_rows(guard, 4):
        one = guard.take(guard.problem.train, slice(row, row + 1))
        fit = minimize(guard, one, steps=60)
        misfit = judge.misfit(fit.params, one) if finite(fit.params) else np.inf
        results.append((misfit, row, fit))
        if misfit < 0.1:
            text = f"One example (row {row}) is fitted: the loss falls from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}."
            evidence = {
                "row": row,
                "losses": [fit.losses[0], fit.losses[-1]],
                "misfit": misfit,
                "tried": len(results),
            }
            return Finding("tiny-dataset", "ok", (), evidence, text, "", "one-example")
    misfit, row, fit = min(results, key=lambda item: item[0])
    return _not_fitted(guard, judge, misfit, row, fit)


def _not_fitted(guard, judge, misfit, row, fit):
    grads = guard.grad(fit.params, guard.take(guard.problem.train, slice(row, row + 1)))
    silent = [name for name, value in grads.items() if not np.any(value)]
    evidence = {
        "row": row,
        "losses": [fit.losses[0], fit.losses[-1]],
        "misfit": misfit,
        "end": fit.reason,
        "zero gradient": silent,
    }
    what = (
        f"its class keeps a probability of {1.0 - misfit:.3g}"
        if judge.kind == "class"
        else f"the output stays {misfit:.2g} spreads away from the target"
    )
    text = f"Not one of four single examples can be fitted: in the best case (row {row}) {what}. "
    if fit.reason == "no-descent":
        text += "No step along the negative gradient lowers the loss: the gradient does not belong to it."
        return Finding("tiny-dataset", "fault", (), evidence, text, NEXT, "no-descent")
    if len(silent) == len(grads):
        text += "All gradients are zero: nothing of the error reaches any parameter."
        return Finding(
            "tiny-dataset", "fault", tuple(silent), evidence, text, "See the activations.", "no-gradient"
        )
    floor = _double_softmax(guard, fit.losses[-1]) if judge.kind == "class" else None
    if floor is not None:
        text += f"The loss ends at {floor:.4g}, the least that a softmax of a softmax allows."
        step = "Give the loss the scores before the softmax, or take its second softmax away."
        return Finding("tiny-dataset", "fault", (), evidence, text, step, "softmax-twice")
    fell = fit.losses[-1] < 0.3 * fit.losses[0] and fit.losses[0] > 0
    if fell and _one_by_one(guard):
        text += (
            f"The loss does fall, from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}: "
            "it asks for something else than the target."
        )
        step = "Compare how loss and scores use the target."
        return Finding("tiny-dataset", "fault", ("targets",), evidence, text, step, "wrong-goal")
    restarts = [] if fell else _restarts(guard, judge, row)
    evidence["misfit from other starts"] = restarts
    if restarts and min(restarts) > 0.1 and fit.reason == "converged" and _one_by_one(guard):
        text += f"The loss stops at {fit.losses[-1]:.3g}, from three other starts too: the target is out of reach."
        step = (
            "See whether the range of the last layer holds the target, and whether every path is connected."
        )
        return Finding("tiny-dataset", "fault", (), evidence, text, step, "out-of-reach")
    return Finding("tiny-dataset", "suspect", (), evidence, text.strip(), NEXT, "one-example")


def _restarts(guard, judge, row):
    rng, one = np.random.default_rng(guard.seed), guard.take(guard.problem.train, slice(row, row + 1))
    found = []
    for size in (0.5, 1.0, 1.0):
        fit = minimize(guard, one, perturbed(guard.params(), rng, size), steps=60)
        found.append(judge.misfit(fit.params, one) if finite(fit.params) else np.inf)
    return found


def _one_by_one(guard):
    """Say whether the loss of a batch is made of the losses of its examples (batch normalization's is not)."""
    few = guard.take(guard.problem.train, slice(0, 4))
    whole = guard.loss(guard.params(), few)
    single = [guard.loss(guard.params(), guard.take(few, slice(i, i + 1))) for i in range(len(few[0]))]
    tolerance = 1e6 * rounding(guard.params()) * max(abs(whole), *map(abs, single))
    return abs(np.mean(single) - whole) <= tolerance or abs(np.sum(single) - whole) <= tolerance


def _double_softmax(guard, loss):
    scores = guard.scores(guard.params(), guard.inputs_of(guard.problem.train))
    floor = float(np.log(np.e + scores.shape[1] - 1.0) - 1.0)
    return floor if abs(loss - floor) < 0.02 * floor else None


def _handful(guard, judge):
    """Fit a few examples; a program that cannot may be too small, so that this is no fault by itself."""
    rows = np.array(_chosen_rows(guard, HANDFUL))
    batch = guard.take(guard.problem.train, rows)
    if len(rows) < 2 or not (batch[-1] != batch[-1][:1]).any():
        return []
    fit = minimize(guard, batch, steps=150)
    misfit = judge.misfit(fit.params, batch)
    evidence = {"rows": rows.tolist(), "losses": [fit.losses[0], fit.losses[-1]], "misfit": misfit}
    text = f"{len(rows)} examples together: the loss goes from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}"
    if misfit < 0.3:
        return [Finding("tiny-dataset", "ok", (), evidence, text + ", and all are fitted.", "", "handful")]
    answers = guard.scores(fit.params, guard.inputs_of(batch))
    spread = float(np.ptp(answers, axis=0).max())
    alike = spread < (0.02 if judge.kind == "class" else 0.02 * judge.scale)
    text += "; they get one answer all the same." if alike else ", and they are not all fitted."
    if alike and fit.reason in ("converged", "no-descent"):
        step = "See whether targets stay with their inputs in the loss, and whether the input reaches the output."
        return [Finding("tiny-dataset", "fault", ("targets",), evidence, text, step, "one-answer")]
    step = "A small model may be unable to; otherwise look at the examples that are left over."
    return [Finding("tiny-dataset", "ok", (), evidence, f"{text} {step}", "", "handful")]


def _by_loss_alone(guard):
    batch = guard.take(guard.problem.train, slice(0, 1))
    fit = minimize(guard, batch, steps=60)
    evidence = {"losses": [fit.losses[0], fit.losses[-1]], "end": fit.reason}
    if len(fit.losses) > 1:
        text = f"The loss of one example falls from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}; without scores no more can be said."
        return Finding("tiny-dataset", "ok", (), evidence, text, "", "one-example")
    text = f"The loss of one example stays at {fit.losses[0]:.3g}: no step along the negative gradient lowers it."
    return Finding("tiny-dataset", "suspect", (), evidence, text, "Check the gradient.", "one-example")


def _penalty(guard):
    """Repeat the finding on the regularizer, which is switched off here."""
    if guard.problem.regularizer is None:
        return []
    found = strong_penalty(guard)
    return [
        Finding("tiny-dataset", f.status, f.where, f.evidence, f.meaning, f.next_step, f.kind) for f in found
    ]
