"""Tests of the memory of an optimizer, saved and restored."""

import numpy as np
import pytest

from mlbug.closure_state import restore_state, save_state


def in_a_dict():
    """Return a rule that keeps arrays in a dict."""
    state = {"m": np.zeros(2)}

    def step(x):
        state["m"] = state["m"] + x
        state[len(state)] = 1
        return state["m"]

    return step


def in_place():
    """Return a rule that writes into an array."""
    m = np.zeros(2)

    def step(x):
        nonlocal m
        m += x
        return m.copy()

    return step


def in_a_helper():
    """Return a rule whose memory is in a function it calls."""
    inner = in_place()
    return lambda x: inner(x)


def in_a_list():
    """Return a rule that grows a list."""
    seen = []

    def step(x):
        seen.append(x)
        return np.sum(seen, axis=0)

    return step


class Momentum:
    """A rule that keeps its memory in attributes."""

    def __init__(self):
        self.m, self.count = np.zeros(2), 0

    def step(self, x):
        """Add to the memory."""
        self.m, self.count = self.m + x, self.count + 1
        return self.m * self.count

    __call__ = step


def in_a_default():
    """Return a rule with its memory in a default argument."""

    def step(x, m={"v": 0.0}):  # noqa: B006 - as some users do
        m["v"] = m["v"] + x
        return m["v"]

    return step


MAKERS = [in_a_dict, in_place, in_a_helper, in_a_list, lambda: Momentum().step, Momentum, in_a_default]


@pytest.mark.parametrize("make", MAKERS)
def test_restored_rule_starts_anew(make):
    """After a restore the rule does again what it did first, as often as one likes."""
    step = make()
    saved = save_state(step)
    first = np.array(step(np.ones(2)))
    assert not np.array_equal(np.array(step(np.ones(2))), first)
    for _ in range(2):
        restore_state(saved)
        np.testing.assert_array_equal(step(np.ones(2)), first)
        step(np.ones(2))


def test_foreign_objects_are_left_alone():
    """What is no plain data, such as a generator, is neither copied nor touched."""
    rng = np.random.default_rng(0)
    step = lambda x: x + rng.normal()  # noqa: E731
    saved = save_state(step)
    first = step(0.0)
    restore_state(saved)
    assert step(0.0) != first


def test_nothing_has_no_state():
    """A program without a rule has nothing to restore."""
    assert save_state(None) == []
