"""Numbers by which gradients are wrong when a well-known slip is the reason."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Factor:
    """A factor with a reason: `given` is `value` times the true gradient."""

    value: float
    kind: str
    reason: str


def known_factors(point, problem):
    """List the factors that a slip can explain at this point, the likeliest first.

    Parameters
    ----------
    point : Point
        Gives the number of examples and the sizes of the arrays.
    problem : Problem
        Gives the learning rate.

    Returns
    -------
    list of Factor
    """
    n = len(point.batch[0])
    factors = [
        Factor(-1.0, "sign", ": the sign is turned round"),
        Factor(2.0, "factor-2", ": the 2 of a square, or a term that is added twice"),
        Factor(
            0.5,
            "factor-half",
            ": the 2 of a square is missing, or a 1/2 is there that the loss does not have",
        ),
    ]
    if n > 2:
        factors += [
            Factor(
                float(n), "sum-for-mean", f", and the batch has {n} examples: a sum where the loss averages"
            ),
            Factor(
                1.0 / n,
                "mean-for-sum",
                f", and the batch has {n} examples: the gradient divides by their number once "
                "more than the loss does",
            ),
        ]
    if problem.learning_rate is not None and problem.learning_rate != 1.0:
        rate = problem.learning_rate
        factors.append(
            Factor(rate, "learning-rate", f": the learning rate {rate:g} is already in the gradient")
        )
    for size in sorted(_sizes(point) - {1, n}):
        reason = (
            f", and {size} is the length of an axis: a factor of its square root belongs to one "
            f"pass only, forward "
        )
        factors += [
            Factor(size**0.5, "root-scale", reason + "or backward"),
            Factor(size**-0.5, "root-scale", reason + "or backward"),
        ]
    for size in sorted(_sizes(point) - {1, 2, n}):
        reason = (
            f", and there is an axis of length {size}: a sum where the loss averages over it, "
            f"or the other way round"
        )
        factors += [Factor(float(size), "axis-count", reason), Factor(1.0 / size, "axis-count", reason)]
        reason = (
            f", and there are {n} examples and an axis of length {size}: a sum where the loss "
            f"averages over both"
        )
        factors += [
            Factor(float(size * n), "axis-count", reason),
            Factor(1.0 / (size * n), "axis-count", reason),
        ]
    return factors


def _sizes(point):
    arrays = [*point.batch, *point.params.values()]
    return {length for array in arrays for length in array.shape if length < 10_000}


def name_factor(value, factors, tolerance):
    """Return the `Factor` that `value` is, alone or with a sign or a 2 as well, or None.

    Parameters
    ----------
    value : float
        Given over true gradient.
    factors : list of Factor
        From `known_factors`.
    tolerance : float
        Relative deviation that still counts as equal.
    """
    for extra, words in (
        (1.0, ""),
        (-1.0, ", with the sign turned round"),
        (2.0, ", twice that"),
        (0.5, ", half that"),
        (-2.0, ", twice that with the sign turned round"),
        (-0.5, ", half that with the sign turned round"),
    ):
        for factor in factors:
            if extra != 1.0 and factor.kind in ("sign", "factor-2", "factor-half"):
                continue
            if abs(value - extra * factor.value) <= tolerance * abs(value):
                return Factor(value, factor.kind, factor.reason + words)
    return None
