"""Assertions for a test suite: each runs a check and fails with what an expert would say.

Use them in pytest or unittest::

    from mlbug.testing import assert_gradient, assert_update_law

    def test_gradient():
        assert_gradient(problem())

    def test_optimizer():
        assert_update_law(problem(), law="Adam", beta1=0.9, beta2=0.999)
"""

from .diagnose import diagnose, run_check
from .problem import Guard, as_guard
from .report import CHECKS, Report
from .update_record import record
from .updates import identify_update_law

__all__ = ["assert_fits_one_example", "assert_gradient", "assert_no_fault", "assert_update_law"]


def assert_no_fault(problem, check=None, seed=0, strict=False):
    """Fail if a check, or any check, finds a fault.

    Parameters
    ----------
    problem : Problem, Guard or dict of fields
        The program under test.
    check : str, optional
        Name of a check, such as ``"gradients"`` or ``"train-test"``; all of them by default.
    seed : int, optional
        Seed of all random choices.
    strict : bool, optional
        Whether a suspicion fails as well.

    Raises
    ------
    AssertionError
        If there is a fault, or if the named check could not be made at all.
    ValueError
        If there is no check of this name.
    """
    if check is not None and check not in CHECKS:
        raise ValueError(f"check: one of {', '.join(CHECKS)} was expected, but {check!r} came")
    if check is None:
        findings = diagnose(problem.problem if isinstance(problem, Guard) else problem, seed).findings
    else:
        findings = run_check(check, as_guard(problem, seed))
    bad = [f for f in findings if f.status == "fault" or (strict and f.status == "suspect")]
    if bad:
        raise AssertionError(f"{_count(bad)} in {check or 'the program'}:\n\n{Report(bad)}")
    if check is not None and all(f.status == "skipped" for f in findings):
        raise AssertionError(f"{check} could not be checked:\n\n{Report(findings)}")


def assert_gradient(problem, seed=0):
    """Fail if the gradient is not that of the loss; the message names the block and the likely mistake.

    Parameters
    ----------
    problem : Problem, Guard or dict of fields
        The program under test.
    seed : int, optional
        Seed of the directions.

    Raises
    ------
    AssertionError
        If the gradient check finds a fault.
    """
    assert_no_fault(problem, "gradients", seed)


def assert_fits_one_example(problem, seed=0):
    """Fail if the program cannot fit one training example, then a handful, with its regularizer off.

    Parameters
    ----------
    problem : Problem, Guard or dict of fields
        The program under test.
    seed : int, optional
        Seed of the choice of examples.

    Raises
    ------
    AssertionError
        If the tiny-dataset check finds a fault.
    """
    assert_no_fault(problem, "tiny-dataset", seed)


def assert_update_law(subject, law=None, where=None, seed=0, rtol=1e-6, **constants):
    """Fail if the update rule departs from its gradient, or from the law that is expected.

    Parameters
    ----------
    subject : Problem, Guard, dict of fields, or list of steps
        The program under test, or recorded steps as `mlbug.identify_update_law` takes them.
    law : str, optional
        Name of the law expected, such as ``"momentum"`` or ``"Adam"``.
    where : iterable of str, optional
        Parameters that have to follow `law`; all by default.
    seed : int, optional
        Seed of the minibatches.
    rtol : float, optional
        Relative tolerance of the constants.
    **constants : float
        Constants expected, such as ``momentum=0.9`` or ``beta2=0.999``.

    Raises
    ------
    AssertionError
        If a parameter moves otherwise.
    """
    if isinstance(subject, (list, tuple)):
        laws = identify_update_law(subject)
    else:
        guard = as_guard(subject, seed)
        assert_no_fault(guard, "updates", seed)
        laws = identify_update_law(record(guard, seed)[0])
    wrong = []
    for name in laws if where is None else where:
        if name not in laws:
            raise ValueError(f"where: {name!r} is none of the parameters {', '.join(laws)}")
        found = laws[name]
        departs = found.kind not in ("", "rate-by-block", "no-correction")
        differs = law is not None and found.law != law
        off = [c for c, value in constants.items() if not _near(found.constants.get(c), value, rtol)]
        if departs or differs or off:
            wanted = ", ".join(f"{c} {value:g}" for c, value in constants.items())
            expected = f"{law or 'a law'}{f' ({wanted})' if wanted else ''}"
            wrong.append(f"{name}: {expected} was expected, but it moved by {found}")
    if wrong:
        raise AssertionError("the update rule is not the expected one:\n  " + "\n  ".join(wrong))


def _near(found, value, rtol):
    return isinstance(found, (int, float)) and abs(found - value) <= rtol * max(abs(value), 1e-300)


def _count(findings):
    return f"{len(findings)} fault{'s' if len(findings) > 1 else ''}"
