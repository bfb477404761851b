"""Check that the functions of a program are what they claim to be, before anything is concluded from them."""

from .batch_scaling import batch_scaling
from .guard import UserFunctionError
from .problem import as_guard
from .report import Finding
from .setup_calls import argument_writes, repeatability, shared_memory
from .setup_examples import example_independence, input_dependence, start_loss
from .setup_values import integer_arrays, not_finite
from .symmetry import symmetric_units
from .target_pairing import target_pairing


def check_setup(problem, seed=0):
    """Check shapes, types, finiteness and the promises that every other check relies on.

    Looked for: functions that raise or return the wrong thing; NaN and infinity, and where they come
    from; integer arrays; a loss or scores that differ between equal calls; functions that write into
    their arguments; parameters that share memory; a loss that sums where the gradient averages;
    predictions and targets that broadcast against each other; a score that depends on other examples,
    or on no input at all; units that start alike and stay alike; a start loss far from log k.

    Parameters
    ----------
    problem : Problem or Guard
        The program.
    seed : int, optional
        Seed of the random points at which questions are asked.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    broken = _failing_functions(guard)
    if any(finding.evidence["function"] in ("loss", "grad") for finding in broken):
        return broken
    findings = broken + not_finite(guard)
    if findings:
        usable = not any(finding.status == "fault" for finding in findings)
        return findings if not usable else findings + _questions(guard)
    ran = Finding(
        "setup", "ok", meaning="All functions run; names, shapes and types fit, and all values are finite."
    )
    return [ran, *_questions(guard)]


def _questions(guard):
    questions = (
        integer_arrays,
        repeatability,
        argument_writes,
        shared_memory,
        batch_scaling,
        target_pairing,
        example_independence,
        input_dependence,
        symmetric_units,
        start_loss,
    )
    return [finding for question in questions for finding in question(guard)]


def _failing_functions(guard):
    """Call every function once as the program would, and report those that fail."""
    batch, params = guard.problem.train, guard.params()
    inputs = guard.inputs_of(batch)
    calls = {"loss": lambda: guard.loss(params, batch), "grad": lambda: guard.grad(params, batch)}
    if guard.problem.scores is not None:
        calls["scores"] = lambda: guard.scores(params, inputs)
    if guard.problem.activations is not None:
        calls["activations"] = lambda: guard.activations(params, inputs)
    if guard.problem.update is not None:
        calls["update"] = lambda: guard.update(
            params, guard.grad(params, batch), guard.problem.learning_rate or 1.0
        )
    findings = []
    for name, call in calls.items():
        try:
            call()
        except UserFunctionError as error:
            if name == "update" and error.function == "grad":
                continue
            findings.append(
                Finding(
                    "setup",
                    "fault",
                    error.where,
                    {"function": name},
                    f"The function {error}.",
                    f"Correct `{name}`: the other checks need it.",
                    "user-function",
                )
            )
    guard.reset_update()
    return findings
