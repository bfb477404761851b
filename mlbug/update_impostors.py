"""What may have taken the gradient's place in an update rule."""

from dataclasses import dataclass, replace

import numpy as np

from .update_catalog import LINEAR, PLAIN
from .update_fit import Fit, fit
from .update_screen import may_be_adaptive, may_be_linear


@dataclass(frozen=True)
class Identified:
    """What moved one block.

    Parameters
    ----------
    fit : Fit
        The law with its constants; the nearest one where nothing explains the moves.
    kind : str
        What departs from a law that descends along its own gradient; empty if nothing does.
    source : str
        Name of the other block whose gradient moved this one, if so.
    """

    fit: Fit
    kind: str = ""
    source: str = ""


def impostor(name, streams, shapes, eps, laws, starts, only=None):
    """Try the laws on everything that may have taken the gradient's place.

    `starts` holds constants by the name of a law, as found in other blocks; `only` restricts the kind.
    """
    stream = streams[name]
    for kind, source, gradient in impostors(name, streams, shapes) if laws else ():
        if only not in (None, kind):
            continue
        changed = replace(stream, gradient=gradient)
        linear, even = may_be_linear(changed, eps), may_be_adaptive(changed)
        for law in laws:
            if law is not PLAIN and not (linear if law in LINEAR else even):
                continue
            for mode in modes(stream):
                best = fit(changed, law, mode, eps, starts.get(law.name))
                if best.exact:
                    return Identified(best, kind, source)
    return None


def modes(stream):
    """Return how the rate may enter: where it never changes, both ways are one."""
    return ("stated", "own") if np.ptp(stream.rate) > 0 else ("stated",)


def impostors(name, streams, shapes):
    """Yield what may have taken the gradient's place: kind of mistake, other block's name, values."""
    stream = streams[name]
    own, steps = stream.gradient, len(stream.gradient)
    for other, its in streams.items():
        if other != name and shapes[other] == shapes[name] and _arrives(stream, its):
            yield "swapped-values", other, -stream.move / stream.rate[:, None]
    yield "ignores-gradient", "", np.ones_like(own)
    yield "first-batch", "", np.broadcast_to(own[0], own.shape)
    yield "ignores-gradient", "", np.broadcast_to(-stream.move[0], own.shape)
    yield "parameter", "", stream.before
    late = np.concatenate([np.zeros_like(own[:1]), own[:-1]])
    yield "last-batch", "", late
    yield "last-batch", "", np.concatenate([own[:1], own[:-1]])
    yield "accumulates", "", np.cumsum(own, axis=0)
    for other, its in streams.items():
        if other != name and its.gradient.shape == own.shape:
            yield "swapped", other, its.gradient
            if shapes[other] == shapes[name][::-1] and len(shapes[name]) == 2:
                yield "swapped", other, _transposed(its.gradient, shapes[other])
    if len(shapes[name]) == 2 and shapes[name][0] == shapes[name][1] > 1:
        yield "transposed", "", _transposed(own, shapes[name])
    if own.shape[1] > 1:
        table = own.reshape(steps, *shapes[name])
        yield "reordered", "", table[:, ::-1].reshape(steps, -1)
        yield "averaged", "", np.broadcast_to(own.mean(axis=1, keepdims=True), own.shape)
    if np.any(own < 0):
        yield "absolute", "", np.abs(own)


def _arrives(stream, other):
    """Whether the new values are near the other block's old ones, and far from this block's."""
    near = np.linalg.norm(stream.before + stream.move - other.before, axis=1)
    return bool(np.all(near < 0.3 * np.linalg.norm(stream.move, axis=1)))


def _transposed(gradient, shape):
    return gradient.reshape(-1, *shape).transpose(0, 2, 1).reshape(len(gradient), -1)
