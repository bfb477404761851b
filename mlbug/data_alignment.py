"""Are targets in step with their inputs, and do the inputs tell anything about them?"""

import numpy as np

from .probing import all_inputs, as_table
from .report import Finding
from .simple_predictor import Explainer, features, target_columns

SHIFTS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
MIN_ROWS = 30
MAX_ROWS = 2000


def label_shift(guard):
    """Shift targets against inputs and see whether they fit better than as they stand.

    Each half of the rows is looked at too, since a row lost in the middle puts only the rest out of step.
    """
    findings = []
    for field in ("train", "test"):
        batch = getattr(guard.problem, field)
        if batch is None or len(batch) < 2 or len(batch[0]) < MIN_ROWS:
            continue
        found = _shift_of(guard, batch)
        if found is not None:
            findings.append(_shift_finding(field, *found))
    return findings


def _shift_of(guard, batch):
    """Return part, shift, share explained as it stands and shifted, and the level of chance, or None."""
    table, columns = _table_and_columns(batch, guard.seed)
    if table is None:
        return None
    n = len(table)
    parts = {"": slice(0, n)}
    if n >= 4 * MIN_ROWS:
        parts |= {"first half of the ": slice(0, n // 2), "second half of the ": slice(n // 2, n)}
    for part, rows in parts.items():
        explainer, y = Explainer(table[rows]), columns[rows]
        now = explainer.explained(y)
        shifted = {s: explainer.explained(np.roll(y, s, axis=0)) for s in SHIFTS}
        best = max(shifted, key=shifted.get)
        chance = _chance(explainer, y, guard.seed)
        # out of step: nothing explained as it stands, much when shifted
        if shifted[best] > max(0.1, chance + 0.08) and now < max(chance, 0.3 * shifted[best]):
            return part, best, now, shifted[best], chance
    return None


def _table_and_columns(batch, seed):
    table = as_table(all_inputs(batch))
    columns = target_columns(batch[-1])
    if table is None or columns is None or not np.isfinite(table).all() or not (table != table[:1]).any():
        return None, None
    return features(table[:MAX_ROWS], seed), columns[:MAX_ROWS]


def _chance(explainer, columns, seed, draws=20):
    """Return the largest share explained over random orders of the targets: the shuffled-label baseline."""
    rng = np.random.default_rng(seed)
    return max(explainer.explained(columns[rng.permutation(len(columns))]) for _ in range(draws))


def _shift_finding(field, part, shift, now, then, chance):
    text = (
        f"In the {part}{field} set the inputs explain {max(now, 0.0):.0%} of the targets as they "
        f"stand, but {then:.0%} of "
        f"the targets {abs(shift)} {'row' if abs(shift) == 1 else 'rows'} "
        f"{'earlier' if shift > 0 else 'later'} "
        f"(shuffled targets: at most {max(chance, 0.0):.0%}): inputs and targets are out of step."
    )
    evidence = {
        "shift": shift,
        "explained": now,
        "explained when shifted": then,
        "explained when shuffled": chance,
    }
    step = "Join inputs and targets by a key, or shuffle and cut both by one index."
    return Finding("data", "fault", ("targets",), evidence, text, step, "label-shift")


def information(guard):
    """Compare what inputs tell about targets in the training and in the test set with shuffled targets."""
    train, test = guard.problem.train, guard.problem.test
    known = {}
    for field, batch in (("train", train), ("test", test)):
        if batch is None or len(batch) < 2 or len(batch[0]) < MIN_ROWS:
            continue
        table, columns = _table_and_columns(batch, guard.seed)
        if table is None:
            continue
        explainer = Explainer(table)
        known[field] = (explainer.explained(columns), _chance(explainer, columns, guard.seed))
    if len(known) < 2 or label_shift(guard):
        return []
    lost = [field for field, (explained, chance) in known.items() if explained <= chance]
    clear = [field for field, (explained, chance) in known.items() if explained > max(0.3, chance + 0.25)]
    if not (lost and clear):
        return []
    evidence = {field: {"explained": a, "shuffled": b} for field, (a, b) in known.items()}
    text = (
        f"The {clear[0]} inputs explain {known[clear[0]][0]:.0%} of their targets, the {lost[0]} "
        "inputs no more than they "
        f"explain of shuffled ones: the {lost[0]} targets do not belong to their inputs."
    )
    step = (
        f"Look how the {lost[0]} targets are read: inputs sorted or shuffled without them is the usual cause."
    )
    return [Finding("data", "fault", ("targets",), evidence, text, step, "unrelated-targets")]


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
    normal = seen.T @ seen
    normal[np.diag_indices_from(normal)] += 0.03 * np.trace(normal) / len(normal)
    weights = np.linalg.solve(normal, seen.T @ (train[-1][:, None] == values).astype(float))
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
