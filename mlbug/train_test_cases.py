"""The four cases of low and high training and test error."""

import numpy as np

from .report import Finding
from .scoring import baseline_error, errors, is_classification

MEANINGS = {
    ("low", "low"): "Training and test error are both low: what was learned holds for new data.",
    ("low", "high"): (
        "The training error is low and the test error high. Either the program has learned its "
        "examples by heart, "
        "or it is faulty where it is judged: test data prepared in another way, or a model badly restored."
    ),
    ("high", "high"): (
        "Training and test error are both high: the program underfits, was trained too little, or is faulty."
    ),
    ("high", "low"): (
        "The training error is higher than the test error. The two are measured differently "
        "(regularization on in "
        "one alone), or the test data are easier or partly known from training."
    ),
}
STEPS = {
    ("low", "low"): "",
    (
        "low",
        "high",
    ): "Compare the error on training rows sent down the test path, then on more training data.",
    ("high", "high"): "Fit one example, then a handful; if that fails the program is faulty.",
    (
        "high",
        "low",
    ): "Compute both errors by one function, with regularization off, and look for shared rows.",
}


def four_cases(guard, fit):
    """Name the case that the two errors make, relative to the best constant answer.

    Low means below half the error of always answering the commonest class, or the mean. The case itself
    is no fault: a correct program may be in any of the four.
    """
    train, test = guard.problem.train, guard.problem.test
    if test is None:
        return [Finding("train-test", "skipped", meaning="There are no test data to compare with.")]
    classes = is_classification(guard, train)
    if guard.problem.scores is not None:
        pair = [errors(guard, fit.params, batch, classes) for batch in (train, test)]
        guesses = [baseline_error(train, b, classes) for b in (train, test)] if pair[0] is not None else None
    else:
        pair = [None, None]
    if pair[0] is None or pair[1] is None or min(guesses) <= 0.0:
        return _by_loss(guard, fit)
    values = [float(np.mean(e)) for e in pair]
    levels = tuple("low" if v < 0.5 * g else "high" for v, g in zip(values, guesses, strict=True))
    evidence = {"training error": values[0], "test error": values[1], "error of a constant answer": guesses}
    gap = _gap(pair)
    if levels == ("low", "high") and gap < 4.0:
        levels = ("low", "low") if values[1] < 0.8 * guesses[1] else levels
    if levels == ("high", "low") and gap > -4.0:
        levels = ("high", "high")
    status = "ok" if levels == ("low", "low") else "suspect"
    text = MEANINGS[levels]
    if levels == ("high", "high") and _still_falling(fit):
        status = "ok"
        text = (
            f"Both errors are high, but after {len(fit.losses) - 1} steps the loss is still falling: "
            "too early to say."
        )
    elif levels == ("high", "high") and values[0] < 0.8 * guesses[0]:
        status, text = (
            "ok",
            "Something is learned, though both errors stay high: noise, or a model too small.",
        )

    text += f" (training {values[0]:.3g}, test {values[1]:.3g}, constant answer {guesses[1]:.3g})"
    kind = f"train-{levels[0]}-test-{levels[1]}"
    return [Finding("train-test", status, (), evidence, text, STEPS[levels], kind)]


def _still_falling(fit):
    """Say whether the last tenth of the run lowered the loss by a hundredth of all that it was lowered."""
    tenth = max(len(fit.losses) // 10, 1)
    return fit.losses[-1 - tenth] - fit.losses[-1] > 0.01 * (fit.losses[0] - fit.losses[-1]) > 0.0


def _gap(pair):
    """Return test minus training error in standard errors."""
    train, test = pair
    variance = train.var() / len(train) + test.var() / len(test)
    return float((test.mean() - train.mean()) / np.sqrt(variance + 1e-300))


def _by_loss(guard, fit):
    losses = [guard.loss(fit.params, batch) for batch in (guard.problem.train, guard.problem.test)]
    evidence = {"training loss": losses[0], "test loss": losses[1], "start": fit.losses[0]}
    if losses[1] > fit.losses[0] > losses[0]:
        text = (
            f"The training loss falls from {fit.losses[0]:.3g} to {losses[0]:.3g}, but on test data it "
            f"is {losses[1]:.3g}."
        )
        return [
            Finding(
                "train-test", "suspect", (), evidence, text, STEPS[("low", "high")], "train-low-test-high"
            )
        ]
    text = (
        f"The loss goes from {fit.losses[0]:.3g} to {losses[0]:.3g} in training; on test data it is "
        f"{losses[1]:.3g}."
    )
    return [Finding("train-test", "ok", (), evidence, text, "", "losses")]
