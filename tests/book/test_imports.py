"""Imports run one way: mlbug, then demos, then the book's extension."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def imported(path):
    """Return the top-level names that a file imports, those inside its functions included."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def files(folder):
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", files("mlbug"), ids=lambda p: p.name)
def test_the_library_needs_numpy_alone(path):
    """mlbug imports numpy and the standard library; its bridge alone knows torch."""
    allowed = {"numpy", "mlbug"} | (
        {"torch"} if path.name == "bridge.py" or path.parent.name == "bridge" else set()
    )
    assert imported(path) - allowed <= sys.stdlib_module_names


@pytest.mark.parametrize("path", files("demos"), ids=lambda p: p.name)
def test_a_demo_imports_the_library_alone(path):
    """A demo imports mlbug, numpy and the standard library, and Altair where its chart is drawn."""
    assert imported(path) - {"mlbug", "numpy", "altair"} <= sys.stdlib_module_names
    top = {
        alias.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert "altair" not in top, "the browser has no Altair: import it inside `chart`"


@pytest.mark.parametrize("path", [*files("book/_ext"), *files("book/_tools")], ids=lambda p: p.name)
def test_the_build_imports_nothing_above_it(path):
    """The extension and the tools import demos and mlbug, never tests or the configuration."""
    assert not imported(path) & {"tests", "conf"}


@pytest.mark.parametrize("path", files("mlbug") + files("demos"), ids=lambda p: p.name)
def test_nothing_imports_upwards(path):
    """The library and the demos do not know the book."""
    assert not imported(path) & {"book", "tests", "conf"}
    if path.is_relative_to(ROOT / "mlbug"):
        assert "demos" not in imported(path)
