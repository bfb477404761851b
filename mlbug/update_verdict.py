"""Judge identified laws: which are what the program states, and which depart."""

from dataclasses import dataclass

import numpy as np

from .update_fit import Fit


@dataclass(frozen=True)
class UpdateLaw:
    """How one parameter really moved.

    Parameters
    ----------
    law : str
        Name of the law.
    constants : dict of str to float
        Its constants, and ``rate``: the factor on the stated learning rate (on the step itself where no
        rate was stated); an array (steps,) if it changed from step to step.
    residual : float
        Norm of the unexplained part of the moves over the norm of the moves.
    kind : str
        What departs from descent along the parameter's own gradient; empty if nothing does.
    source : str
        Other parameter involved, if any.
    """

    law: str
    constants: dict[str, object]
    residual: float
    kind: str = ""
    source: str = ""

    def __str__(self):
        constants = ", ".join(f"{name} {_short(value)}" for name, value in self.constants.items())
        departs = f"; departs: {self.kind}" if self.kind else ""
        return f"{self.law} ({constants}), residual {self.residual:.1e}{departs}"


def _short(value):
    return f"{value:.6g}" if np.ndim(value) == 0 else f"from {np.min(value):.3g} to {np.max(value):.3g}"


def judge(found, streams, learning_rate):
    """Return the law of each block with what departs in it.

    Parameters
    ----------
    found : dict of str to Identified
    streams : dict of str to Stream
    learning_rate : float or None
        The stated rate; None if the record has no rates.

    Returns
    -------
    dict of str to UpdateLaw
    """
    laws = {}
    for name, item in found.items():
        fit = _settle_clipping(item.fit, streams[name])
        kind = item.kind or _constants_kind(fit, streams[name])
        if not kind and learning_rate is not None:
            kind = _rate_kind(fit, streams[name], learning_rate)
        rate = fit.rate
        if fit.mode == "own" and learning_rate:
            rate = rate / learning_rate
        elif fit.mode == "schedule":
            rate = rate / streams[name].rate
        laws[name] = UpdateLaw(fit.law.name, fit.constants | {"rate": rate}, fit.residual, kind, item.source)
    return laws


def _settle_clipping(fit, stream):
    """Where every step was clipped, limit and rate are known as a product only: take the rate as stated."""
    limit = fit.constants.get("limit")
    if limit is None or fit.mode != "stated" or fit.rate <= 0 or fit.law.name.startswith("Adam"):
        return fit
    sizes = stream.total if fit.law.name.endswith("all gradients") else stream.norm
    if fit.law.name.endswith("value"):
        sizes = np.abs(stream.gradient[stream.gradient != 0])
    if np.min(sizes) > limit:
        return Fit(
            fit.law, fit.constants | {"limit": limit * fit.rate}, 1.0, "stated", fit.residual, fit.misfit
        )
    return fit


def _constants_kind(fit, stream):
    slack = max(1e-6, 10.0 * fit.residual)
    if np.any(np.asarray(fit.rate) < 0):
        return "sign"
    if fit.constants.get("momentum", 0.0) >= 1.0 - 1e-9:
        return "accumulates"
    if fit.constants.get("decay", 0.0) < -slack:
        return "decay-sign"
    if fit.law.name.startswith("momentum, already moving"):
        push = np.ravel(fit.rate)[0] * (1.0 if fit.mode == "schedule" else stream.rate[0])
        velocity = (stream.move[0] + push * stream.gradient[0]) / fit.constants["momentum"]
        return "velocity-start" if _proportional(velocity, stream.before[0]) else ""
    if fit.law.name.startswith("Adam without bias correction"):
        stuck = np.sqrt(1.0 - fit.constants["beta2"]) / (1.0 - fit.constants["beta1"])
        return "step-counter" if np.all(np.abs(fit.rate / stuck - 1.0) < 1e-3) else "no-correction"
    return ""


def _proportional(a, b):
    """Whether `a` is a multiple of `b`, which has at least two elements."""
    square = float(b @ b)
    return b.size > 1 and square > 0 and np.linalg.norm(a - (a @ b) / square * b) < 1e-6 * np.linalg.norm(a)


def _rate_kind(fit, stream, learning_rate):
    rates, slack = stream.rate, max(1e-6, 10.0 * fit.residual)
    if fit.constants.get("epsilon", 0.0) > 1e3 * np.max(np.abs(stream.gradient)):
        return ""  # such gradients show the rate over epsilon, and neither by itself
    factor = fit.rate
    if fit.mode == "element" or fit.law.name == "sign descent":
        return ""  # a sign times a constant is also a gradient clipped by value throughout
    if fit.mode == "schedule":
        power = fit.rate / rates**2
        if np.ptp(rates) > 0 and np.ptp(power) < slack * np.max(np.abs(power)):
            return "rate-squared"
        return "rate-vanishes" if _vanishes(fit.rate / rates) and _vanishes(fit.rate * stream.norm) else ""
    if fit.mode == "own":
        factor = fit.rate / learning_rate
    usual = [1.0] + [1.0 - value for name, value in fit.constants.items() if name == "momentum"]
    if any(abs(factor - value) <= slack * value for value in usual):
        return ""
    if fit.mode == "own":
        return "own-rate"
    return "twice" if abs(factor - 2.0) < 2.0 * slack else "rate"


def _vanishes(factors):
    """Whether a factor falls at every step, and to less than a thousandth within the record."""
    return bool(np.all(np.diff(factors) < 0) and factors[-1] < 1e-3 * factors[0])


def soften(laws, shapes):
    """Turn a departing rate into a remark where other blocks have another multiple: rates by parameter.

    A factor of 2 stays a fault on a weight array, and on a bias where other biases do not have it: to
    give all biases twice the rate is an old custom, to give it to one array is a repeated line.

    Parameters
    ----------
    laws : dict of str to UpdateLaw
    shapes : dict of str to tuple

    Returns
    -------
    dict of str to UpdateLaw
    """
    factors = [law.constants["rate"] for law in laws.values()]
    if len(factors) < 2 or (
        all(np.ndim(f) == 0 for f in factors) and np.ptp(factors) < 1e-6 * np.max(np.abs(factors))
    ):
        return laws
    biases = {name for name, shape in shapes.items() if len(shape) < 2}
    doubled = {name for name, law in laws.items() if law.kind == "twice"}
    custom = doubled == biases or doubled == set(shapes) - biases == set()
    result = {}
    for name, law in laws.items():
        keep = law.kind not in ("rate", "twice") or (law.kind == "twice" and not custom)
        result[name] = (
            law if keep else UpdateLaw(law.law, law.constants, law.residual, "rate-by-block", law.source)
        )
    return result
