"""Tests of diagnose and of the command line."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mlbug
from mlbug.__main__ import main
from tests.mlbug.programs import ACTIVATIONS, classifier, regressor

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("program", [classifier, regressor])
def test_correct_programs_have_no_fault(program, activation, dtype):
    """All checks together find nothing in a correct program."""
    report = mlbug.diagnose(program(1, activation=activation, dtype=dtype))
    assert [(f.check, f.kind, f.meaning) for f in report.faults] == []
    assert {f.check for f in report.findings} == set(mlbug.report.CHECKS)


def test_equal_seeds_give_equal_reports():
    """The report is a function of program and seed."""
    assert mlbug.diagnose(classifier()).to_json() == mlbug.diagnose(classifier()).to_json()


def test_nothing_of_the_user_changes():
    """Parameters and data are after the diagnosis what they were before."""
    program = classifier()
    before = {k: v.copy() for k, v in program["params"].items()}, [a.copy() for a in program["train"]]
    mlbug.diagnose(program)
    assert all(np.array_equal(program["params"][k], v) for k, v in before[0].items())
    assert all(np.array_equal(a, b) for a, b in zip(program["train"], before[1], strict=True))


@pytest.mark.parametrize("name", ["loss", "grad"])
def test_failing_function_gives_one_fault(name):
    """Where loss or gradient raise, that is the one fault, and the other checks say why they did not run."""
    report = mlbug.diagnose(classifier(**{name: lambda p, b: 1 / 0}))
    assert [(f.check, f.kind) for f in report.faults] == [("setup", "user-function")]
    assert f"{name} raised ZeroDivisionError" in report.faults[0].meaning
    assert all(f"`{name}` fails" in f.meaning for f in report.of("skipped"))


def test_failing_extra_function_is_left_out():
    """Where only the scores fail, the rest of the program is still checked."""
    report = mlbug.diagnose(classifier(scores=lambda p, x: None))
    assert [(f.check, f.kind) for f in report.faults] == [("setup", "user-function")]
    assert any(f.check == "gradients" and f.status == "ok" for f in report.findings)


def test_checks_can_be_chosen():
    """Only the chosen checks report; their names are verified."""
    report = mlbug.diagnose(classifier(), checks=["data", "guarantees"])
    assert {f.check for f in report.findings} == {"data", "guarantees"}
    with pytest.raises(ValueError, match="no check is called 'gradient'"):
        mlbug.diagnose(classifier(), checks=["gradient"])


def test_progress_names_each_check():
    """The callback hears of each check before it runs, in the course's order."""
    heard = []
    mlbug.diagnose(classifier(), progress=heard.append, checks=["setup", "data"])
    assert heard == ["setup", "data"]


PROGRAM = """
import numpy as np
x = np.linspace(-1, 1, 40)[:, None]
y = 2 * x[:, 0] + 0.3
def loss(p, b):
    print("called")
    return float(np.mean((b[0] @ p["w"] + p["b"][0] - b[1]) ** 2))
def grad(p, b):
    r = 2 * (b[0] @ p["w"] + p["b"][0] - b[1]) / len(b[1])
    return {"w": b[0].T @ r, "b": np.array([r.sum()])}
def broken(p, g, lr):
    return {"w": p["w"] - lr * g["w"], "b": p["b"] - lr}
start = {"w": np.zeros(1), "b": np.zeros(1)}
fields = dict(params=start, loss=loss, grad=grad, train=(x, y), learning_rate=0.1)
problem = fields
def faulty():
    return fields | {"update": broken}
nothing = 3
def failing():
    raise OSError("no data file")
"""


@pytest.fixture
def program_file(tmp_path):
    """Write a program to a file and return its path as text."""
    path = tmp_path / "my_model.py"
    path.write_text(PROGRAM)
    return str(path)


def test_command_ends_with_0_without_a_fault(program_file, capsys):
    """A correct program: status 0, the report alone on stdout, progress on stderr."""
    assert main([program_file]) == 0
    streams = capsys.readouterr()
    assert streams.out.startswith("No fault found")
    assert "called" not in streams.out
    assert "mlbug: gradients" in streams.err


def test_command_ends_with_1_and_names_the_fault(program_file, capsys):
    """The book's bias rule: status 1, and the bias is named first."""
    assert main([program_file + ":faulty", "--quiet"]) == 1
    streams = capsys.readouterr()
    assert streams.out.startswith("Fault in b, found by the check `updates`")
    assert streams.err == ""


def test_json_and_html_are_whole_documents(program_file, capsys):
    """Both forms can be piped on as they are."""
    main([program_file, "--json", "--check", "data", "--quiet"])
    assert json.loads(capsys.readouterr().out)["faults"] == []
    main([program_file, "--html", "--check", "data", "--check", "setup", "--quiet"])
    out = capsys.readouterr().out
    assert out.startswith("<!doctype html>")
    assert out.endswith("</html>\n")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("{}:missing", "has no `missing`"),
        ("{}:nothing", "a Problem or a dict of its fields was expected, but int 3"),
        ("{}:failing", r"failing() in {} raised OSError: no data file"),
        ("{}x", "there is no file {}x"),
    ],
)
def test_command_ends_with_2_where_it_could_not_run(program_file, capsys, target, message):
    """Each reason is one sentence on stderr, and nothing is on stdout."""
    assert main([target.format(program_file)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert message.format(program_file) in streams.err
    assert len(streams.err.strip().splitlines()) == 1


def test_broken_file_is_told(tmp_path, capsys):
    """A file that raises while it is run gives status 2 and the error."""
    path = tmp_path / "broken.py"
    path.write_text("import nowhere_to_be_found\n")
    assert main([str(path)]) == 2
    assert "raised ModuleNotFoundError" in capsys.readouterr().err


def test_module_runs_from_a_shell(program_file):
    """`python -m mlbug FILE` gives the status to the shell."""
    command = [sys.executable, "-m", "mlbug", program_file + ":faulty", "--check", "updates", "--quiet"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "Fault in b" in run.stdout
