"""Which examples to fit, and when one counts as fitted."""

import numpy as np

from .probing import rounding
from .scoring import is_classification, predictions


class Judge:
    """Says by the scores whether examples are fitted."""

    def __init__(self, guard):
        self.guard, batch = guard, guard.problem.train
        self.kind = None
        if is_classification(guard, batch):
            self.kind = "class"
        elif guard.problem.scores is not None and batch[-1].dtype.kind in "fiu":
            scores = guard.scores(guard.params(), guard.inputs_of(batch))
            if predictions(scores, batch[-1]) is not None:
                self.kind = "value"
                self.scale = max(float(np.std(batch[-1])), 1e-3 * float(np.abs(batch[-1]).max()), 1e-300)

    def misfit(self, params, batch):
        """Return the largest misfit of an example: 1 - probability, or distance in spreads of the target."""
        scores = self.guard.scores(params, self.guard.inputs_of(batch))
        if self.kind == "class":
            labels = batch[-1].astype(int)
            return float(1.0 - scores[np.arange(len(labels)), labels].min())
        return float(np.abs(predictions(scores, batch[-1]) - batch[-1]).max()) / self.scale


def chosen_rows(guard, count):
    """Return rows with inputs that are not zero, at random, and different from each other."""
    batch, rng = guard.problem.train, np.random.default_rng(guard.seed)
    order = rng.permutation(len(batch[0]))
    chosen, seen = [], set()
    for i in order:
        parts = [np.asarray(array[i]) for array in batch[: max(1, len(batch) - 1)]]
        key = b"".join(part.tobytes() for part in parts)
        empty = all(part.dtype.kind in "fiub" and not np.any(part) for part in parts)
        if key in seen or empty:
            continue
        seen.add(key)
        chosen.append(int(i))
        if len(chosen) == count:
            break
    return chosen or [0]


def one_by_one(guard):
    """Say whether the loss of a batch is made of its examples' losses (batch normalization's is not)."""
    few = guard.take(guard.problem.train, slice(0, 4))
    whole = guard.loss(guard.params(), few)
    single = [guard.loss(guard.params(), guard.take(few, slice(i, i + 1))) for i in range(len(few[0]))]
    tolerance = 1e6 * rounding(guard.params()) * max(abs(whole), *map(abs, single))
    return abs(np.mean(single) - whole) <= tolerance or abs(np.sum(single) - whole) <= tolerance
