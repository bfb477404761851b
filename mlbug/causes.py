"""Put the fault that explains the others first."""

# Kinds that follow from another fault wherever there is one, the further down the list the more so.
SYMPTOMS = (
    "unpaired",
    "ignores-inputs",
    "loss-contradicts-scores",
    "one-answer",
    "wrong-goal",
    "no-gradient",
    "no-descent",
    "out-of-reach",
    "no-first-order-decrease",
    "diverges",
)
# Faults outside the program come before those inside it, those before what is seen from its results.
ORDER = (
    "setup", "data", "gradients", "updates", "activations", "guarantees", "train-test", "tiny-dataset",
    "worst-mistakes",
)  # fmt: skip


def by_telling(findings):
    """Return faults in the order of how much they explain.

    Parameters
    ----------
    findings : iterable of Finding
        Faults.

    Returns
    -------
    list of Finding
    """

    def rank(finding):
        symptom = SYMPTOMS.index(finding.kind) + 1 if finding.kind in SYMPTOMS else 0
        stops = finding.kind in ("user-function", "not-finite")
        return (not stops, symptom, ORDER.index(finding.check))

    return sorted(findings, key=rank)


def consequences(faults):
    """Return the faults that the first one is likely to explain: symptoms, and repeats of its kind.

    Parameters
    ----------
    faults : list of Finding
        Faults as `by_telling` returns them.

    Returns
    -------
    list of Finding
    """
    if not faults:
        return []
    root = faults[0]
    return [
        f for f in faults[1:] if f.kind in SYMPTOMS or f.kind == root.kind or set(f.where) & set(root.where)
    ]
