"""Build steps end with a sentence."""

import errno
from pathlib import Path

import pytest

from book._tools import failure


def test_a_build_error_ends_the_program_with_its_text_alone(capsys):
    """A BuildError becomes the exit message, so the person sees one sentence and no traceback."""

    def step():
        raise failure.BuildError("Do this.")

    with pytest.raises(SystemExit) as stopped:
        failure.run(step)
    assert stopped.value.code == "error: Do this."


def test_an_interruption_ends_the_program_with_status_130(capsys):
    """Ctrl-C gives the status that shells expect, and says that one may go on."""

    def step():
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as stopped:
        failure.run(step)
    assert stopped.value.code == 130
    assert "run the same command again" in capsys.readouterr().err


def test_other_errors_are_not_hidden():
    """A fault of the program itself keeps its traceback."""
    with pytest.raises(ZeroDivisionError):
        failure.run(lambda: 1 / 0)


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "disk is full"), (errno.EACCES, "Cannot write"), (errno.EIO, "Cannot use")],
)
def test_each_kind_of_failed_write_says_what_to_do(number, words):
    """The sentence names the trouble, the place and the next step."""
    text = str(failure.explain(OSError(number, "reason"), Path("some/place")))
    assert words in text
    assert "some/place" in text
    assert "run the same command again" in text
