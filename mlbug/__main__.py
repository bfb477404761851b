"""Diagnose a program from the command line: ``python -m mlbug FILE.py[:NAME]``."""

import argparse
import importlib.util
import sys
from pathlib import Path

from .diagnose import diagnose
from .problem import ProblemError, as_problem
from .report import CHECKS
from .report_html import page

COULD_NOT_RUN = 2


def main(arguments=None):
    """Diagnose the problem that a Python file describes.

    Parameters
    ----------
    arguments : list of str, optional
        Command line; that of the process by default.

    Returns
    -------
    int
        0 if no fault was found, 1 if one was, 2 if the check could not run.
    """
    options = _parser().parse_args(arguments)
    try:
        problem = load(options.file)
        report = diagnose(
            problem,
            seed=options.seed,
            checks=options.check or CHECKS,
            time_limit=options.time_limit,
            progress=None if options.quiet else _progress,
        )
    except (ProblemError, LoadError) as error:
        print(f"mlbug: {error}", file=sys.stderr)
        return COULD_NOT_RUN
    finally:
        _end_progress()
    if options.json:
        print(report.to_json())
    elif options.html:
        print(page(report, f"mlbug: {options.file}"), end="")
    else:
        print(report)
    return 1 if report.faults else 0


class LoadError(Exception):
    """The file cannot be read, run, or holds no problem: the message says which."""


def load(target):
    """Return the problem that ``FILE.py`` or ``FILE.py:NAME`` describes.

    The file holds a module-level name, ``problem`` unless another is given: a `Problem`, a dict of its
    fields, or a function without arguments that returns either.

    Parameters
    ----------
    target : str
        Path, and after a colon the name.

    Returns
    -------
    Problem

    Raises
    ------
    LoadError
        If there is no such file or name, or running the file fails.
    ProblemError
        If what the name stands for is no problem.
    """
    path, name = _split(target)
    module = _run(path)
    if not hasattr(module, name):
        raise LoadError(f"{path} has no `{name}`: define it, or name another as {path}:NAME")
    value = getattr(module, name)
    if callable(value):
        try:
            value = value()
        except (Exception, SystemExit) as error:
            raise LoadError(f"{name}() in {path} raised {type(error).__name__}: {error}") from error
    return as_problem(value)


def _split(target):
    path, colon, name = target.rpartition(":")
    return (path, name) if colon and name.isidentifier() else (target, "problem")


def _run(path):
    if not Path(path).is_file():
        raise LoadError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location("mlbug_program", path)
    if spec is None:
        raise LoadError(f"{path} is no Python file: its name has to end in .py")
    module = importlib.util.module_from_spec(spec)
    folder = str(Path(path).resolve().parent)
    sys.path.insert(0, folder)  # as when Python runs the file itself
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise LoadError(f"running {path} raised {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
    return module


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m mlbug",
        description="Find out what is wrong with a learning program.",
        epilog="Exit status: 0 no fault, 1 a fault, 2 the check could not run.",
    )
    parser.add_argument(
        "file", metavar="FILE.py[:NAME]", help="file with a `problem`, or another NAME, in it"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the report as JSON")
    form.add_argument("--html", action="store_true", help="print the report as an HTML page")
    parser.add_argument(
        "--check",
        action="append",
        choices=CHECKS,
        metavar="NAME",
        help=f"run this check alone, again for more: {', '.join(CHECKS)}",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (default: 0)")
    parser.add_argument(
        "--time-limit",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="for one call of a function (default: 10)",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _progress(name):
    """Show on stderr which check runs; on a terminal in one line that is overwritten."""
    if sys.stderr.isatty():
        print(f"\r\033[K{name} ...", end="", file=sys.stderr, flush=True)
    else:
        print(f"mlbug: {name}", file=sys.stderr, flush=True)


def _end_progress():
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
