"""Programs with real faults after public bug reports, their repaired twins, and correct programs."""

import importlib.util
from pathlib import Path

import pytest

import mlbug

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "cases"
CASES = {path.stem: path for path in sorted(FOLDER.glob("[0-9]*.py"))}
SEEDS = range(5)


def load(name):
    """Return the module of a case."""
    spec = importlib.util.spec_from_file_location(f"case_{name}", CASES[name])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(report):
    """Return the faults in a form that makes a failure readable."""
    return [(fault.check, fault.kind, fault.where, fault.meaning) for fault in report.faults]


if CASES:

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("name", CASES)
    def test_fault_is_found_where_it_is(name, seed):
        """The faulty program has a fault in a named check at a named place; a correct one has none."""
        case = load(name)
        report = mlbug.diagnose(case.problem(seed=seed))
        checks, where = case.EXPECT["checks"], set(case.EXPECT["where"])
        if not checks:
            assert told(report) == []
            return
        hits = [f for f in report.faults if f.check in checks and (not where or where & set(f.where))]
        assert hits, told(report)

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("name", CASES)
    def test_repaired_twin_has_no_fault(name, seed):
        """The repaired program has no fault in any check."""
        assert told(mlbug.diagnose(load(name).problem(fixed=True, seed=seed))) == []
