"""The operation of the loss whose derivative a gradient gets wrong, with its line.

The loss is differentiated again and again, each time with the derivative of one operation spoiled as
a slip in a backward pass would spoil it. If one of these gives the user's gradient, the slip is found.
"""

import time

import numpy as np

from .evaluations import NotComplexSafe
from .gradient_terms import Cause
from .slopes import COMPLEX_STEP
from .trace_mutations import Mutator, candidates, describe, pairs

MOST_TRIED = 1000
SECONDS = 1.5
KINDS = {
    "detach": "detached", "pass": "derivative-missing", "flip": "sign-in-term", "double": "term-doubled",
    "untransposed": "transpose-missing", "without-0": "product-rule", "without-1": "product-rule",
}  # fmt: skip


def operation_cause(point, block, slips, first_guesses=()):
    """Look for an operation whose spoiled derivative turns the true slopes into the given ones.

    Parameters
    ----------
    point : Point
        Where the gradient is wrong.
    block : str
        Name of the parameter.
    slips : Slips
        Given and true slopes along some directions.
    first_guesses : iterable of dict
        Mutations that explained other blocks, tried first.

    Returns
    -------
    Cause or None
        With the mutation under ``evidence["mutation"]``; None where the complex step is not to be had.
    """
    if block in point.slopes.unsafe:
        return None
    seen = Mutator()
    try:
        point.slopes.imaginary(slips.directions[0], COMPLEX_STEP, mutator=seen)
        chosen = _search(point, slips, [*first_guesses], seen)
    except NotComplexSafe:
        return None
    if chosen is None:
        return None
    return _cause(chosen)


def common_cause(point, slips_by_block, chosen_by_block):
    """Return the one cause that explains several blocks at once, if together their slips do.

    Parameters
    ----------
    point : Point
        Where the gradient is wrong.
    slips_by_block : dict of str to Slips
        Given and true slopes.
    chosen_by_block : dict of str to dict
        The mutation that explains each block alone.
    """
    together = {}
    for chosen in chosen_by_block.values():
        together |= chosen
    if len(together) > 3:
        return None
    try:
        fits = all(_fits(point, slips, together) for slips in slips_by_block.values())
    except NotComplexSafe:
        return None
    return _cause(together) if fits else None


def _cause(chosen):
    kind = next(iter(chosen.values()))
    lines = " and ".join(sorted({operation.where() for operation in chosen}))
    look = f"Check what the backward pass makes of {lines}."
    return Cause(KINDS[kind], f"what it would be {describe(chosen)}", look, 0.0, {"mutation": chosen})


def _search(point, slips, guesses, seen):
    begin = time.monotonic()
    rounds = (guesses, candidates(seen), pairs(seen))
    for tried, chosen in enumerate(chosen for mutations in rounds for chosen in mutations):
        if tried > MOST_TRIED or time.monotonic() - begin > SECONDS:
            return None
        if _fits(point, slips, chosen):
            return chosen
    return None


def _fits(point, slips, chosen):
    error = float(np.sqrt(np.mean((slips.given - slips.true) ** 2)))
    bound = min(max(1e-7, slips.tolerance) * float(np.max(np.abs([slips.true, slips.given]))), 0.05 * error)
    for direction, given in zip(slips.directions, slips.given, strict=True):
        slope = point.slopes.imaginary(direction, COMPLEX_STEP, mutator=Mutator(chosen)) / COMPLEX_STEP
        if not abs(slope - given) <= bound:
            return False
    return True
