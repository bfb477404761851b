"""The folder where downloads outlive a checkout, and the rule by which nothing half done is trusted there."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNFINISHED = ".unfinished"  # ends the name of all that is being written; a rename makes it count


def cache_dir() -> Path:
    """Return `$COURSE_CACHE`, or else a folder in the place where the user keeps caches."""
    if chosen := os.environ.get("COURSE_CACHE"):
        return Path(chosen).absolute()
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "debugging-strategies"


@contextmanager
def filling(folder: Path) -> Iterator[None]:
    """Let one process at a time fill `folder`, and first clear away what a killed one left there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in folder.glob(f"*{UNFINISHED}"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        yield
