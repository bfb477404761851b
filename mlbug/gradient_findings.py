"""Say in findings what the trial of a gradient has shown."""

from .gradient_sentences import NEXT, VERDICTS
from .projections import MISS_PROBABILITY
from .report import Finding


def findings_of(verdict):
    """Turn a `GradientVerdict` into findings, the faults first and the root of them at the top.

    Parameters
    ----------
    verdict : GradientVerdict
        What the trial has shown.

    Returns
    -------
    list of Finding
    """
    results = list(verdict.blocks.values())
    names = list(verdict.blocks)
    wrong = [r for r in results if r.verdict == "wrong"]
    found = _wrong_findings(wrong, names, verdict)
    right = [r for r in results if r.verdict == "right"]
    found += _not_finite(results)
    for name in VERDICTS:
        found += _plain_finding(name, [r for r in results if _verdict_name(r) == name])
    return found + ([_right_finding(right, verdict)] if right else [])


def _verdict_name(result):
    """Split round-off: a gradient that vanishes with the true one, and a loss too noisy to judge."""
    if result.verdict != "round-off":
        return result.verdict
    return "round-off" if result.start.rounding_only else "unclear"


def _wrong_findings(wrong, names, verdict):
    groups = {}
    for result in wrong:
        cause = result.cause
        detail = "" if cause is None else cause.text if "mutation" in cause.evidence else _factor(cause)
        nameless = "one-entry" if result.entry is not None else "unknown"
        key = (result.grade, cause.kind if cause is not None else nameless, detail)
        groups.setdefault(key, []).append(result)
    known = {r.block for r in wrong if r.cause is not None}

    def order(item):
        (status, kind, _), group = item
        return (status != "fault", kind == "unknown", -max(names.index(r.block) for r in group))

    made = []
    for (status, kind, _), group in sorted(groups.items(), key=order):
        made.append(_wrong_finding(status, kind, group[::-1], names, known, verdict))
    return made


def _factor(cause):
    return f"{cause.evidence.get('factor', 0.0):.4g}"


def _wrong_finding(status, kind, group, names, known, verdict):
    first = group[0]
    places = _join([r.block + r.place for r in group])
    if first.cause is not None:
        meaning = f"In {places} the gradient is {first.cause.text}."
        step = first.cause.next_step
    else:
        meaning = (
            f"In {places} the gradient is wrong"
            + _amount(first)
            + ", and none of the usual slips explains it."
        )
        step = "Check the backward step of this block against the derivative of its forward step."
        later = [name for name in known if names.index(name) > names.index(first.block)]
        if later:
            meaning += f" It may follow from the fault in {_join(later)}."
            step = f"Repair {_join(later)} first."
    if verdict.ignored_by_update:
        meaning += " The update rule of this program does not use it."
    evidence = {r.block: _numbers(r) for r in group} | _effort(verdict)
    return Finding("gradients", status, tuple(r.block for r in group), evidence, meaning, step, kind)


def _amount(result):
    if result.entry is not None:
        _, given, true = result.entry
        return f": {given:.6g} is given where {true:.6g} is true"
    size = result.deciding.share
    return (
        f": along random directions it is off by {size:.2g} of its size (cosine with the true "
        f"one {result.likeness:.2f})"
    )


def _numbers(result):
    block = result.deciding
    shown = {
        "given slopes": [c.given for c in block.comparisons[:3]],
        "true slopes": [c.slope.value for c in block.comparisons[:3]],
        "witness": block.method,
        "error over gradient": block.share,
        "order of the Taylor remainder": block.taylor,
    }
    if result.cause is not None:
        shown["residual of the explanation"] = result.cause.residual
        shown |= {
            key: value for key, value in result.cause.evidence.items() if key not in ("mutation", "examples")
        }
    if result.place:
        shown["entries"] = result.place
    return shown


def _effort(verdict):
    return {"evaluations of the loss": verdict.losses, "evaluations of the gradient": verdict.grads}


def _not_finite(results):
    bad = tuple(r.block for r in results if r.verdict == "not-finite")
    if not bad:
        return []
    text = f"In {_join(bad)} the gradient has NaN or infinite entries although the loss is finite."
    step = "Look for a division by zero, a log of zero or an overflow in the backward pass."
    return [Finding("gradients", "fault", bad, {}, text, step, "not-finite")]


def _plain_finding(name, results):
    if not results:
        return []
    status, text = VERDICTS[name]
    evidence = {}
    for r in results:
        if r.start is not None and r.start.sides:
            evidence[r.block] = dict(
                zip(("slope to the left", "slope to the right", "given"), r.start.sides, strict=True)
            )
    return [
        Finding(
            "gradients", status, tuple(r.block for r in results), evidence, text, NEXT.get(name, ""), name
        )
    ]


def _right_finding(right, verdict):
    smallest = max(r.deciding.smallest_share for r in right)
    text = (
        f"The gradient of {_join([r.block for r in right])} is right. An error of {smallest:.1e} "
        f"of a block's gradient, "
        f"or a larger one, would have been missed with a probability below {MISS_PROBABILITY:g}."
    )
    if verdict.random == "frozen":
        text += " Loss and gradient draw random numbers; they were given the same draws."
    evidence = {
        "directions": {r.block: len(r.deciding.comparisons) for r in right},
        "witness": {r.block: r.deciding.method for r in right},
        "largest error over gradient": max(c.share for r in right for c in r.deciding.comparisons),
    }
    if verdict.not_complex_safe:
        evidence["no complex step"] = verdict.not_complex_safe
    if verdict.replaced:
        evidence["calls that are not complex-safe, done by rule"] = verdict.replaced
    return Finding(
        "gradients", "ok", tuple(r.block for r in right), evidence | _effort(verdict), text, "", "right"
    )


def _join(names):
    names = list(names)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
