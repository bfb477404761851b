"""Tests of the three runs that end at one loss."""

import numpy as np
import pytest

from mlbug.alike_runs import NETWORK, RUNS, TARGET, alike_run, descend_to
from mlbug.deep_network import deep_data


@pytest.mark.parametrize("name", RUNS)
def test_runs_stop_at_the_same_loss(name):
    """Each run ends at the first loss not above the target, and close to it."""
    losses = alike_run(name).losses
    assert 0.95 * TARGET < losses[-1] <= TARGET < losses[:-1].min()


def test_each_fault_has_its_own_picture():
    """One run alone rises, and one run alone has units that never switch on."""
    assert [name for name in RUNS if alike_run(name).largest_rise > 0.5] == ["jagged"]
    assert [name for name in RUNS if alike_run(name).dead_share > 0.5] == ["dead"]
    assert alike_run("sound").largest_rise == alike_run("sound").dead_share == 0.0


def test_the_last_loss_is_that_of_the_outputs():
    """Half the mean squared difference of the kept outputs and targets is the last loss."""
    run = alike_run("sound")
    assert 0.5 * np.mean((run.outputs - run.targets) ** 2) == pytest.approx(run.losses[-1], rel=1e-12)


def test_descent_stops_at_once_and_gives_up():
    """A start below the target takes no step; a target out of reach takes all steps; NaN does not loop."""
    start, batch = NETWORK.start(), deep_data(20)
    common = {"learning_rate": 0.01, "steps": 5}
    assert len(descend_to(NETWORK, start, batch, target=1e9, **common)[0]) == 1
    assert len(descend_to(NETWORK, start, batch, target=0.0, **common)[0]) == 6
    broken = (batch[0] * np.nan, batch[1])
    assert len(descend_to(NETWORK, start, broken, target=0.5, **common)[0]) == 6
