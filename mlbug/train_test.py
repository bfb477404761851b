"""Train briefly, read training and test error together, and ask what explains them."""

import numpy as np

from .fitting import minimize, train_by_rule
from .guard import UserFunctionError
from .penalty import strong_penalty
from .probing import finite
from .problem import as_guard
from .report import Finding
from .score_agreement import Agreement
from .scoring import is_classification
from .train_test_cases import four_cases

SAME_PARAMETERS = (
    "Let loss and scores call one forward function with one set of parameters; compare both after restoring."
)


def check_train_test(problem, seed=0):
    """Read training and test error together after a short training by the program's own rule.

    Looked for: a run that diverges; scores that do not come from the parameters that the loss uses, as
    after a faulty restore; a penalty that keeps the program from learning; the four cases of low and
    high errors, with their explanations and the next test.

    Parameters
    ----------
    problem : Problem or Guard
        The program. Without a learning rate and an update rule it is trained by `fitting.minimize`.
    seed : int, optional
        Seed of the parameters at which loss and scores are compared.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    try:
        start = guard.loss(guard.params(), guard.problem.train)
        if not np.isfinite(start):
            return [
                Finding("train-test", "skipped", meaning=f"The loss starts at {start}: see the setup check.")
            ]
        fit = trained(guard)
    except UserFunctionError as error:
        return [Finding("train-test", "skipped", meaning=f"The program could not be trained: {error}.")]
    findings = divergence(guard, fit)
    findings += score_agreement(guard)
    if any(finding.status == "fault" for finding in findings) or not finite(fit.params):
        return findings
    findings += strong_penalty(guard)
    return findings + four_cases(guard, fit)


def trained(guard):
    """Return the program's training run: by its own rule, or where it has none by `fitting.minimize`."""
    if "trained" not in guard.memo:
        own = guard.problem.update is not None or guard.problem.learning_rate is not None
        run = train_by_rule if own else minimize
        guard.memo["trained"] = run(guard, guard.problem.train)
    return guard.memo["trained"]


def divergence(guard, fit):
    """Report a run whose loss grows, and whether a smaller learning rate would help."""
    first, last = fit.losses[0], fit.losses[-1]
    lowest = min(fit.losses)
    scale = max(abs(first), abs(lowest), 1e-12)
    grows = fit.reason == "diverged" or (last > first + 0.5 * scale and last > lowest + scale)
    if not grows:
        return []
    names = _growing(fit)
    remedy = _smaller_rate(guard, first)
    shown = [fit.losses[0], *fit.losses[1 : min(4, len(fit.losses))], last]
    evidence = {"losses": shown, "steps": len(fit.losses) - 1, "learning rate": guard.problem.learning_rate}
    text = (
        f"Training makes the loss grow, from {first:.4g} over {fit.losses[1]:.4g} after one step to "
        f"{last:.4g}."
    )
    step = "Check the sign of the gradient and of the update first."
    if remedy is not None:
        evidence["learning rate that works"] = remedy
        text += (
            f" With the rate {remedy:.3g} in place of {guard.problem.learning_rate:g} it falls: the "
            "steps are too long."
        )
        step = f"Scale the inputs to spread 1, or lower the learning rate to about {remedy:.1g}."
    return [Finding("train-test", "fault", tuple(names), evidence, text, step, "diverges")]


def _growing(fit):
    """Return the parameters whose size grew at least a hundredth as much as that of the fastest one."""
    growth = {
        name: (values[-1] if np.isfinite(values[-1]) else np.inf) / max(values[0], 1e-3)
        for name, values in fit.norms.items()
    }
    top = max(growth.values(), default=1.0)
    if not np.isfinite(top):
        return [name for name, value in growth.items() if not np.isfinite(value)]
    return [name for name, value in growth.items() if value > 2.0 and value >= 0.01 * top]


def _smaller_rate(guard, first):
    """Return a learning rate, a power of ten smaller, with which plain descent lowers the loss, or None."""
    rate, batch = guard.problem.learning_rate, guard.problem.train
    if rate is None:
        return None
    for power in range(1, 9):
        params, losses, lower = guard.params(), [first], rate * 10.0**-power
        for _ in range(20):
            grads = guard.grad(params, batch)
            if guard.problem.update is not None:
                params = guard.update(params, grads, lower)
            else:
                params = {name: value - lower * grads[name] for name, value in params.items()}
            losses.append(guard.loss(params, batch) if finite(params) else np.inf)
            if not np.isfinite(losses[-1]):
                break
        guard.reset_update()
        if losses[-1] < first and losses[-1] <= min(losses) * 1.001 + 1e-12:
            return lower
    return None


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
            "loss computed from the "
            "scores equals the program's loss to rounding, and otherwise it does not."
        )
        return [
            Finding(
                "train-test", "fault", places, {"exchange": change}, text, SAME_PARAMETERS, "scores-exchanged"
            )
        ]
    return _contradiction(guard)


def _contradiction(guard):
    """Report a training loss that is low while the scores of the same examples are often wrong.

    A wrong answer costs at least about 0.2 / k in all usual losses of k classes, so that the share of
    errors is bounded by the loss.
    """
    batch = guard.problem.train
    if not is_classification(guard, batch):
        return []
    bare = guard.without_regularizer()
    low = minimize(bare, batch, steps=100)
    scores = guard.scores(low.params, guard.inputs_of(batch))
    share = float(np.mean(scores.argmax(axis=1) != batch[-1]))
    before, after = low.losses[0], low.losses[-1]
    if not (0.0 <= after < 0.15 * before and share > 0.05 and share > 5.0 * scores.shape[1] * after):
        return []
    evidence = {"loss": [before, after], "training error by scores": share}
    text = (
        f"The training loss can be brought from {before:.3g} to {after:.3g}, yet by its scores the "
        "program then errs on "
        f"{share:.0%} of the same examples: loss and scores see different parameters or different inputs."
    )
    return [
        Finding(
            "train-test", "fault", ("inputs",), evidence, text, SAME_PARAMETERS, "loss-contradicts-scores"
        )
    ]
