"""Find the law by which a block follows its own gradient."""

from dataclasses import replace

import numpy as np

from .update_catalog import (
    ADAPTIVE,
    BASIC,
    LINEAR,
    PLAIN,
    RUNNING,
    SCHEDULED,
    SIGN,
    clipping,
    mistakes,
)
from .update_fit import Fit, fit, rounding
from .update_impostors import Identified, modes
from .update_laws import Law, gradient_descent
from .update_screen import may_be_adaptive, may_be_linear

NEAR = 1e-6  # unexplained share below which a law counts as found, though not exact


def follow_simple(stream, eps, hints):
    """Return the law of another block, or else the first linear one, that explains the block; or None."""
    for hint in hints:
        if (best := follow_hint(stream, eps, hint)) is not None:
            return best
    linear = LINEAR if may_be_linear(stream, eps) else (PLAIN, SIGN)
    for mode in modes(stream):
        for law in linear if mode == "stated" else linear[:7]:
            if (best := fit(stream, law, mode, eps)).exact:
                return best
    return None


def follow(stream, eps, blocks):
    """Return the first of the other laws that explains the block, a known mistake maybe; or None.

    Where none is exact, one that leaves less than `NEAR` is taken: the rule itself may round coarsely.
    """
    nearest = None
    for best in _others(stream, eps, blocks):
        if best.law in RUNNING and not _driven(best, stream):
            continue
        if best.exact:
            return best
        nearest = best if nearest is None or best.residual < nearest.residual else nearest
    return nearest if nearest is not None and nearest.residual < NEAR else None


def _driven(best, stream):
    """Whether the gradient has a part in the move: a velocity that merely goes on explains any drift."""
    push = np.linalg.norm(np.reshape(best.rate, (-1, 1)) * stream.rate[:, None] * stream.gradient)
    return push > 1e-3 * np.linalg.norm(stream.move)


def _others(stream, eps, blocks):
    """Yield the fits of all laws that are not linear with constant rates."""
    if (best := _by_element(stream, eps)) is not None:
        yield best
    even = may_be_adaptive(stream)
    for mode in modes(stream):
        for law in ADAPTIVE if mode == "stated" else BASIC:
            if even or "decoupled" in law.name:
                yield fit(stream, law, mode, eps)
    for law in (*RUNNING, *mistakes(blocks), *clipping(stream)):
        yield fit(stream, law, "stated", eps)
    if np.count_nonzero(np.abs(stream.gradient).sum(axis=0)) >= 4:
        for law in SCHEDULED:
            yield fit(stream, law, "schedule", eps)


def follow_hint(stream, eps, hint):
    """Try the law of another block; a schedule found there is tried here as the stated rate."""
    if hint.law.fault:
        return None
    shared = replace(stream, rate=hint.rate) if hint.mode == "schedule" else stream
    mode = "stated" if hint.mode == "schedule" else hint.mode
    best = fit(shared, hint.law, mode, eps, start=hint.constants)
    if not best.exact and (hint.exact or best.residual > NEAR):
        return None
    return replace(best, rate=best.rate * hint.rate, mode="schedule") if hint.mode == "schedule" else best


def _by_element(stream, eps):
    """Explain the block by gradient descent with a fixed rate for each element, some may be 0."""
    unit = stream.gradient * stream.rate[:, None]
    squares = np.sum(unit**2, axis=0)
    rates = -np.sum(unit * stream.move, axis=0) / np.where(squares > 0, squares, 1.0)
    error = stream.move + rates * unit
    misfit = float(np.sqrt(np.mean((error / rounding(stream, eps)) ** 2)))
    residual = float(np.linalg.norm(error) / (np.linalg.norm(stream.move) or 1.0))
    moved = rates[squares > 0]
    fault = ""
    if np.any(moved < 0):
        fault = "sign"
    elif np.any(moved == 0):
        fault = "never-moves"
    law = Law("gradient descent with a rate for each element", {}, gradient_descent, fault)
    best = Fit(law, {}, moved if len(moved) else np.zeros(1), "element", residual, misfit)
    return best if best.exact and len(moved) else None


def share_schedule(streams, eps, found):
    """Explain blocks too small for a schedule of their own together."""
    rest = [name for name in streams if name not in found]
    if sum(streams[name].move.shape[1] for name in rest) < 2 or len(rest) < 2:
        return
    parts = [streams[name] for name in rest]
    joined = replace(
        parts[0],
        **{
            field: np.concatenate([getattr(p, field) for p in parts], axis=1)
            for field in ("gradient", "before", "move")
        },
    )
    for law in SCHEDULED:
        best = fit(joined, law, "schedule", max(eps[name] for name in rest))
        if best.exact:
            found.update({name: Identified(best) for name in rest})
            return
