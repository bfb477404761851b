"""Draw faults by how often they are met, and plant them in random programs."""

import numpy as np

from . import data_faults, evaluation_faults, gradient_faults, model_faults, step_faults, update_faults
from .catalog import GROUPS, Fault
from .programs import KINDS, random_program

_MODULES = (data_faults, evaluation_faults, gradient_faults, model_faults, step_faults, update_faults)


def all_faults():
    """Return all kinds of fault, by name."""
    found = [f for module in _MODULES for f in vars(module).values() if isinstance(f, Fault)]
    return {f.name: f for f in sorted(found, key=lambda f: f.name)}


def draw_faults(count, seed=0):
    """Draw faults: the group by its frequency in practice, the kind within the group evenly.

    Every kind is drawn once before any is drawn again, so that a small sample knows them all.

    Parameters
    ----------
    count : int
        Number of faults.
    seed : int, optional
        Seed of the draw.

    Returns
    -------
    list of Fault
    """
    faults, rng = all_faults(), np.random.default_rng(seed)
    drawn = [faults[name] for name in rng.permutation(list(faults))[:count]]
    weights = np.array(list(GROUPS.values())) / sum(GROUPS.values())
    while len(drawn) < count:
        group = rng.choice(list(GROUPS), p=weights)
        drawn.append(faults[str(rng.choice([f.name for f in faults.values() if f.group == group]))])
    return drawn


def plant(fault, seed=0):
    """Plant a fault in a random program that it fits.

    Parameters
    ----------
    fault : Fault or str
        The fault, or its name.
    seed : int, optional
        Seed of the program and of the place.

    Returns
    -------
    program : Program
        The faulty program.
    where : tuple of str
        Names at fault; empty if the fault is not local.
    """
    fault = all_faults()[fault] if isinstance(fault, str) else fault
    rng = np.random.default_rng([seed, 1])
    kinds = list(rng.permutation(KINDS))
    for attempt in range(200):
        program = random_program(rng, kinds[attempt % len(kinds)])
        if fault.needs(program):
            return fault.plant(program, rng)
    raise ValueError(f"{fault.name} fits none of 200 random programs")
