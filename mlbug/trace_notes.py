"""What is noted while complex arrays run through a loss."""

from dataclasses import dataclass, field

from .trace_mutations import Mutator


@dataclass
class Notes:
    """What happened to complex arrays during one call."""

    replaced: set[str] = field(default_factory=set)  # numpy functions that got a rule
    unsafe: set[str] = field(default_factory=set)  # operations that lose the imaginary part
    floats: list[complex] = field(default_factory=list)  # values that went through float()
    single: bool = False  # something was cast to single precision
    mutator: Mutator | None = None  # notes the operations, and spoils chosen ones


@dataclass
class Uses:
    """Counts the operations that take a parameter directly; at all but one of them it is real.

    `only` is the number of the use that keeps its imaginary part, or None for all.
    """

    only: int | None = None
    count: int = 0

    def take(self):
        self.count += 1
        return self.only is None or self.only == self.count - 1
