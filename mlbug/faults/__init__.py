"""Plant known faults in random programs, and measure what the checks make of them."""

from .bench import operating_characteristics
from .catalog import GROUPS, Fault
from .planting import all_faults, draw_faults, plant
from .programs import KINDS, Program, healthy_models, random_program

__all__ = [
    "GROUPS",
    "KINDS",
    "Fault",
    "Program",
    "all_faults",
    "draw_faults",
    "healthy_models",
    "operating_characteristics",
    "plant",
    "random_program",
]
