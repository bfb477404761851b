"""Find the law that explains a block of parameters, and say what departs where none does."""

import numpy as np

from .update_catalog import COMMON, LINEAR, PLAIN
from .update_fit import fit
from .update_follow import follow, follow_hint, follow_simple, share_schedule
from .update_impostors import Identified, impostor
from .update_screen import shares_velocity, unrelated


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
    return _Search(streams, shapes, eps).run()


class _Search:
    """The blocks one after the other, the largest first; what one shows is tried first on the next."""

    def __init__(self, streams, shapes, eps):
        self.streams, self.shapes, self.eps = streams, shapes, eps
        self.found, self.hints, self.unknown = {}, [], 0

    def run(self):
        order = sorted(self.streams, key=lambda name: -self.streams[name].move.shape[1])
        for name in order:
            self.keep(name, follow_simple(self.streams[name], self.eps[name], self.hints))
        for name in [name for name in order if name not in self.found]:
            self.settle(name)
        share_schedule(self.streams, self.eps, self.found)
        for name in [name for name in order if name not in self.found]:
            self.depart(name)
        return {name: self.found[name] for name in self.streams}

    def keep(self, name, fit):
        if fit is not None:
            self.found[name] = Identified(fit, fit.law.fault)
            if all(hint.law is not fit.law for hint in self.hints):
                self.hints.append(fit)

    def settle(self, name):
        """Try, in this order, what other blocks follow, what they suffer from, and everything else."""
        stream, eps = self.streams[name], self.eps[name]
        for hint in self.hints:
            if (best := follow_hint(stream, eps, hint)) is not None:
                return self.keep(name, best)
        laws = [PLAIN, *(h.law for h in self.hints if h.law is not PLAIN)] if self.hints else []
        changed = self.like_others(name) or self.impostor(name, laws)
        if changed is not None:
            self.found[name] = changed
            return None
        if self.unknown < 2:  # where two blocks move by no known law, the others will too
            self.keep(name, follow(stream, eps, len(self.streams)))
        if name not in self.found and stream.move.shape[1] >= 4:
            self.depart(name)
        return None

    def impostor(self, name, laws, kind=None):
        starts = {item.fit.law.name: item.fit.constants for item in self.found.values() if item.fit.exact}
        return impostor(name, self.streams, self.shapes, self.eps[name], laws, starts, kind)

    def like_others(self, name):
        """Try the mistakes found in other blocks."""
        for other in [item for item in self.found.values() if item.kind and not item.fit.law.fault]:
            if other.fit.exact and (found := self.impostor(name, [other.fit.law], other.kind)) is not None:
                return found
        return None

    def depart(self, name):
        """Try all common laws on all that may have taken the gradient's place, then say what is left."""
        laws = [hint.law for hint in self.hints]
        laws += [law for law in (COMMON if not self.unknown else LINEAR[:7]) if law not in laws]
        found = self.like_others(name) or self.impostor(name, laws)
        if found is None:
            stream, eps = self.streams[name], self.eps[name]
            nearest = min((fit(stream, law, "stated", eps) for law in laws), key=lambda f: f.residual)
            found = Identified(nearest, *_last_resort(name, self.streams, self.shapes, eps))
            self.unknown += found.kind == "unknown"
        self.found[name] = found


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
