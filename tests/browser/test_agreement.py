"""CPython and the browser's Pyodide compute the same frames."""

import itertools
import random

import numpy as np
import pytest

from book._ext import bake, frames
from book._ext.controls import controls_of, first_values
from tests.browser.reader import START_LIMIT, demos_by_page

STATES = 24


def grid(demo):
    """Return control values that cross each other's ends and middles, the first state among them."""
    controls = controls_of(demo)
    chosen = [[ticks[0], ticks[len(ticks) // 2], ticks[-1]] if c.kind == "range" else ticks
              for c in controls for ticks in [c.ticks()]]  # fmt: skip
    states = [
        dict(zip([c.name for c in controls], values, strict=True)) for values in itertools.product(*chosen)
    ]
    random.Random(0).shuffle(states)
    return [first_values(demo), *states[:STATES]]


@pytest.fixture(scope="module")
def pyodide(chromium, address):
    """A page whose Python is up, as a function that computes a frame."""
    page = chromium.new_page()
    page.goto(address + "why-bugs-hide.html")
    page.locator("figure.demo").first.scroll_into_view_if_needed()
    page.wait_for_selector("figure.demo[data-state=live]", timeout=START_LIMIT)
    yield lambda name, script, values: page.evaluate(
        "([name, script, values]) => course.python.run(name, script, values)", [name, script, values]
    )
    page.close()


@pytest.mark.parametrize("name", sorted({n for names in demos_by_page().values() for n in names}))
def test_frames_agree(pyodide, address, name):
    """Over a grid of control values each column and number agrees to 1e-9, each sentence to the letter."""
    demo = bake.load(name)
    script = address + bake.script_name(demo)
    for values in grid(demo):
        here, there = frames.run(demo, values), pyodide(name, script, values)
        for table, columns in here["tables"].items():
            for column, cells in columns.items():
                assert_same(cells, there["tables"][table][column], f"{values}: {table}.{column}")
        assert_same(list(here["numbers"].values()), list(there["numbers"].values()), f"{values}: numbers")
        assert here["texts"] == there["texts"], values
        assert (here["verdict"], here["tone"]) == (there["verdict"], there["tone"]), values


def assert_same(here, there, where):
    """Compare two lists of cells: numbers to 1e-9 of their size, or 1e-12 of the largest."""
    assert len(here) == len(there), where
    plain = [(h, t) for h, t in zip(here, there, strict=True) if not isinstance(h, float)]
    assert [h for h, _ in plain] == [t for _, t in plain], where
    pairs = [(h, t) for h, t in zip(here, there, strict=True) if isinstance(h, float)]
    a, b = np.array(pairs, dtype=float).reshape(-1, 2).T
    np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-12 * np.max(np.abs(a), initial=0.0), err_msg=where)
