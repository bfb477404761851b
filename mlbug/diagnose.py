"""Run all checks on a program, in the order in which a person would ask."""

import dataclasses
import importlib

import numpy as np

from .guard import Guard, UserFunctionError
from .problem import as_problem
from .report import CHECKS, Finding, Report

BLOCKING = ("loss", "grad")


def diagnose(problem, seed=0, *, checks=CHECKS, time_limit=10.0, progress=None):
    """Find out what is wrong with a learning program.

    Parameters
    ----------
    problem : Problem or dict
        The program, or the fields of `Problem`.
    seed : int, optional
        Seed of every random choice: equal seeds give equal reports.
    checks : iterable of str, optional
        Which checks to run; all by default. They run in the course's order.
    time_limit : float, optional
        Seconds that one call of a user's function may take.
    progress : callable, optional
        Called with the name of each check before it runs.

    Returns
    -------
    Report

    Raises
    ------
    ProblemError
        If the problem cannot be built.
    ValueError
        If a check is unknown.
    """
    wanted = [checks] if isinstance(checks, str) else list(checks)
    unknown = [name for name in wanted if name not in CHECKS]
    if unknown:
        raise ValueError(f"no check is called {unknown[0]!r}; there are {', '.join(CHECKS)}")
    guard = Guard(as_problem(problem), seed=seed, time_limit=time_limit)
    findings, reason, still = [], None, ()
    for name in CHECKS:
        if name not in wanted and name != "setup":
            continue
        if reason is not None and name not in still:
            findings.append(Finding(name, "skipped", meaning=f"Not run, because {reason}."))
            continue
        if progress is not None:
            progress(name)
        found = run_check(name, guard)
        if name == "setup":
            guard, reason, still = _usable(guard, found)
        if name in wanted or reason is not None:
            findings += found
    return Report(findings)


def run_check(name, guard):
    """Run one check by its name and return its findings.

    A function of the user's that fails on the way, at other parameters or another batch than its own,
    makes the check skip; failing on its own data is the setup check's matter.
    """
    module = name.replace("-", "_")
    check = getattr(importlib.import_module(f".{module}", __package__), f"check_{module}")
    try:
        with np.errstate(all="ignore"):  # the checks look at the numbers themselves
            return list(check(guard, seed=guard.seed))
    except UserFunctionError as error:
        return [Finding(name, "skipped", meaning=f"The check could not go on: {error}.")]


def _usable(guard, findings):
    """Return a guard without the optional functions that fail, why checks cannot run, and which still can."""
    broken = {f.evidence["function"] for f in findings if f.kind == "user-function"}
    if any(name in broken for name in BLOCKING):
        return guard, f"`{next(name for name in BLOCKING if name in broken)}` fails", ()
    if any(f.kind == "not-finite" and not f.evidence.get("finite loss") for f in findings):
        return guard, "the loss is not finite from the start", ("data", "activations")
    if broken:
        problem = dataclasses.replace(guard.problem, **dict.fromkeys(broken))
        guard = Guard(problem, seed=guard.seed, time_limit=guard.time_limit)
    return guard, None, ()
