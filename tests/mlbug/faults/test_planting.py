"""Every kind of fault can be planted, is drawn by its group's frequency, and really changes the program."""

import dataclasses

import numpy as np
import pytest

from mlbug.faults import GROUPS, all_faults, draw_faults, plant
from mlbug.report import CHECKS

FAULTS = all_faults()


def test_there_are_at_least_forty_kinds_with_known_checks_and_groups():
    """Each kind has a sentence, a group of the survey, and checks that exist."""
    assert len(FAULTS) >= 40
    for fault in FAULTS.values():
        assert fault.group in GROUPS
        assert set(fault.checks) <= set(CHECKS)
        assert fault.kinds
        assert fault.meaning.endswith(".")


@pytest.mark.parametrize("name", FAULTS)
def test_fault_makes_a_problem_with_its_place(name):
    """A planted fault is a valid Problem, and its place is a parameter, layer, group, keyword or data."""
    program, where = plant(name, seed=2)
    problem = program.problem()
    layers = {f"layer{i}" for i in range(1, 9)}
    known = {*problem.params, *layers, "inputs", "targets", "scores", "source", "l2"}
    assert set(where) <= known


def test_equal_seeds_plant_equal_faults():
    """Program and place follow from the seed."""
    (first, here), (second, there) = (plant("gradient-sign", seed=5) for _ in range(2))
    assert here == there
    assert all(np.array_equal(first.fields["params"][n], v) for n, v in second.fields["params"].items())


def test_gradient_fault_changes_one_gradient_alone():
    """The sign is wrong at the named place and right everywhere else."""
    program, (name,) = plant("gradient-sign", seed=1)
    params, train = program.fields["params"], program.fields["train"]
    wrong, right = program.fields["grad"](params, train), program.network.grad(params, train)
    assert np.array_equal(wrong[name], -right[name])
    assert all(np.array_equal(wrong[n], right[n]) for n in right if n != name)


def test_draw_knows_all_kinds_before_it_repeats_any():
    """A draw of as many as there are kinds has each once; a longer one follows the groups' frequencies."""
    assert {f.name for f in draw_faults(len(FAULTS))} == set(FAULTS)
    extra = draw_faults(len(FAULTS) + 3000)[len(FAULTS) :]
    share = sum(f.group == "training data" for f in extra) / len(extra)
    assert share == pytest.approx(GROUPS["training data"] / sum(GROUPS.values()), abs=0.02)


def test_fault_that_fits_nowhere_is_refused():
    """The error names the fault."""
    nowhere = dataclasses.replace(FAULTS["gradient-sign"], needs=lambda program: False)
    with pytest.raises(ValueError, match="gradient-sign fits none"):
        plant(nowhere)
