"""Tests of the small static graph and the program on it."""

import math

import numpy as np
import pytest

from mlbug.static_graph import PROGRAM, RUN_LINE, SLIPS, Graph, GraphError, run_program


@pytest.mark.parametrize("eager", [False, True])
def test_sound_program_computes_what_numpy_does(eager):
    """The printed loss is that of the same formula written in numpy."""
    rng = np.random.default_rng(0)
    w, v, x = rng.standard_normal((3, 4)), rng.standard_normal((4, 1)), rng.standard_normal((16, 3))
    loss = np.mean(-np.log(1.0 / (1.0 + np.exp(-(np.tanh(x @ w) @ v)))))
    outcome = run_program(eager=eager)
    assert outcome.loss == pytest.approx(loss, rel=1e-12)
    assert (outcome.stopped, outcome.message) == (0, "")


def test_a_built_graph_stops_where_it_is_run():
    """Exchanged sizes stop the built program at its run, the eager one at the product."""
    assert run_program("shape").stopped == RUN_LINE == len(PROGRAM)
    assert run_program("shape", eager=True).stopped == 5
    assert "(1, 4)" in run_program("shape").message


def test_nan_is_silent_unless_watched():
    """A logarithm of negative numbers stops nothing; a watched run stops at the line of the logarithm."""
    assert run_program("log").stopped == 0
    assert math.isnan(run_program("log").loss)
    assert run_program("log", watch=True).stopped == 7
    assert (run_program("log").watched, run_program("log", watch=True).watched) == (0, 8)


@pytest.mark.parametrize("examples", [1, 4, 64])
def test_a_sum_is_the_mean_times_the_examples(examples):
    """A sum in place of a mean raises nothing, and is larger by the number of examples."""
    ratio = run_program("sum", examples).loss / run_program("none", examples).loss
    assert ratio == pytest.approx(examples, rel=1e-12)


def test_slips_change_the_line_that_they_name():
    """The line shown for a slip is not the line of the program, and begins alike."""
    for line, code in SLIPS.values():
        assert code != PROGRAM[line - 1]
        assert code[0] == PROGRAM[line - 1][0]


def test_an_error_names_operation_and_shapes():
    """What does not fit is said with both shapes."""
    graph = Graph(eager=True)
    graph.value("a", np.ones((2, 3)), 1)
    with pytest.raises(GraphError, match=r"matmul does not fit shapes \(2, 3\) and \(2, 3\)"):
        graph.add("b", "matmul", "a", "a", line=2)
