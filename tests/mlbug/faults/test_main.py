"""The measurement from a shell."""

import json

from mlbug.faults.__main__ import main


def test_tables_are_written_as_json(tmp_path, capsys):
    """The file and standard output get the same tables."""
    sizes = ["--healthy", "1", "--faulty", "1", "--cache", str(tmp_path / "outcomes")]
    main([*sizes, "--out", str(tmp_path / "tables.json")])
    assert capsys.readouterr().out == ""
    main(sizes)
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "tables.json").read_text())
