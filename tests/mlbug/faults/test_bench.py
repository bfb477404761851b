"""The measured operating characteristics: tables for the course, resumable, without false alarms."""

import json

import pytest

from mlbug.faults import bench, operating_characteristics
from mlbug.report import CHECKS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder for outcomes."""
    return tmp_path_factory.mktemp("outcomes")


@pytest.fixture(scope="module")
def table(folder):
    """Return a small measurement."""
    return operating_characteristics(9, 8, seed=1, cache=folder)


def test_tables_have_one_row_a_check_and_equal_columns(table):
    """Each table is a dict of equal columns and goes through JSON unchanged."""
    assert table["checks"]["check"] == list(CHECKS)
    for name in ("checks", "faults"):
        assert len({len(column) for column in table[name].values()}) == 1
    assert json.loads(json.dumps(table)) == table
    assert sum(table["checks"]["expected"]) == table["overall"]["faulty"] == 8


def test_healthy_programs_raise_no_alarm(table):
    """No check reports a fault in a program of each kind."""
    assert table["overall"]["false alarms"] == 0
    assert table["checks"]["false alarms"] == [0] * len(CHECKS)


def test_most_faults_are_found_and_placed(table):
    """Of a few kinds of fault most are found by a check meant for them."""
    assert table["overall"]["found"] >= 0.75
    assert table["overall"]["placed"] <= table["overall"]["found"]


def test_measurement_goes_on_where_it_stopped(table, folder, monkeypatch):
    """With the outcomes kept, nothing runs again and the numbers are the same."""
    monkeypatch.setattr(bench, "diagnose", None)
    seen = []
    again = operating_characteristics(
        9, 8, seed=1, cache=folder, progress=lambda done, total: seen.append((done, total))
    )
    assert again == table
    assert seen[-1] == (17, 17)


def test_alarm_on_a_healthy_program_is_counted(monkeypatch):
    """A check that cries wolf shows in the table."""
    outcome = {
        "alarms": [["data", "fault", "x", []]],
        "first": ["data"],
        "seconds": dict.fromkeys(CHECKS, 0.1),
    }
    monkeypatch.setattr(bench, "_outcome", lambda program: dict(outcome))
    table = operating_characteristics(2, 1)
    assert table["overall"]["false alarms"] == 2
    assert table["checks"]["false alarms"][list(CHECKS).index("data")] == 2
