"""The description of a learning program that all checks share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .guard import Guard, UserFunctionError
from .problem_fields import (
    ProblemError,
    check_batch,
    check_callable,
    check_groups,
    check_layout,
    check_params,
    check_rate,
    check_regularizer,
    kind_of,
    shared_pairs,
)

__all__ = ["Guard", "Problem", "ProblemError", "UserFunctionError", "as_guard", "as_problem"]


@dataclass(frozen=True)
class Problem:
    """A learning program: parameters, functions and data.

    Parameters
    ----------
    params : dict of str to ndarray
        Initial parameters, float arrays by name.
    loss : callable
        ``loss(params, batch) -> float``; `batch` is a tuple of arrays.
    grad : callable
        ``grad(params, batch) -> dict``, arrays by the names and of the shapes of `params`.
    train : tuple of ndarray
        Training data, arrays that share their first axis (one row an example). The last array is the
        target, the others are the inputs; a single array is both.
    test : tuple of ndarray, optional
        Test data in the same form.
    scores : callable, optional
        ``scores(params, inputs) -> (n, k)`` array: class probabilities, or outputs. `inputs` is the one
        input array, or a tuple where there are several.
    update : callable, optional
        ``update(params, grads, lr) -> params``, the rule under test.
    learning_rate : float, optional
        Learning rate of the program.
    activations : callable, optional
        ``activations(params, inputs) -> dict``, pre-activations (n, units) by layer name.
    regularizer : dict or str, optional
        ``{"loss": f(params), "grad": f(params)}``, or the name of a keyword of `loss` and `grad` that
        gives the strength and switches the regularizer off at 0.
    groups : dict of str to array, optional
        Metadata by example (of the test data, or of the training data), for the worst mistakes.

    Attributes
    ----------
    shared : tuple of pairs of str
        Names of parameters whose arrays, as they were given, share memory. The problem holds copies.

    Raises
    ------
    ProblemError
        If a field has the wrong type, name, shape or length.
    """

    params: Mapping[str, np.ndarray]
    loss: Callable[..., float]
    grad: Callable[..., Mapping[str, np.ndarray]]
    train: tuple[np.ndarray, ...]
    test: tuple[np.ndarray, ...] | None = None
    scores: Callable[..., np.ndarray] | None = None
    update: Callable[..., Mapping[str, np.ndarray]] | None = None
    learning_rate: float | None = None
    activations: Callable[..., Mapping[str, np.ndarray]] | None = None
    regularizer: Mapping[str, Callable[..., Any]] | str | None = None
    groups: Mapping[str, np.ndarray] | None = None
    shared: tuple[tuple[str, str], ...] = field(default=(), init=False, repr=False)

    def __post_init__(self):
        given = self.params
        object.__setattr__(self, "params", check_params(self.params))
        object.__setattr__(self, "shared", shared_pairs(given))
        for name in ("loss", "grad"):
            check_callable(name, getattr(self, name))
        for name in ("scores", "update", "activations"):
            if getattr(self, name) is not None:
                check_callable(name, getattr(self, name))
        object.__setattr__(self, "train", check_batch("train", self.train))
        if self.test is not None:
            object.__setattr__(self, "test", check_batch("test", self.test))
            check_layout(self.train, self.test)
        if self.learning_rate is not None:
            object.__setattr__(self, "learning_rate", check_rate(self.learning_rate))
        check_regularizer(self)
        if self.groups is not None:
            object.__setattr__(self, "groups", check_groups(self))


def as_problem(value):
    """Return `value` as a `Problem`; a mapping of its fields is accepted too.

    Raises
    ------
    ProblemError
        If `value` is neither, or has an unknown or missing field.
    """
    if isinstance(value, Problem):
        return value
    if not isinstance(value, Mapping):
        raise ProblemError(f"a Problem or a dict of its fields was expected, but {kind_of(value)} came")
    fields = [name for name, item in Problem.__dataclass_fields__.items() if item.init]
    unknown = sorted(str(name) for name in value if name not in fields)
    missing = [name for name in ("params", "loss", "grad", "train") if name not in value]
    if unknown or missing:
        raise ProblemError(
            "the fields of a Problem are "
            + ", ".join(fields)
            + (f"; unknown: {', '.join(unknown)}" if unknown else "")
            + (f"; missing: {', '.join(missing)}" if missing else "")
        )
    return Problem(**value)


def as_guard(problem, seed=0):
    """Return a `Guard` for `problem`, which may be one already, a `Problem`, or a dict of its fields."""
    return problem if isinstance(problem, Guard) else Guard(as_problem(problem), seed=seed)
