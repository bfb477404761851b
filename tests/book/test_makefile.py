"""The Makefile: which Python it takes, and what it does after a failed build."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def make(tmp_path):
    """Return a function that calls make in a folder that holds the Makefile alone."""
    shutil.copy(ROOT / "Makefile", tmp_path)

    def call(*arguments):
        command = ["make", "--no-print-directory", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    return call


def program(path, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_the_first_python_that_starts_and_is_new_enough_is_taken(make, tmp_path):
    """One that is absent, does not start, or is too old is passed over."""
    broken = program(tmp_path / "broken", "exit 127")
    good = program(tmp_path / "good", '[ "$1" = -c ] || echo "good $@"')
    other = program(tmp_path / "other", "echo other")
    done = make("setup", f"PYTHONS=absent {broken} {good} {other}")
    assert done.stdout == "good -m book._tools.environment\n"
    assert done.returncode == 0


def test_without_a_python_the_message_says_what_to_install(make):
    """The message names the version, and make fails."""
    done = make("setup", "PYTHONS=absent")
    assert done.returncode != 0
    assert "error: No Python 3.12 or newer was found: install one" in done.stderr


def test_a_failed_set_up_stops_the_build(make, tmp_path):
    """Where the set-up fails, Sphinx is not called."""
    failing = program(tmp_path / "failing", '[ "$1" = -c ]')
    program(tmp_path / ".venv" / "bin" / "sphinx-build", "echo built")
    done = make("html", f"PYTHONS={failing}")
    assert done.returncode != 0
    assert "built" not in done.stdout


def test_after_a_failed_build_the_next_one_begins_afresh(make, tmp_path):
    """Pages of a build that failed are not trusted; those of a good one are."""
    sphinx = tmp_path / ".venv" / "bin" / "sphinx-build"
    page = tmp_path / "_build" / "html" / "page.html"
    program(sphinx, f"mkdir -p {page.parent}; echo half > {page}; exit 1")
    assert make("html", "PYTHONS=true").returncode != 0
    assert page.exists()
    program(sphinx, "exit 0")
    assert make("html", "PYTHONS=true").returncode == 0
    assert not page.exists()
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("whole")
    assert make("html", "PYTHONS=true").returncode == 0
    assert page.exists()
