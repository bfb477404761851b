"""Do the scores come from the same parameters as the loss?"""

from itertools import combinations

import numpy as np

from .probing import attempt, perturbed, rounding
from .scoring import predictions

TWICE = "log loss of a softmax of the scores"


class Agreement:
    """Compares the loss with the same loss computed from the scores, at several parameters.

    The usual losses are tried in turn (log loss, mean squared, half squared, summed, mean absolute
    error). Where none equals the program's loss nothing is concluded, unless an exchange of parameters
    makes it equal to rounding: that is no coincidence.

    Parameters
    ----------
    guard : Guard
        The program, which must have scores.
    batch : tuple of ndarray
        Examples on which to compare.
    """

    def __init__(self, guard, batch):
        self.guard = guard.without_regularizer() if guard.problem.regularizer is not None else guard
        self.batch = batch
        self.inputs = guard.inputs_of(batch)
        rng = np.random.default_rng(guard.seed)
        self.start = guard.params()
        self.points = [perturbed(self.start, rng, size) for size in (0.2, 0.5, 1.0)]
        self.losses = [attempt(self.guard.loss, p, batch) for p in self.points]
        self.tolerance = 1e5 * rounding(self.start)

    def holds(self):
        """Return the name of the loss that the scores reproduce, or None."""
        return self._equal_loss(dict)

    def exchange(self):
        """Return parameter names and a description of the exchange that makes loss and scores agree, or None.

        Tried: two parameters of one shape swapped, alone or with all others that carry the same two
        numbers in their names; a square matrix transposed; a parameter left at its initial value.
        """
        if any(loss is None or not np.isfinite(loss) for loss in self.losses):
            return None
        for names, text, change in self._exchanges():
            if self._equal_loss(change):
                return names, text
        for names, text, losses in self._stale():
            if self._equal_loss(dict, losses) and not (len(names) == 1 and self._weighs_errors()):
                return names, text
        return None

    def _weighs_errors(self):
        """Say whether each example's loss is a sum of weighted squared errors of its scores, plus a constant.

        Then the scores are right, and a parameter that they do not use sets the weights: the noise of a
        likelihood, say.
        """
        params, n = self.points[-1], min(len(self.batch[0]), 60)
        scores = attempt(self.guard.scores, params, self.inputs)
        single = [
            attempt(self.guard.loss, params, self.guard.take(self.batch, slice(i, i + 1))) for i in range(n)
        ]
        fit = None if scores is None else predictions(scores, self.batch[-1])
        if fit is None or None in single or self.batch[-1].dtype.kind not in "fiu":
            return False
        off = (fit - self.batch[-1])[:n].reshape(n, -1).astype(float)
        design = np.concatenate([off**2, np.abs(off), np.ones((n, 1))], axis=1)
        if n < design.shape[1] + 5:
            return False
        single = np.array(single)
        rest = single - design @ np.linalg.lstsq(design, single, rcond=None)[0]
        return bool(np.linalg.norm(rest) <= 1e-6 * np.linalg.norm(single - single.mean()))

    def _equal_loss(self, change, losses=None):
        agreeing = None
        for params, loss in zip(self.points, losses or self.losses, strict=True):
            scores = attempt(self.guard.scores, change(params), self.inputs)
            if scores is None or loss is None or not np.isfinite(scores).all():
                return None
            values = losses_of_scores(scores, self.batch[-1])
            near = {k for k, v in values.items() if abs(v - loss) <= self.tolerance * max(abs(loss), abs(v))}
            agreeing = near if agreeing is None else agreeing & near
            if not agreeing:
                return None
        return sorted(agreeing)[0]

    def _exchanges(self):
        names = list(self.start)
        pairs = [(a, b) for a, b in combinations(names, 2) if self.start[a].shape == self.start[b].shape]
        for a, b in pairs:
            yield (a, b), f"{a} and {b} swapped", _swap([(a, b)])
        for group in _numbered_groups(pairs):
            flat = tuple(name for pair in group for name in pair)
            yield flat, " and ".join(f"{a} with {b}" for a, b in group) + " swapped", _swap(group)
        for name, value in self.start.items():
            if value.ndim == 2 and value.shape[0] == value.shape[1]:
                yield (name,), f"{name} transposed", lambda p, name=name: p | {name: p[name].T}

    def _stale(self):
        """Yield parameters, a text, and the losses with those parameters at their initial values."""
        names = list(self.start)
        for kept in ((), *((name,) for name in names)):
            held = kept or tuple(names)
            text = f"{', '.join(kept) or 'all parameters'} left at the initial value"
            yield (
                held,
                text,
                [
                    attempt(self.guard.loss, p | {n: self.start[n] for n in held}, self.batch)
                    for p in self.points
                ],
            )


def losses_of_scores(scores, targets):
    """Return the values that the usual losses have for these scores, by name."""
    if targets.dtype.kind in "iub" and targets.ndim == 1 and scores.ndim == 2 and scores.shape[1] > 1:
        labels = targets.astype(int)
        if labels.min() < 0 or labels.max() >= scores.shape[1] or scores.min() < 0.0:
            return {}
        chosen = scores[np.arange(len(labels)), labels]
        with np.errstate(divide="ignore"):
            logs = -np.log(chosen)
        again = np.log(np.exp(scores).sum(axis=1)) - chosen
        return {"log loss": logs.mean(), "summed log loss": logs.sum(), TWICE: again.mean()}
    if targets.dtype.kind not in "fiub" or predictions(scores, targets) is None:
        return {}
    off = predictions(scores, targets).astype(float) - targets
    n, square = len(off), float(np.square(off).sum())
    return {
        "mean squared error": square / off.size,
        "half mean squared error": 0.5 * square / off.size,
        "squared error per example": square / n,
        "half squared error per example": 0.5 * square / n,
        "summed squared error": square,
        "half summed squared error": 0.5 * square,
        "mean absolute error": float(np.abs(off).mean()),
        "root mean squared error": float(np.sqrt(square / off.size)),
    } | _binary_log_losses(scores, targets)


def _binary_log_losses(scores, targets):
    values = predictions(scores, targets)
    if not (np.isin(targets, (0, 1)).all() and (values > 0.0).all() and (values < 1.0).all()):
        return {}
    logs = -np.where(targets == 1, np.log(values), np.log1p(-values))
    return {
        "binary log loss": float(logs.mean()),
        "summed binary log loss": float(logs.sum()),
        "binary log loss per example": float(logs.sum() / len(logs)),
    }


def _swap(pairs):
    def change(params):
        swapped = dict(params)
        for a, b in pairs:
            swapped[a], swapped[b] = params[b], params[a]
        return swapped

    return change


def _numbered_groups(pairs):
    """Group pairs such as (W2, W3) and (b2, b3), whose names differ in the same two places."""
    groups = {}
    for a, b in pairs:
        at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
        if at is not None and len(a) == len(b) and a[at + 1 :] == b[at + 1 :]:
            groups.setdefault((a[at], b[at]), []).append((a, b))
    return [group for group in groups.values() if len(group) > 1]
