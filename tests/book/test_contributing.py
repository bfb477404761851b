"""The demo that CONTRIBUTING shows is a demo."""

import importlib.util
import re
from pathlib import Path

import pytest

from book._ext import bake, charts, demo, frames
from book._ext.controls import first_values

GUIDE = Path(__file__).parents[2] / "CONTRIBUTING.md"


@pytest.fixture
def parabola(tmp_path):
    source = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)[1]
    path = tmp_path / "parabola.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("demos.parabola", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_shown_demo_computes_and_draws(parabola):
    """Each state that is computed ahead gives a frame, and the first one a picture in both widths."""
    made = [frames.run(parabola, values) for values in bake.states(parabola)]
    assert made[0]["texts"] == {"slope": "2.500"}
    assert len({frame["verdict"] for frame in made}) > 10
    for layout in charts.WIDTHS:
        assert "<svg" in charts.svg(charts.vega(parabola, layout), made[0])


def test_its_bet_is_answered_by_the_build(parabola):
    """The answer of the bet is the number of the state that it asks about."""
    values = {**first_values(parabola), **parabola.bet["values"]}
    assert demo.bet_of(parabola)["answer"] == parabola.frame(**values)["numbers"]["slope"] == 1.0
