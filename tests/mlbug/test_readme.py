"""The README's example does what the README says."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_example_prints_what_is_shown():
    """The shown program, run as it stands, prints the shown answer."""
    text = README.read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", text, re.S)[1]
    shown = re.search(r"```text\n(.*?)```", text, re.S)[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, str(README), "exec"), {})
    assert printed.getvalue().split() == shown.split()
