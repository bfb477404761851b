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
    if "label shift" not in guard.memo:
        sets = {"train": guard.problem.train, "test": guard.problem.test}
        usable = {f: b for f, b in sets.items() if b is not None and len(b) > 1 and len(b[0]) >= MIN_ROWS}
        found = {field: _shift_of(guard, batch) for field, batch in usable.items()}
        guard.memo["label shift"] = [_shift_finding(field, *f) for field, f in found.items() if f is not None]
    return guard.memo["label shift"]


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
        chance = chance_level(explainer, y, guard.seed)
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


def chance_level(explainer, columns, seed, draws=20):
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
