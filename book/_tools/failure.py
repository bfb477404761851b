"""How a build step stops: with one sentence that says what happened and what to do."""

import errno
import sys
from collections.abc import Callable
from pathlib import Path

AGAIN = "run the same command again"


class BuildError(Exception):
    """A step that cannot go on; its text is the whole message for the person at the terminal."""


def explain(error: OSError, place: Path) -> BuildError:
    """Turn a failure to write below `place` into a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return BuildError(f"The disk is full: make room for 2 GB in {place}, then {AGAIN}.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR):
        return BuildError(f"Cannot write to {place}: make it writable, or move it, then {AGAIN}.")
    return BuildError(f"Cannot use {place} ({error}): free that place, then {AGAIN}.")


def run(step: Callable[[], None]) -> None:
    """Call `step` as a whole program: failures become a sentence and an exit status, never a traceback."""
    try:
        step()
    except BuildError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print(f"\nStopped. What was finished is kept; {AGAIN} to go on.", file=sys.stderr)
        sys.exit(130)
