"""Find the law that explains a block of parameters, and say what departs where none does."""

from dataclasses import replace
from functools import partial

import numpy as np

from .update_catalog import (
    ADAPTIVE,
    BASIC,
    COMMON,
    LINEAR,
    MOMENTA,
    PLAIN,
    RUNNING,
    SCHEDULED,
    SIGN,
    clipping,
    mistakes,
)
from .update_fit import Fit, fit, rounding
from .update_impostors import Identified, impostor, modes
from .update_laws import Law, gradient_descent
from .update_screen import may_be_adaptive, may_be_linear, shares_velocity, unrelated

NEAR = 1e-6  # unexplained share below which a law counts as found, though not exact


def identify(streams, shapes, eps):
    """Identify the law of each block.

    Parameters
    ----------
    streams : dict of str to Stream
        Records by block, all of the same steps.
    shapes : dict of str to tuple
        Shapes of the blocks.
    eps : dict of str to float
        Relative rounding error of each block's type.

    Returns
    -------
    dict of str to Identified
    """
    found, hints = {}, []
    order = sorted(streams, key=lambda name: -streams[name].move.shape[1])
    for name in order:
        _keep(name, _follow_simple(streams[name], eps[name], hints), found, hints)
    for name in [name for name in order if name not in found]:
        hint = next((h for h in map(partial(_follow_hint, streams[name], eps[name]), hints) if h), None)
        laws = [PLAIN, *(h.law for h in hints if h.law is not PLAIN)] if hints else []
        changed = None if hint else impostor(name, streams, shapes, eps[name], laws, {})
        if changed is not None:
            found[name] = changed
        else:
            _keep(name, hint or _follow(streams[name], eps[name], len(streams)), found, hints)
    _share_schedule(streams, eps, found)
    more = COMMON
    for name in [name for name in order if name not in found]:
        starts = {item.fit.law.name: item.fit.constants for item in found.values() if item.fit.exact}
        found[name] = _depart(name, streams, shapes, eps[name], hints, more, starts)
        more = (
            (PLAIN, *MOMENTA) if found[name].kind == "unknown" else more
        )  # an unknown law is tried hard only once
    return {name: found[name] for name in streams}


def _keep(name, fit, found, hints):
    if fit is not None:
        found[name] = Identified(fit, fit.law.fault)
        if all(hint.law is not fit.law for hint in hints):
            hints.append(fit)


def _follow_simple(stream, eps, hints):
    """Return the law of another block, or else the first linear one, that explains the block; or None."""
    for hint in hints:
        if (best := _follow_hint(stream, eps, hint)) is not None:
            return best
    linear = LINEAR if may_be_linear(stream, eps) else (PLAIN, SIGN)
    for mode in modes(stream):
        for law in linear if mode == "stated" else linear[:7]:
            if (best := fit(stream, law, mode, eps)).exact:
                return best
    return None


def _follow(stream, eps, blocks):
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


def _follow_hint(stream, eps, hint):
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


def _share_schedule(streams, eps, found):
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


def _depart(name, streams, shapes, eps, hints, more, starts):
    """Name what a block follows in place of its own gradient."""
    stream = streams[name]
    laws = [hint.law for hint in hints]
    laws += [law for law in more if law not in laws]
    found = impostor(name, streams, shapes, eps, laws, starts)
    if found is None:
        nearest = min((fit(stream, law, "stated", eps) for law in laws), key=lambda f: f.residual)
        found = Identified(nearest, *_last_resort(name, streams, shapes, eps))
    return found


def _last_resort(name, streams, shapes, eps):
    """Say what can be said of a block that no law explains: kind, and the other block concerned."""
    stream = streams[name]
    for other, its in streams.items():
        if other != name and shapes[other] == shapes[name] and shares_velocity(stream, its, eps):
            return "shared-velocity", other
    if unrelated(stream):
        return "unrelated", ""
    move, gradient = stream.move[0], stream.gradient[0]
    uphill = move @ gradient > 0.1 * np.linalg.norm(move) * np.linalg.norm(gradient)
    return ("sign" if uphill and move.size > 3 else "unknown"), ""
