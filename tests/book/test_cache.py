"""The cache folder, and what a killed run leaves in it."""

import fcntl
from pathlib import Path

import pytest

from book._tools import cache


def test_the_cache_folder_can_be_chosen(monkeypatch):
    """COURSE_CACHE goes before XDG_CACHE_HOME, and that before the home folder."""
    monkeypatch.setenv("COURSE_CACHE", "/chosen")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache.cache_dir() == Path("/chosen")
    monkeypatch.delenv("COURSE_CACHE")
    assert cache.cache_dir() == Path("/xdg/debugging-strategies")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.cache_dir() == Path.home() / ".cache" / "debugging-strategies"


def test_filling_clears_what_a_killed_run_left_and_nothing_else(tmp_path):
    """Only names that end as unfinished go; finished files stay."""
    (tmp_path / "a.unfinished").write_text("half")
    (tmp_path / "b.unfinished").mkdir()
    (tmp_path / "b.unfinished" / "c").write_text("half")
    (tmp_path / "whole").write_text("whole")
    with cache.filling(tmp_path):
        assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", "whole"]


def test_one_process_at_a_time_fills_a_folder(tmp_path):
    """While a folder is being filled its lock is held, and afterwards it is free."""
    with cache.filling(tmp_path), (tmp_path / ".lock").open("w") as second, pytest.raises(BlockingIOError):
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (tmp_path / ".lock").open("w") as third:
        fcntl.flock(third, fcntl.LOCK_EX | fcntl.LOCK_NB)
