"""A correct program fits one example, and then a handful."""

import numpy as np

from .example_fit import Judge, chosen_rows, one_by_one
from .fitting import minimize
from .guard import UserFunctionError
from .handful import handful
from .penalty import penalty_faults
from .probing import finite, perturbed
from .problem import as_guard
from .report import Finding
from .score_agreement import TWICE, Agreement
from .scoring import is_classification

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
        judge = Judge(bare)
        if judge.kind is None:
            return [_by_loss_alone(bare), *_penalty(guard)]
        one = _one_example(bare, judge)
        several = handful(bare, judge) if one.status == "ok" else []
        return [one, *several, *_softmax_twice(bare, one), *_penalty(guard)]
    except UserFunctionError as error:
        text = f"The program does not run on a few examples: {error}."
        return [Finding("tiny-dataset", "skipped", meaning=text)]


def _one_example(guard, judge):
    results = []
    for row in chosen_rows(guard, 4):
        one = guard.take(guard.problem.train, slice(row, row + 1))
        fit = minimize(guard, one, steps=60)
        misfit = judge.misfit(fit.params, one) if finite(fit.params) else np.inf
        results.append((misfit, row, fit))
        if misfit < 0.1:
            text = (
                f"One example (row {row}) is fitted: the loss falls from {fit.losses[0]:.3g} to "
                f"{fit.losses[-1]:.3g}."
            )
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
    fell = fit.losses[-1] < 0.3 * fit.losses[0] and fit.losses[0] > 0
    if fell and one_by_one(guard):
        text += (
            f"The loss does fall, from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}: "
            "it asks for something else than the target."
        )
        step = "Compare how loss and scores use the target."
        return Finding("tiny-dataset", "fault", ("targets",), evidence, text, step, "wrong-goal")
    restarts = [] if fell else _restarts(guard, judge, row)
    evidence["misfit from other starts"] = restarts
    if restarts and min(restarts) > 0.1 and fit.reason == "converged" and one_by_one(guard):
        text += (
            f"The loss stops at {fit.losses[-1]:.3g}, from three other starts too: the target is out "
            "of reach."
        )
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


def _softmax_twice(guard, one):
    """Report a loss that is the log loss of a softmax of probabilities, which cannot come near zero."""
    if not is_classification(guard, guard.problem.train):
        return []
    classes = guard.scores(guard.params(), guard.inputs_of(guard.problem.train)).shape[1]
    floor = float(np.log(np.e + classes - 1.0) - 1.0)
    lowest = one.evidence["losses"][-1]
    through_scores = Agreement(guard, guard.problem.train).holds() == TWICE
    if not through_scores and not abs(lowest - floor) < 0.01 * floor:
        return []
    text = (
        f"One example brings the loss down to {lowest:.4g} and no further: {floor:.4g} is the least that "
        "a softmax of a softmax allows."
    )
    step = "Give the loss the scores before the softmax, or take its second softmax away."
    evidence = {"loss": lowest, "floor": floor}
    return [Finding("tiny-dataset", "fault", (), evidence, text, step, "softmax-twice")]


def _by_loss_alone(guard):
    if not one_by_one(guard):
        text = (
            "The loss of a batch is not made of the losses of its examples, and there are no scores "
            "to judge by."
        )
        return Finding("tiny-dataset", "skipped", meaning=text)
    batch = guard.take(guard.problem.train, slice(0, 1))
    fit = minimize(guard, batch, steps=60)
    evidence = {"losses": [fit.losses[0], fit.losses[-1]], "end": fit.reason}
    if len(fit.losses) > 1:
        text = (
            f"The loss of one example falls from {fit.losses[0]:.3g} to {fit.losses[-1]:.3g}; without "
            "scores no more can be said."
        )
        return Finding("tiny-dataset", "ok", (), evidence, text, "", "one-example")
    text = (
        f"The loss of one example stays at {fit.losses[0]:.3g}: no step along the negative gradient "
        "lowers it."
    )
    return Finding("tiny-dataset", "suspect", (), evidence, text, "Check the gradient.", "one-example")


def _penalty(guard):
    """Repeat the finding on the regularizer, which is switched off here."""
    if guard.problem.regularizer is None:
        return []
    found = penalty_faults(guard)
    return [
        Finding("tiny-dataset", f.status, f.where, f.evidence, f.meaning, f.next_step, f.kind) for f in found
    ]
