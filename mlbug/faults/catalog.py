"""What a planted fault is, and how often each group of faults is met in practice."""

from collections.abc import Callable
from dataclasses import dataclass

# Share of 21 practitioners who had met each group of faults (Humbatova et al., ICSE 2020, replication data).
GROUPS = {
    "training data": 0.95,
    "hyperparameters": 0.86,
    "preprocessing": 0.86,
    "model": 0.81,
    "layer": 0.76,
    "training process": 0.68,
    "shape": 0.67,
    "loss and gradient": 0.65,
    "input": 0.62,
    "evaluation": 0.60,
    "optimizer": 0.57,
    "activation": 0.43,
}


@dataclass(frozen=True)
class Fault:
    """One kind of fault.

    Parameters
    ----------
    name : str
        Its name.
    meaning : str
        One sentence: what is wrong in the program.
    group : str
        One of `GROUPS`.
    checks : tuple of str
        Checks that ought to find it, the most telling first.
    kinds : tuple of str
        Kinds of finding that name it rightly.
    plant : callable
        ``plant(program, rng) -> (program, where)``: the program with the fault, and its place.
    needs : callable
        ``needs(program) -> bool``: whether the fault can be planted there.
    """

    name: str
    meaning: str
    group: str
    checks: tuple[str, ...]
    kinds: tuple[str, ...]
    plant: Callable[..., object]
    needs: Callable[..., bool]


def fault(group, checks, kinds, needs=None):
    """Turn a function ``plant(program, rng)`` into a `Fault` named after it."""

    def make(plant):
        name = plant.__name__.replace("_", "-")
        meant, named = tuple(checks.split()), tuple(kinds.split())
        return Fault(name, plant.__doc__, group, meant, named, plant, needs or _always)

    return make


def _always(program):
    return True


def pick(program, rng, least=1, axes=None):
    """Return the name of a random parameter with at least `least` elements and, if given, so many axes."""
    names = [
        name
        for name, value in program.fields["params"].items()
        if value.size >= least and (axes is None or value.ndim == axes)
    ]
    return str(rng.choice(names))


def classes(program):
    """Whether the program is a classifier."""
    return program.network.task == "classes"


def layered(program):
    """Whether the program is a feed-forward network with a hidden layer."""
    return getattr(program.network, "depth", 1) > 1


def tabular(program):
    """Whether the inputs are a table whose columns are features."""
    return program.kind not in ("recurrent", "convolutional")
