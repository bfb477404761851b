"""Identify the update law that really ran, and say where it departs from descent."""

import numpy as np

from .problem import as_guard
from .report import Finding
from .update_identify import identify
from .update_kinds import KINDS
from .update_rate import check_accumulation, check_rate
from .update_record import Step, record, shared_arrays, streams_of
from .update_verdict import UpdateLaw, judge, soften

__all__ = ["UpdateLaw", "check_updates", "identify_update_law"]


def identify_update_law(steps):
    """Identify by which law each parameter moved.

    Fits gradient descent, momentum in both conventions, Nesterov, weight decay (in the gradient and
    decoupled), sign descent, RMSprop, Adagrad, Adam and its relatives, clipping, and rates that change
    by step or by element; where none explains the moves down to rounding, tries what else may have taken
    the gradient's place (the book's equation 11.4: a bias that falls by a fixed amount).

    Parameters
    ----------
    steps : iterable of tuple
        ``(before, gradient, after)`` or ``(before, gradient, after, learning_rate)`` of successive steps
        of an optimizer from its start: dicts of arrays by parameter name, and the rate as a float. At
        least four; a dozen tells all laws apart.

    Returns
    -------
    dict of str to UpdateLaw
        By parameter: name of the law, its constants, residual, and what departs.

    Raises
    ------
    ValueError
        If there are fewer than four steps, or names or shapes differ between them.
    """
    steps = [step if isinstance(step, Step) else Step(*step) for step in steps]
    if len(steps) < 4:
        raise ValueError(f"steps: at least 4 are needed to tell laws apart, but {len(steps)} came")
    shapes = {name: np.shape(value) for name, value in steps[0].before.items()}
    for k, step in enumerate(steps):
        for field in ("before", "gradient", "after"):
            came = {name: np.shape(value) for name, value in getattr(step, field).items()}
            if came != shapes:
                raise ValueError(f"steps[{k}].{field}: the arrays {shapes} were expected, but {came} came")
    steps = [
        Step(
            *({n: np.asarray(v) for n, v in getattr(s, f).items()} for f in ("before", "gradient", "after")),
            s.rate,
        )
        for s in steps
    ]
    stated = None if steps[0].rate is None else float(steps[0].rate)
    return _identify(steps, stated)


def _identify(steps, learning_rate):
    streams, eps = streams_of(steps)
    shapes = {name: np.shape(value) for name, value in steps[0].before.items()}
    plain = {name: _plain_departure(name, steps, streams[name], eps[name]) for name in streams}
    rest = {name: stream for name, stream in streams.items() if not plain[name]}
    with np.errstate(all="ignore"):
        laws = judge(identify(rest, shapes, eps), streams, learning_rate)
    laws = soften(laws, {name: shapes[name] for name in laws})
    return {name: laws.get(name) or UpdateLaw("none", {}, 1.0, plain[name]) for name in streams}


def _plain_departure(name, steps, stream, eps):
    """Name what shows without any fit; empty if nothing does."""
    if not np.isfinite(stream.move).all():
        return "non-finite"
    after = stream.before + stream.move
    whole = np.array_equal(after, np.round(after))
    cut = whole and not np.array_equal(stream.before[0], np.round(stream.before[0]))
    if steps[0].after[name].dtype.kind in "iu" or cut:
        return "integer"
    if np.any(stream.move) or not np.any(stream.gradient):
        return ""
    small = np.abs(stream.rate[:, None] * stream.gradient) <= 2.0 * eps * np.abs(stream.before)
    return "rounding" if np.all(small | (stream.gradient == 0)) else "never-moves"


def check_updates(problem, seed=0):
    """Check that the update rule follows its gradient, by the law and at the rate that the program states.

    The rule is run from a fresh start on minibatches of the training data; its law is identified and
    judged block by block. A rate that makes the loss explode and gradients that add up between calls are
    found too, also where the program has no rule of its own and plain gradient descent is meant.

    Parameters
    ----------
    problem : Problem or Guard
        The program under test.
    seed : int, optional
        Seed of the minibatches.

    Returns
    -------
    list of Finding
        ``skipped`` where `update` is missing, or is a whole step of an algorithm (no `learning_rate`).
    """
    guard = as_guard(problem, seed)
    findings = check_accumulation(guard)
    if guard.problem.learning_rate is None or guard.problem.update is None:
        why = (
            "no `update`" if guard.problem.update is None else "no `learning_rate`: `update` is a whole step"
        )
        findings.append(
            Finding("updates", "skipped", meaning=f"The program has {why}, so there is no law to identify.")
        )
    else:
        findings += _check_law(guard, seed)
    if not any(finding.status == "fault" for finding in findings):
        findings += check_rate(guard, seed)
    return findings


def _check_law(guard, seed):
    steps, silent = record(guard, seed)
    laws = _identify(steps, guard.problem.learning_rate)
    for name, value in steps[0].after.items():
        coarser = np.finfo(value.dtype).eps if value.dtype.kind == "f" else 0.0
        if (
            not laws[name].kind
            and coarser > np.finfo(np.result_type(guard.problem.params[name], np.float16)).eps
        ):
            laws[name] = UpdateLaw(laws[name].law, laws[name].constants, laws[name].residual, "precision")
    findings = [
        _finding("aliased", (a,) if b == "grads" else (a, b), {}, f"the new {a} and {b}")
        for a, b in shared_arrays(guard)
    ]
    groups = {}
    for name, law in laws.items():
        key = (law.kind, law.source) if law.kind else (law.law,)
        groups.setdefault(key, []).append(name)
    for names in groups.values():
        law = laws[names[0]]
        evidence = {name: str(laws[name]) for name in names}
        if quiet := [name for name in names if name in silent]:
            evidence["gradient zero, rule tried with an invented one"] = ", ".join(quiet)
        if law.kind:
            findings.append(_finding(law.kind, names, evidence, law.source, law))
        else:
            text = f"{', '.join(names)}: {law.law}, exact to {max(laws[n].residual for n in names):.0e}."
            findings.append(Finding("updates", "ok", tuple(names), evidence, text, kind="law"))
    return findings


def _finding(kind, where, evidence, source="", law=None):
    status, meaning, next_step = KINDS[kind]
    factor = ""
    if law is not None:
        factor = (
            f"{law.residual:.2g}"
            if kind == "unknown"
            else f"{float(np.mean(law.constants.get('rate', 1.0))):.6g}"
        )
    names = {"where": ", ".join(where), "source": source, "factor": factor}
    return Finding(
        "updates", status, tuple(where), evidence, meaning.format(**names), next_step.format(**names), kind
    )
