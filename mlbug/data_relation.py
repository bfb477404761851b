"""Do training and test targets belong to their inputs in the same way?"""

import numpy as np

from .data_alignment import MAX_ROWS, MIN_ROWS, chance_level, label_shift
from .probing import all_inputs, as_table, first_rows
from .report import Finding
from .simple_predictor import Explainer, features, ridge, target_columns


def information(guard):
    """Compare what inputs tell about targets in the training and in the test set with shuffled targets.

    A set is at fault if the other one has a clear relation and it has none: neither one of its own, nor
    the other's.
    """
    sets = [b for b in (guard.problem.train, guard.problem.test) if b is not None]
    if len(sets) < 2 or len(sets[0]) < 2 or min(len(b[0]) for b in sets) < MIN_ROWS or label_shift(guard):
        return []
    both = _joint(sets, guard.seed)
    if both is None:
        return []
    known = []
    for design, columns in both:
        own = columns - columns.mean(axis=0)
        explainer = Explainer(design)
        known.append((explainer.explained(own), chance_level(explainer, own, guard.seed)))
    for clear, lost in ((0, 1), (1, 0)):
        explained, chance = known[clear]
        if explained > max(0.3, chance + 0.25) and known[lost][0] <= known[lost][1]:
            if _relation_holds(both[clear], both[lost], guard.seed):
                return []
            return [_unrelated(("train", "test")[clear], ("train", "test")[lost], known[clear], known[lost])]
    return []


def _joint(sets, seed):
    """Return features and target columns of two sets, made alike, as two pairs; None if not numeric."""
    sets = [first_rows(batch, MAX_ROWS) for batch in sets]
    tables = [as_table(all_inputs(batch)) for batch in sets]
    shapes = {batch[-1].shape[1:] for batch in sets}
    if any(t is None or not np.isfinite(t).all() for t in tables) or len(shapes) > 1:
        return None
    if tables[0].shape[1] != tables[1].shape[1] or not all((t != t[:1]).any() for t in tables):
        return None
    columns = target_columns(np.concatenate([batch[-1] for batch in sets]))
    if columns is None:
        return None
    n, design = len(tables[0]), features(np.concatenate(tables), seed)
    pairs = [(design[:n], columns[:n]), (design[n:], columns[n:])]
    return pairs if all(np.ptp(y, axis=0).max() > 0 for _, y in pairs) else None


def _relation_holds(clear, lost, seed, draws=50):
    """Say whether what one set teaches predicts the other's targets better than it predicts shuffled ones."""
    guess = lost[0] @ ridge(*clear)
    rng = np.random.default_rng(seed)
    match = np.sum(guess * lost[1])
    return match > max(np.sum(guess * lost[1][rng.permutation(len(guess))]) for _ in range(draws))


def _unrelated(clear, lost, known, unknown):
    evidence = {f: {"explained": a, "shuffled": b} for f, (a, b) in ((clear, known), (lost, unknown))}
    text = (
        f"The {clear} inputs explain {known[0]:.0%} of their targets, the {lost} inputs no more than "
        f"they explain of shuffled ones: the {lost} targets do not belong to their inputs."
    )
    step = f"Look how the {lost} targets are read: inputs sorted or shuffled without them is the usual cause."
    return Finding("data", "fault", ("targets",), evidence, text, step, "unrelated-targets")


def class_codes(guard):
    """Report test classes that are numbered otherwise than the training classes.

    A predictor learned on the training data names the test classes; if it is worse than guessing on the
    test targets as they stand, and good once classes are renamed, the two number them differently.
    """
    train, test = guard.problem.train, guard.problem.test
    if test is None or len(train) < 2 or train[-1].ndim != 1 or train[-1].dtype.kind not in "iub":
        return []
    tables = [as_table(all_inputs(batch)) for batch in (train, test)]
    values = np.unique(train[-1])
    if (
        any(t is None or not np.isfinite(t).all() for t in tables)
        or not 2 <= len(values) <= 30
        or len(test[0]) < MIN_ROWS
    ):
        return []
    if tables[0].shape[1] != tables[1].shape[1] or not set(np.unique(test[-1])) <= set(values):
        return []
    design = features(np.concatenate(tables), guard.seed)
    seen, new = design[: len(tables[0])], design[len(tables[0]) :]
    weights = ridge(seen, (train[-1][:, None] == values).astype(float))
    table = np.array(
        [
            [np.sum((new @ weights).argmax(axis=1)[test[-1] == v] == j) for j in range(len(values))]
            for v in values
        ]
    )
    own, total = np.trace(table) / table.sum(), table.sum()
    rename = _best_renaming(table)
    renamed = table[np.arange(len(values)), rename].sum() / total
    if not (own < 1.0 / len(values) and renamed > max(0.6, own + 0.4)):
        return []
    names = {str(v): str(values[j]) for v, j in zip(values, rename, strict=True) if values[j] != v}
    text = (
        f"A simple predictor learned on the training data is right on {own:.0%} of the test "
        "targets as they are numbered, "
        f"and on {renamed:.0%} once classes are renamed: the two sets number their classes differently."
    )
    evidence = {"test class: training class": names, "right as numbered": own, "right when renamed": renamed}
    step = "Number the classes by one table that is made once, from the training data."
    return [Finding("data", "fault", ("targets",), evidence, text, step, "class-codes")]


def _best_renaming(table):
    """Match rows to columns of a confusion table greedily, the largest counts first."""
    k = len(table)
    match, free = np.full(k, -1), set(range(k))
    for flat in np.argsort(-table, axis=None, kind="stable"):
        i, j = divmod(int(flat), k)
        if match[i] < 0 and j in free:
            match[i] = j
            free.discard(j)
    return match
