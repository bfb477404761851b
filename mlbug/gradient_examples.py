"""How a wrong gradient behaves on single examples, which tells the loss's end from the rest."""

import numpy as np

from .block_verdict import compare
from .gradient_points import Point
from .gradient_terms import Cause, fit
from .guard import UserFunctionError
from .slopes import Slopes

EXAMPLES, DIRECTIONS = 8, 3
AGREE = 1e-6


def example_point(evaluations, point, index):
    """Return a `Point` with the same parameters and one example."""
    batch = evaluations.guard.take(point.batch, np.array([index]))
    grads = evaluations.grad(point.params, batch)
    slopes = Slopes(evaluations, point.params, batch, point.slopes.noise)
    slopes.like(point.slopes)
    return Point("one example", point.params, batch, grads, point.epsilon, slopes, [], grads)


def single_examples_cause(evaluations, point, block, rng, coupled):
    """Judge the gradient on some examples alone.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    point : Point
        Where the gradient of the batch is wrong.
    block : str
        Name of the parameter, of three entries or more.
    rng : numpy.random.Generator
        Chooses examples and directions.
    coupled : bool
        Whether the loss couples the examples of a batch.

    Returns
    -------
    Cause or None
    """
    n = len(point.batch[0])
    if point.params[block].size < 3 or n < 3:
        return None
    chosen = np.sort(rng.permutation(n)[:EXAMPLES])
    try:
        fits = example_ratios(evaluations, point, block, rng, chosen)
    except UserFunctionError:
        return None
    told = [(i, ratio) for i, ratio in zip(chosen, fits, strict=True) if ratio is not None]
    if len(told) < 3:
        return None
    right = [i for i, ratio in told if abs(ratio - 1.0) <= AGREE]
    if len(right) == len(told):
        return _batch_cause(len(told), coupled)
    if all(np.isfinite(ratio) for _, ratio in told):
        return _slope_cause(point, told)
    return _some_cause(point, told, right) if right else None


def example_ratios(evaluations, point, block, rng, examples):
    """Return given over true gradient for each of some examples: NaN if not parallel, None if both vanish."""
    return [_ratio(example_point(evaluations, point, i), block, rng) for i in examples]


def _ratio(one, block, rng):
    pairs = [compare(one, one.slopes.direction(block, rng)) for _ in range(DIRECTIONS)]
    given = np.array([c.given for c in pairs])
    true = np.array([c.slope.value for c in pairs])
    if not np.any(given) and not np.any(true):
        return None
    c, residual = fit(given, true)
    return c if residual <= AGREE else np.nan


def _batch_cause(count, coupled):
    text = f"right on each of {count} single examples, and wrong for the batch"
    if coupled:
        text += ", whose loss is more than the mean of the examples' losses: they are coupled in it"
    look = (
        "Check how the contributions of the examples are put together, and batch statistics "
        "such as mean and variance."
    )
    return Cause("batch-reduction", text, look, 0.0, sure=False)


def _slope_cause(point, told):
    ratios = [float(ratio) for _, ratio in told]
    text = (
        f"on single examples the true one times a factor that differs from example to example, here from "
        f"{min(ratios):.4g} to {max(ratios):.4g}: the derivative of the loss with respect to the "
        f"output is wrong, "
        "and what follows it is right"
    )
    look = "Differentiate the loss with respect to the model's output by hand, for one example."
    return Cause(
        "output-derivative",
        text + _by_target(point, told),
        look,
        0.0,
        {"examples": [int(i) for i, _ in told], "factors": ratios},
    )


def _some_cause(point, told, right):
    text = f"right on {len(right)} of {len(told)} single examples and wrong on the others"
    look = "Compare the examples that are right with those that are not: a branch or mask may be missing."
    return Cause("some-examples", text + _by_target(point, told), look, 0.0, sure=False)


def _by_target(point, told):
    """Say for which targets the gradient is right, where that settles it."""
    target = np.asarray(point.batch[-1])
    if target.ndim != 1 or len(point.batch) < 2:
        return ""
    good = {target[i].item() for i, ratio in told if abs(ratio - 1.0) <= AGREE}
    bad = {target[i].item() for i, ratio in told} - good
    mixed = {target[i].item() for i, ratio in told if not abs(ratio - 1.0) <= AGREE} & good
    if not good or not bad or mixed or len(good | bad) == len(told):
        return ""
    return (
        f"; right for target {', '.join(map(str, sorted(good)))}, wrong for "
        f"{', '.join(map(str, sorted(bad)))}"
    )
