"""Check that a program's gradient is the gradient of its loss, and name what is wrong with it."""

import math

from .gradient_findings import findings_of
from .gradient_trial import BlockResult, GradientVerdict, gradient_verdict
from .guard import UserFunctionError
from .problem import as_guard
from .report import Finding

__all__ = ["BlockResult", "GradientVerdict", "check_gradients", "gradient_verdict"]


def check_gradients(problem, seed=0):
    """Check the gradient of a program against its loss.

    Parameters
    ----------
    problem : Problem, Guard or dict
        The program.
    seed : int, optional
        Seed of the directions along which slopes are compared.

    Returns
    -------
    list of Finding
        Faults first, the one nearest to the root at the top; at the end what is right, with the smallest
        error that could have been missed.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, section 11.5, pp. 438-440.
    """
    guard = as_guard(problem, seed)
    try:
        verdict = gradient_verdict(guard, seed)
    except UserFunctionError as error:
        return [_cannot_run(error)]
    if verdict.accumulating:
        return [_accumulating(verdict)]
    if not math.isfinite(verdict.start_loss):
        text = (
            f"The loss is {verdict.start_loss} at the start: there is no slope to compare the gradient with."
        )
        return [
            Finding("gradients", "skipped", (), {}, text, "Make the loss finite first.", "loss-not-finite")
        ]
    if verdict.random == "not-deterministic":
        text = "Equal calls of loss or gradient give different values, so that no gradient can be judged."
        step = "Draw random numbers from a generator that the function makes itself, from a fixed seed."
        return [Finding("gradients", "suspect", (), {}, text, step, "not-deterministic")]
    return findings_of(verdict)


def _cannot_run(error):
    status = "fault" if error.function == "grad" else "skipped"
    step = "Repair the function first." if status == "fault" else ""
    return Finding(
        "gradients", status, error.where, {}, f"The gradient cannot be judged: {error}.", step, "cannot-run"
    )


def _accumulating(verdict):
    names = tuple(verdict.accumulating)
    text = (
        f"The gradient of {', '.join(names)} grows by the same amount at every call with the same "
        f"arguments: it is "
        "added to what earlier calls left."
    )
    step = "Set the gradient to zero at the start of each call."
    return Finding("gradients", "fault", names, {"calls compared": 3}, text, step, "accumulates")
