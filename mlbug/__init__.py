"""Checks for learning programs, in pure numpy."""

from .activations import check_activations
from .data import check_data
from .diagnose import diagnose
from .finite_differences import (
    EXAMPLE_FUNCTIONS,
    best_step,
    centred_difference,
    complex_step,
    error_model,
    exact_step,
    forward_difference,
)
from .gradients import check_gradients, gradient_verdict
from .guarantees import check_guarantees
from .linear_model import best_weight, compensation, error_floor, linear_data, train_linear
from .problem import Guard, Problem, ProblemError, UserFunctionError, as_guard
from .report import Finding, Report
from .setup import check_setup
from .tiny_dataset import check_tiny_dataset
from .train_test import check_train_test
from .updates import UpdateLaw, check_updates, identify_update_law
from .worst_mistakes import check_worst_mistakes

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
    "check_activations",
    "check_data",
    "check_gradients",
    "check_guarantees",
    "check_setup",
    "check_tiny_dataset",
    "check_train_test",
    "check_updates",
    "check_worst_mistakes",
    "compensation",
    "complex_step",
    "diagnose",
    "error_floor",
    "error_model",
    "exact_step",
    "forward_difference",
    "gradient_verdict",
    "identify_update_law",
    "linear_data",
    "train_linear",
]
__version__ = "0.1.0"
