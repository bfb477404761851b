"""The laws that are tried, the simplest first, and the mistakes that have a form of their own."""

from functools import partial

import numpy as np

from .update_adaptive import Adaptive, adadelta, sign_momentum
from .update_laws import (
    Law,
    accumulate,
    clipped,
    coupled,
    decoupled,
    gradient_descent,
    momentum,
    running_momentum,
    sign_descent,
    twice,
)

Starts = dict[str, tuple[float, ...]]

MU: Starts = {"momentum": (0.9, 0.5, 0.99)}
DECAY: Starts = {"decay": (0.0,)}
EPSILON: Starts = {"epsilon": (1e-8, 1e-5)}
SECOND: Starts = {"beta2": (0.999, 0.99, 0.9)} | EPSILON
ADAM: Starts = {"beta1": (0.9, 0.5)} | SECOND


def _momenta():
    for name, nesterov in (("momentum", False), ("Nesterov momentum", True)):
        for inside in (False, True):
            note = " (rate inside the velocity)" if inside else ""
            yield Law(name + note, MU, partial(momentum, inside=inside, nesterov=nesterov))


def _decayed(law):
    yield Law(
        f"{law.name} with weight decay in the gradient", dict(law.starts) | DECAY, coupled(law.direction)
    )
    yield Law(f"{law.name} with decoupled weight decay", dict(law.starts) | DECAY, decoupled(law.direction))
    yield Law(
        f"{law.name} with decoupled weight decay that ignores the rate",
        dict(law.starts) | DECAY,
        decoupled(law.direction, stated=False),
    )


PLAIN = Law("gradient descent", {}, gradient_descent)
MOMENTA = tuple(_momenta())
RUNNING = tuple(
    Law("momentum, already moving" + note, MU, partial(running_momentum, inside=inside))
    for note, inside in (("", False), (" (rate inside the velocity)", True))
)
SIGN = Law("sign descent", {}, sign_descent)
PLAIN_DECAY = (
    Law("gradient descent with weight decay", DECAY, coupled(gradient_descent)),
    Law(
        "gradient descent with weight decay that ignores the rate",
        DECAY,
        decoupled(gradient_descent, stated=False),
    ),
)
LINEAR = (PLAIN, *PLAIN_DECAY, *MOMENTA, *(decayed for law in MOMENTA for decayed in _decayed(law)), SIGN)

_ADAM = Law("Adam", ADAM, Adaptive(True, True))
_ADAM_PLAIN = Law("Adam without bias correction", ADAM, Adaptive())
_RMSPROP = Law("RMSprop", SECOND, Adaptive())
_ADAGRAD = Law("Adagrad", EPSILON, Adaptive(size="sum"))
_ADAMW = next(law for law in _decayed(_ADAM) if law.name.endswith("decoupled weight decay"))
BASIC = (_ADAGRAD, _RMSPROP, _ADAM, _ADAM_PLAIN)
ADAPTIVE = (
    *BASIC,
    Law("Adam (epsilon before the correction)", ADAM, Adaptive(True, True, late=True)),
    Law("RMSprop (epsilon under the root)", SECOND, Adaptive(inner=True)),
    Law("Adam (epsilon under the root)", ADAM, Adaptive(True, True, inner=True)),
    Law("Adagrad (epsilon under the root)", EPSILON, Adaptive(size="sum", inner=True)),
    *_decayed(_ADAM),
    *tuple(_decayed(_RMSPROP))[:2],
    *tuple(_decayed(_ADAM_PLAIN))[:2],
    Law("AMSGrad", ADAM, Adaptive(True, True, size="max")),
    Law("Adamax", ADAM, Adaptive(first=True, size="peak")),
    Law("Adamax (epsilon beside the gradient)", ADAM, Adaptive(first=True, size="peak", inner=True)),
    Law("Nadam", ADAM, Adaptive(True, True, ahead="plain")),
    Law("Nadam with rising momentum", ADAM, Adaptive(True, True, ahead="warming")),
    Law("RMSprop with momentum", SECOND | MU, accumulate(Adaptive())),
    Law("RMSprop with bias correction", SECOND, Adaptive(second=True)),
    Law("Adadelta", {"beta2": (0.9, 0.95), "epsilon": (1e-6, 1e-8)}, adadelta),
    Law("Lion", {"beta1": (0.9,), "beta2": (0.99,)}, sign_momentum),
)
COMMON = (PLAIN, PLAIN_DECAY[0], *MOMENTA, *BASIC, _ADAMW)
SCHEDULED = (PLAIN, PLAIN_DECAY[0], MOMENTA[0], MOMENTA[2], RUNNING[1], *BASIC)


def clipping(stream):
    """Return the laws with a clipped gradient, with limits between the sizes that `stream` shows."""
    for by, sizes, note in (
        ("value", np.abs(stream.gradient), "value"),
        ("norm", stream.norm, "the norm of its block"),
        ("total", stream.total, "the norm of all gradients"),
    ):
        seen = sizes[sizes > 0]
        if seen.size == 0:
            continue
        limits = tuple(np.geomspace(max(seen.min(), 1e-6 * seen.max()) / 2.0, seen.max(), 40))
        for law in (PLAIN, *MOMENTA[:2], _ADAM):
            starts: Starts = {name: values[:1] for name, values in law.starts.items()} | {"limit": limits}
            yield Law(f"{law.name}, gradient clipped by {note}", starts, clipped(law.direction, by))


def mistakes(blocks):
    """Return laws that are known mistakes, for a program of `blocks` parameters.

    Parameters
    ----------
    blocks : int
        Number of parameter blocks; a step counter that all of them advance runs that much faster.
    """
    found = [
        Law("Adam whose first moment alone is corrected", ADAM, Adaptive(first=True), "bias-correction"),
        Law("Adam whose second moment alone is corrected", ADAM, Adaptive(second=True), "bias-correction"),
        Law("Adam without the root", ADAM, Adaptive(True, True, power=1.0), "no-root"),
        Law("RMSprop without the root", SECOND, Adaptive(power=1.0), "no-root"),
        Law("Adagrad without the root", EPSILON, Adaptive(size="sum", power=1.0), "no-root"),
        Law("Adam with one array for both moments", ADAM, Adaptive(True, True, size="shared"), "aliased"),
        Law("momentum, run twice in a step", MU, twice(momentum), "twice"),
        Law("momentum, run twice in a step", MU, twice(partial(momentum, inside=True)), "twice"),
        Law("Adam, run twice in a step", ADAM, twice(_ADAM.direction), "twice"),
        Law("RMSprop, run twice in a step", SECOND, twice(_RMSPROP.direction), "twice"),
        Law("Adagrad, run twice in a step", EPSILON, twice(_ADAGRAD.direction), "twice"),
        Law(
            "Adam with weight decay, run twice in a step", ADAM | DECAY, twice(_ADAM.direction, True), "twice"
        ),
    ]
    if blocks > 1:
        found += [
            Law(
                "Adam whose counter all blocks advance",
                ADAM,
                Adaptive(True, True, stride=blocks, offset=k),
                "step-counter",
            )
            for k in range(min(blocks, 12))
        ]
    return found
