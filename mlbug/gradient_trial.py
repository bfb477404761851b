"""Put a program's gradient to the test: two points, every block, and the cause of what is wrong."""

import contextlib
import math
from dataclasses import dataclass, field

import numpy as np

from .block_verdict import judge_block
from .evaluations import Evaluations
from .gradient_explanation import BlockResult, explain, grade
from .gradient_points import shifted_point, start_point
from .gradient_repeats import first_calls
from .problem import as_guard


@dataclass
class GradientVerdict:
    """The evidence of `gradient_verdict`.

    Parameters
    ----------
    blocks : dict of str to BlockResult
        By parameter.
    start_loss : float
        The loss at the start; nothing is judged where it is not finite.
    random : str
        Empty, ``"frozen"`` (random draws were held fixed) or ``"not-deterministic"``.
    accumulating : list of str
        Blocks whose gradient grows from call to call.
    not_complex_safe : dict of str to str
        By block, why the complex step could not be used.
    replaced : list of str
        numpy calls that are not complex-safe and for which a first-order rule stood in.
    losses, grads : int
        Number of evaluations.
    ignored_by_update : bool
        Whether the program's update rule does not look at gradients.
    coupled : bool
        Whether the loss of a batch is more than the average, or sum, over its examples.
    """

    blocks: dict = field(default_factory=dict)
    start_loss: float = math.nan
    random: str = ""
    accumulating: list = field(default_factory=list)
    not_complex_safe: dict = field(default_factory=dict)
    replaced: list = field(default_factory=list)
    losses: int = 0
    grads: int = 0
    ignored_by_update: bool = False
    coupled: bool = False


def gradient_verdict(problem, seed=0, use_complex=True, name_causes=True):
    """Judge the gradient of a program, block by block.

    True slopes come from the complex step where the program allows it (Martins, Sturdza and Alonso
    2003), else from extrapolated centred differences whose step and tolerance follow the measured noise of
    the loss. The chance that a relative error of 1e-4 of a block's gradient stays unseen is below 1e-6
    wherever the verdict is ``"right"``; the verdict's `smallest_share` says what that chance holds for.

    Parameters
    ----------
    problem : Problem, Guard or dict
        The program.
    seed : int
        Seed of the directions.
    use_complex : bool
        False keeps to differences.
    name_causes : bool
        False leaves out place and cause of what is wrong, which take most of the time.

    Returns
    -------
    GradientVerdict

    Raises
    ------
    UserFunctionError
        If the loss or the gradient cannot be evaluated.

    References
    ----------
    Goodfellow, Bengio and Courville, *Deep Learning*, 2016, section 11.5, pp. 438-440.
    """
    guard = as_guard(problem, seed)
    evaluations = Evaluations(guard)
    rng = np.random.default_rng(seed)
    result = GradientVerdict()
    with contextlib.ExitStack() as stack:
        first_calls(evaluations, result, stack)
        if (
            math.isfinite(result.start_loss)
            and not result.accumulating
            and result.random != "not-deterministic"
        ):
            _judge(evaluations, result, rng, use_complex, name_causes)
    result.losses, result.grads = evaluations.losses, evaluations.grads
    return result


def _judge(evaluations, result, rng, use_complex, name_causes):
    guard = evaluations.guard
    params, batch = guard.params(), guard.problem.train
    start = start_point(evaluations, params, batch, rng, use_complex)
    other = shifted_point(evaluations, params, batch, rng, use_complex)
    for block in params:
        result.blocks[block] = _judge_one(start, other, block, rng)
    wrong = [r for r in result.blocks.values() if r.verdict in ("wrong", "wrong-elsewhere")]
    if wrong:
        result.ignored_by_update = _ignored(guard, start)
        result.coupled = _coupled(evaluations, start)
        if name_causes:
            explain(evaluations, start, other, wrong, rng, result.coupled)
    for one in wrong:
        if one.verdict == "wrong":
            grade(one, result.ignored_by_update)
    for point in (start, other) if other is not None else (start,):
        result.not_complex_safe |= point.slopes.unsafe
        result.replaced = sorted({*result.replaced, *point.slopes.replaced})


def _judge_one(start, other, block, rng):
    if start.params[block].dtype.kind != "f":
        return BlockResult(block, "not-floating")
    if not np.all(np.isfinite(start.grads[block])):
        return BlockResult(block, "not-finite")
    first = judge_block(start, block, rng)
    second = judge_block(other, block, rng) if other is not None else None
    result = BlockResult(block, first.verdict, first, second, first)
    if second is None or first.verdict == "wrong":
        return result
    if second.verdict == "wrong":
        result.verdict = "wrong-elsewhere" if first.verdict == "right" else "wrong"
        result.deciding = second
    elif second.verdict == "right" and first.verdict in ("round-off", "unreached"):
        result.verdict, result.deciding = "right", second
    return result


def _ignored(guard, point):
    """Whether the update does the same with twice the gradient: its rule then needs none."""
    problem = guard.problem
    if problem.update is None or problem.learning_rate is not None:
        return False
    moved = []
    for times in (1.0, 2.0):
        guard.reset_update()
        moved.append(guard.update(point.params, {k: times * v for k, v in point.grads.items()}, 0.1))
    guard.reset_update()
    return all(np.array_equal(moved[0][name], moved[1][name]) for name in moved[0])


def _coupled(evaluations, point):
    """Whether the loss of a batch differs from both mean and sum of the losses of its halves."""
    n = len(point.batch[0])
    if n < 4:
        return False
    take = evaluations.guard.take
    parts = [slice(0, n // 2), slice(n // 2, n)]
    whole = evaluations.loss(point.params, point.batch)
    halves = [evaluations.loss(point.params, take(point.batch, part)) for part in parts]
    mean = (halves[0] * (n // 2) + halves[1] * (n - n // 2)) / n
    return all(abs(whole - value) > 1e-6 * abs(whole) for value in (mean, sum(halves)))
