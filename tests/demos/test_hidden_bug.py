"""The map of the hidden bug agrees with the demo that it sends its cells to, and with its own border."""

import numpy as np
import pytest

from demos import bias_update, hidden_bug


def run(demo, **changes):
    return demo.frame(**{**{name: control["value"] for name, control in demo.controls.items()}, **changes})


def test_first_state_is_a_hidden_cell():
    """The cell at hand hides the bug, and most other cells show it."""
    frame = run(hidden_bug)
    assert frame["numbers"]["ratio"] < 2.0
    assert frame["tone"] == "plain"
    assert 4 <= frame["numbers"]["hidden"] <= 20
    assert f"{frame['numbers']['ratio']:.2f} times" in frame["verdict"]


@pytest.mark.parametrize("preset", hidden_bug.presets)
def test_sent_cell_has_the_same_error_there(preset):
    """The demo that receives a cell computes the same errors for it, step by step."""
    sent = {name: control["value"] for name, control in hidden_bug.controls.items()} | hidden_bug.presets[
        preset
    ]
    here, there = hidden_bug.frame(**sent)["numbers"], run(bias_update, **sent)["numbers"]
    assert here["error"] == pytest.approx(there["error"], rel=1e-9)
    assert here["error_repaired"] == pytest.approx(there["error_repaired"], rel=1e-9)


def test_rings_lie_below_the_border():
    """A cell hides the bug where its center lies below the theory line, and nowhere else."""
    tables = run(hidden_bug)["tables"]
    cells, line = tables["cells"], tables["theory"]
    border = np.interp(cells["input_mean"], line["input_mean"], np.nan_to_num(line["input_spread"]))
    assert np.array_equal(cells["ratio"] < 2.0, cells["input_spread"] < border)


def test_centered_wide_inputs_show_it():
    """With inputs around 0 the error is a thousand times the repaired copy's, and the verdict says so."""
    frame = run(hidden_bug, **hidden_bug.presets["It shows"])
    assert frame["numbers"]["ratio"] > 1000.0
    assert "it shows" in frame["verdict"]
    assert frame["tone"] == "bad"


def test_a_longer_run_hides_less():
    """The further the bias has fallen, the fewer inputs hide it."""
    assert run(hidden_bug, steps=100)["numbers"]["hidden"] > run(hidden_bug, steps=600)["numbers"]["hidden"]


def test_a_broken_weight_hides_in_fewer_cells():
    """The bias can make up for the weight only where the inputs hardly vary around 0."""
    frame = run(hidden_bug, rule="constant-weight")
    assert 0 < frame["numbers"]["hidden"] < run(hidden_bug)["numbers"]["hidden"]
