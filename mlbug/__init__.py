"""Checks for learning programs, in pure numpy."""

from .finite_differences import (
    EXAMPLE_FUNCTIONS,
    best_step,
    centred_difference,
    complex_step,
    error_model,
    exact_step,
    forward_difference,
)
from .linear_model import best_weight, compensation, error_floor, linear_data, train_linear
from .problem import Guard, Problem, ProblemError, UserFunctionError, as_guard
from .report import Finding, Report
from .updates import UpdateLaw, check_updates, identify_update_law

__all__ = [
    "EXAMPLE_FUNCTIONS",
    "Finding",
    "Guard",
    "Problem",
    "ProblemError",
    "Report",
    "UpdateLaw",
    "UserFunctionError",
    "as_guard",
    "best_step",
    "best_weight",
    "centred_difference",
    "check_updates",
    "compensation",
    "complex_step",
    "error_floor",
    "error_model",
    "exact_step",
    "forward_difference",
    "identify_update_law",
    "linear_data",
    "train_linear",
]
__version__ = "0.1.0"
