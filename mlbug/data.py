"""Check the data before the program: labels, inputs, and the split into training and test."""

import numpy as np

from .data_alignment import label_shift
from .data_labels import imbalance, label_range, output_range
from .data_overlap import duplicates, shared_rows
from .data_preparation import prepared_differently
from .data_relation import class_codes, information
from .probing import all_inputs, as_table
from .problem import as_guard
from .report import Finding


def check_data(problem, seed=0):
    """Check labels, inputs and the split of the data.

    Looked for: labels out of range or out of reach of the output; targets out of step with the inputs;
    inputs without any information on the targets; constant, unscaled and repeated inputs; test rows that
    stand in the training set; training and test data prepared differently; imbalance.

    Parameters
    ----------
    problem : Problem or Guard
        The program.
    seed : int, optional
        Seed of the random features and of the shuffled targets.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    questions = (
        label_range,
        output_range,
        label_shift,
        information,
        class_codes,
        duplicates,
        shared_rows,
        prepared_differently,
        imbalance,
    )
    found = input_scale(guard)
    if any(finding.kind == "constant-inputs" for finding in found):
        return found  # any other remark would be on this one fact
    found += [finding for question in questions for finding in question(guard)]
    if any(finding.status in ("fault", "suspect") for finding in found):
        return found
    return [*found, Finding("data", "ok", meaning="Nothing in the data stands out.")]


def input_scale(guard):
    """Report inputs that never vary, or whose scale makes gradient descent slow."""
    table = as_table(all_inputs(guard.problem.train))
    if table is None or not np.isfinite(table).all() or len(table) < 3:
        return []
    spread, mean = table.std(axis=0), table.mean(axis=0)
    moving = spread > 1e-12 * np.maximum(np.abs(mean), 1e-300)
    evidence = {"columns": table.shape[1], "constant columns": int((~moving).sum())}
    if not moving.any():
        text = "All examples have the same input: there is nothing to learn from."
        step = "Look at how the inputs are read; print the first two rows."
        return [Finding("data", "fault", ("inputs",), evidence, text, step, "constant-inputs")]
    size = np.sqrt(mean[moving] ** 2 + spread[moving] ** 2)
    # share of the size that varies: an input 1000 ± 1 costs gradient descent a condition number of 1e6
    offset = float((size / spread[moving]).max())
    ratio = float(spread[moving].max() / spread[moving].min())
    evidence |= {
        "largest size to spread": offset,
        "spread, largest to smallest": ratio,
        "largest": float(np.abs(table).max()),
    }
    if offset > 100.0 or ratio > 1e3 or float(size.max()) > 100.0:
        text = (
            f"The inputs are not scaled: sizes up to {size.max():.3g}, spreads from "
            f"{spread[moving].min():.3g} to "
            f"{spread[moving].max():.3g}. Gradient descent then needs a tiny step or very many."
        )
        step = (
            "Subtract the mean and divide by the standard deviation of the training inputs, in test data too."
        )
        return [Finding("data", "suspect", ("inputs",), evidence, text, step, "unscaled-inputs")]
    return []
