"""Where the wrong blocks of a gradient are wrong, and which slips explain them together."""

import math
from dataclasses import dataclass

from .block_verdict import BlockVerdict, compare
from .gradient_causes import likeness, name_cause, name_cause_in_box
from .gradient_examples import AGREE, example_ratios
from .gradient_operations import common_cause
from .gradient_places import describe_place, entry_at, find_place
from .gradient_regularizer import without_regularizer
from .gradient_terms import Cause, Slips

MOST_DETAILED = 10
CERTAIN_ELSEWHERE = ("stale", "ignores-batch")
FAULT_SHARE, REMARK_SHARE = 1e-4, 1e-6
ENTRY_SHARE = 1e-2


@dataclass
class BlockResult:
    """What is known of one block of the gradient.

    Parameters
    ----------
    block : str
        Name of the parameter.
    verdict : str
        ``"right"``, ``"wrong"``, ``"wrong-elsewhere"`` (right at the start, wrong near by), ``"kink"``,
        ``"round-off"``, ``"unreached"``, ``"not-finite"`` or ``"not-floating"``.
    start, shifted : BlockVerdict or None
        The verdicts at the two points.
    deciding : BlockVerdict or None
        The one that the verdict rests on.
    cause : Cause or None
        The slip that explains a wrong block.
    place : str
        Which entries are wrong, in numpy's notation; empty for all.
    entry : tuple or None
        Index, given and true derivative where a single entry is wrong.
    likeness : float
        Cosine between given and true gradient, for a wrong block.
    grade : str
        ``"fault"`` or ``"suspect"`` for a wrong block, else ``"ok"``.
    """

    block: str
    verdict: str
    start: BlockVerdict | None = None
    shifted: BlockVerdict | None = None
    deciding: BlockVerdict | None = None
    cause: Cause | None = None
    place: str = ""
    entry: tuple | None = None
    likeness: float = math.nan
    grade: str = "ok"


def explain(evaluations, start, other, wrong, rng, coupled):
    """Fill in place and cause of the wrong blocks, from the last one, which is nearest to the loss, on.

    Parameters
    ----------
    evaluations : Evaluations
        The program's functions.
    start, other : Point
        The points at which the gradient was judged; `other` may be None.
    wrong : list of BlockResult
        The wrong blocks, in the order of the parameters. Changed in place.
    rng : numpy.random.Generator
        Source of directions.
    coupled : bool
        Whether the loss couples the examples of a batch.
    """
    detailed = wrong[::-1][:MOST_DETAILED]
    guesses = []
    for result in detailed:
        points = (start, other) if result.deciding is result.start else (other, start)
        _explain_one(evaluations, points, result, rng, coupled, guesses)
    here = [r for r in detailed if r.deciding is r.start]
    _unite_operations(start, here)
    _compare_small_blocks(evaluations, start, here, rng)


def _explain_one(evaluations, points, result, rng, coupled, guesses):
    point, second = points
    block = result.block
    result.likeness = likeness(result.deciding.comparisons)
    box = find_place(point, block, rng)
    result.place = describe_place(point.params[block].shape, box)
    result.entry = entry_at(point, block, box) if result.place else None
    result.cause = name_cause(
        evaluations, point, second, block, result.deciding.comparisons, rng, coupled, guesses
    )
    if result.cause is not None and "mutation" in result.cause.evidence:
        guesses.append(result.cause.evidence["mutation"])
    if result.cause is None and result.place:
        comparisons = [compare(point, point.slopes.direction(block, rng, box)) for _ in range(6)]
        result.cause = name_cause_in_box(evaluations, point, block, box, comparisons)
    if (
        result.verdict == "wrong-elsewhere"
        and result.cause is not None
        and result.cause.kind in CERTAIN_ELSEWHERE
    ):
        result.verdict = "wrong"


def _unite_operations(point, results):
    """Several operations that each explain one block may explain all blocks together: one cause then."""
    found = [r for r in results if r.cause is not None and "mutation" in r.cause.evidence]
    chosen = {r.block: r.cause.evidence["mutation"] for r in found}
    if len({tuple(sorted(c)) for c in chosen.values()}) < 2:
        return
    slips = {r.block: Slips.of(r.deciding.comparisons) for r in found}
    cause = common_cause(point, slips, chosen)
    for result in found:
        result.cause = cause or result.cause


def _compare_small_blocks(evaluations, point, results, rng):
    """A block of one or two numbers is some multiple of another by chance: larger ones must bear it out."""
    large = [r.cause for r in results if point.params[r.block].size >= 3]
    for result in results:
        cause = result.cause
        if point.params[result.block].size >= 3 or not large:
            continue
        if (
            cause is not None
            and "factor" in cause.evidence
            and cause.kind not in {c.kind for c in large if c}
        ):
            result.cause = cause = None
        ratios = next((c for c in large if c is not None and "examples" in c.evidence), None)
        if cause is None and ratios is not None:
            found = example_ratios(
                *without_regularizer(evaluations, point), result.block, rng, ratios.evidence["examples"]
            )
            pairs = [(a, b) for a, b in zip(found, ratios.evidence["factors"], strict=True) if a is not None]
            if pairs and all(abs(a - b) <= 10.0 * AGREE * abs(b) for a, b in pairs):
                result.cause = ratios


def grade(result, ignored):
    """Say how much a wrong block matters, and call it right where its error is immaterial.

    An error below 1e-6 of the gradient (an epsilon inside a log) changes nothing in training, one of 1e-4
    or more is a fault, between them only if the slip is known; a single entry is a fault if it is off by
    more than 1 % of its own size. Where the update rule looks at no gradient, it is suspect at most.
    """
    cause = result.cause
    share = result.deciding.share
    level = "fault" if share >= FAULT_SHARE else "suspect" if share >= REMARK_SHARE else "ok"
    if result.entry is not None:
        _, given, true = result.entry
        if abs(given - true) > ENTRY_SHARE * max(abs(given), abs(true)):
            level = "fault"
    elif level == "suspect" and cause is not None and cause.sure and cause.residual < 1e-2:
        level = "fault"
    if level == "fault" and (ignored or (cause is not None and cause.kind == "clipped")):
        level = "suspect"
    result.grade = level
    if level == "ok":
        result.verdict = "right"
