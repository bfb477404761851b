"""Wrong steps of an algorithm that must never raise its objective; they bring their own program."""

from .catalog import fault
from .mixture import mixture_fields
from .programs import Program

KINDS = "objective-rises stops-off-optimum gradient-at-minimum"


def _mixture(rng, slip):
    model, fields = mixture_fields(rng, slip)
    return Program("mixture", model, fields)


@fault("training process", "guarantees", KINDS)
def precision_of_a_mixture(program, rng):
    """Expectation maximization takes half the precision that maximizes the likelihood."""
    return _mixture(rng, "precision"), ("beta",)


@fault("training process", "guarantees", KINDS)
def responsibilities_without_weights(program, rng):
    """Expectation maximization leaves the mixing weights out of the responsibilities."""
    return _mixture(rng, "responsibility"), ("mu", "pi", "beta")


@fault("training process", "guarantees", KINDS)
def mean_over_half_the_data(program, rng):
    """Expectation maximization divides the sum for each mean by half the number of examples."""
    return _mixture(rng, "mean"), ("mu", "pi", "beta")
