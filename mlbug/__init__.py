"""Checks for learning programs, in pure numpy."""

from .problem import Guard, Problem, ProblemError, UserFunctionError, as_guard
from .report import Finding, Report

__all__ = [
    "Finding",
    "Guard",
    "Problem",
    "ProblemError",
    "Report",
    "UserFunctionError",
    "as_guard",
]
__version__ = "0.1.0"
