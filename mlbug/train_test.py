"""Train briefly, read training and test error together, and ask what explains them."""

import numpy as np

from .contradiction import score_agreement
from .fitting import trained
from .guard import UserFunctionError
from .penalty import penalty_faults
from .probing import finite
from .problem import as_guard
from .report import Finding
from .train_test_cases import four_cases


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
    findings += penalty_faults(guard)
    return findings + four_cases(guard, fit)


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
