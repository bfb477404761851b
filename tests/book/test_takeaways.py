"""Tests of the page that holds the course on one screen."""

from pathlib import Path

import mlbug

BOOK = Path(__file__).parents[2] / "book"


def test_takeaways_name_every_check():
    """Each check that mlbug makes public, and `diagnose`, is linked from the takeaways."""
    page = (BOOK / "takeaways.md").read_text(encoding="utf-8")
    checks = [name for name in mlbug.__all__ if name.startswith("check_")] + ["diagnose"]
    assert len(checks) == 10
    assert [name for name in checks if f"{{py:func}}`mlbug.{name}`" not in page] == []
