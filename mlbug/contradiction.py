"""Do loss and scores speak of the same model?"""

import numpy as np

from .fitting import minimize
from .report import Finding
from .score_agreement import Agreement
from .scoring import is_classification, predictions

SAME_PARAMETERS = (
    "Let loss and scores call one forward function with one set of parameters; compare both after restoring."
)


def score_agreement(guard):
    """Report scores that do not use the parameters that the loss uses."""
    if guard.problem.scores is None:
        return []
    agreement = Agreement(guard, guard.problem.train)
    name = agreement.holds()
    if name is not None:
        text = f"Loss and scores agree: the loss is the {name} of the scores, at random parameters too."
        return [Finding("train-test", "ok", (), {"loss": name}, text, "", "scores-agree")]
    found = agreement.exchange()
    if found is not None:
        places, change = found
        text = (
            f"The scores do not use the parameters as the loss does: with {change} in them, the "
            "loss computed from them "
            "equals the program's loss to rounding, and otherwise it does not."
        )
        return [
            Finding(
                "train-test", "fault", places, {"exchange": change}, text, SAME_PARAMETERS, "scores-exchanged"
            )
        ]
    return contradiction(guard)


def contradiction(guard):
    """Report a training loss that is low while the scores of the same examples are often wrong."""
    batch, bare = guard.problem.train, guard.without_regularizer()
    classes = is_classification(guard, batch)
    if not classes and not _comparable(guard, batch):
        return []
    low = minimize(bare, batch, steps=100)
    before, after = low.losses[0], low.losses[-1]
    if not 0.0 <= after < 0.15 * before:
        return []
    scores = guard.scores(low.params, guard.inputs_of(batch))
    wrong, evidence = (
        _class_evidence(scores, batch[-1], after) if classes else _value_evidence(scores, batch[-1])
    )
    if not wrong:
        return []
    text = (
        f"The training loss can be brought from {before:.3g} to {after:.3g}, yet the scores of the "
        "same examples "
        f"are then wrong ({evidence}): loss and scores see different parameters or different inputs."
    )
    evidence = {"loss": [before, after], "scores": evidence}
    return [
        Finding(
            "train-test", "fault", ("inputs",), evidence, text, SAME_PARAMETERS, "loss-contradicts-scores"
        )
    ]


def _comparable(guard, batch):
    targets = batch[-1]
    if len(batch[0]) < 20 or targets.dtype.kind not in "fiu" or not (targets != targets[:1]).any():
        return False
    return predictions(guard.scores(guard.params(), guard.inputs_of(batch)), targets) is not None


def _class_evidence(scores, targets, loss):
    """A wrong answer costs at least about 0.2 / k in all usual losses of k classes."""
    share = float(np.mean(scores.argmax(axis=1) != targets))
    return share > 0.05 and share > 5.0 * scores.shape[1] * loss, f"{share:.0%} of the classes"


def _value_evidence(scores, targets):
    """Whatever the loss, scores that fit their targets rise with them; ranks do not mind the scale."""
    fit = predictions(scores, targets).reshape(len(targets), -1)
    ranks = [np.argsort(np.argsort(a.reshape(len(targets), -1), axis=0), axis=0) for a in (fit, targets)]
    centered = [r - r.mean(axis=0) for r in ranks]
    agreement = float((centered[0] * centered[1]).sum() / (centered[1] ** 2).sum())
    return agreement < 0.2, f"their rank correlation with the targets is {agreement:.2f}"
