"""Rows that occur more than once, and test rows that stand in the training set."""

from collections import Counter

import numpy as np

from .probing import all_inputs
from .report import Finding


def duplicates(guard):
    """Report training rows, inputs and target, that repeat more often than whole numbers explain."""
    batch = guard.problem.train
    keys = _keys(batch)
    n = len(keys)
    copies = n - len(set(keys))
    if n < 10 or not copies:
        return []
    share = copies / n
    if share < 0.2 or not _continuous(batch):
        return []
    text = f"{share:.0%} of the training rows are copies of another one, so that it counts several times."
    evidence = {"copies": copies, "rows": n}
    step = "Remove the copies before splitting the data, or see that they are meant."
    return [Finding("data", "suspect", ("inputs",), evidence, text, step, "duplicates")]


def shared_rows(guard):
    """Report test rows, inputs and target, that are training rows too."""
    train, test = guard.problem.train, guard.problem.test
    if (
        test is None
        or len(train) != len(test)
        or any(a.shape[1:] != b.shape[1:] for a, b in zip(train, test, strict=True))
    ):
        return []
    counts, judged = Counter(_keys(train)), _keys(test)
    repeated = {key for key, count in Counter(judged).items() if count > 1}
    # rows that repeat within one set (an empty image, say) come back in the other by nature
    shared = [i for i, key in enumerate(judged) if counts[key] == 1 and key not in repeated]
    if not shared:
        known = set(_keys(all_inputs(train)))
        same = sum(key in known for key in _keys(all_inputs(test)))
        return _same_inputs(same, len(judged)) if _continuous(train) and same > 0.5 * len(judged) else []
    expected = _expected_matches(train, len(judged))
    evidence = {
        "shared rows": len(shared),
        "test rows": len(judged),
        "first": shared[:5],
        "expected by chance": expected,
    }
    share = len(shared) / len(judged)
    text = (
        f"{len(shared)} of the {len(judged)} test rows ({share:.0%}) are training rows as well, "
        "inputs and target; "
        f"by chance {expected:.2g} would be. The test error is measured on what was learned by heart."
    )
    step = "Split again, by one permutation cut once, and assert that no row is in both parts."
    clear = len(shared) > expected + 6.0 * np.sqrt(expected) + (0 if _continuous(train) else 6)
    status = "fault" if clear and share >= 0.01 else "suspect"
    if not clear:
        return []
    return [Finding("data", status, ("inputs",), evidence, text, step, "test-in-train")]


def _same_inputs(count, total):
    text = f"{count} of the {total} test inputs are training inputs too, with other targets."
    step = (
        "See that test data are new inputs, not new measurements of old ones, if that is what is to "
        "be judged."
    )
    return [Finding("data", "suspect", ("inputs",), {"shared inputs": count}, text, step, "same-inputs")]


def _expected_matches(train, m):
    """Estimate from pairs within the training rows how many of m new rows occur among them by chance."""
    n = len(train[0])
    if _continuous(train) or n < 2:
        return 0.0
    counts = np.array(list(Counter(_keys(train)).values()), dtype=float)
    pairs = float((counts * (counts - 1)).sum() / 2.0) + 1.0  # one more, since none seen does not mean none
    return pairs / (n * (n - 1) / 2.0) * n * m


def _keys(arrays):
    # as float64, with one zero for both signs, so that equal numbers have equal bytes
    plain = [array.astype(float) + 0.0 if array.dtype.kind in "fiub" else array for array in arrays]
    columns = [np.ascontiguousarray(array).reshape(len(array), -1) for array in plain]
    return [b"|".join(column[i].tobytes() for column in columns) for i in range(len(columns[0]))]


def _continuous(arrays):
    """Say whether some column takes fractional values that hardly ever repeat, but in copies of a row."""
    _, first = np.unique(np.array(_keys(arrays), dtype=object), return_index=True)
    for array in arrays:
        if array.dtype.kind != "f":
            continue
        table = array.reshape(len(array), -1)[first]
        for column in table.T[:50]:
            if np.mean(column != np.round(column)) > 0.5 and len(np.unique(column)) > 0.7 * len(column):
                return True
    return False
