"""Find a Chromium for the tests, and install Debian's where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from book._tools.failure import AGAIN, BuildError, run

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ARGUMENTS = (
    "--no-sandbox",  # root, as in containers, can have none; the tests open the site's own pages only
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find() -> str | None:
    """Return the path of a Chromium: `$CHROMIUM`, one on the PATH, or an installed application."""
    places = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), *APPLICATIONS]
    return next((place for place in places if place and Path(place).is_file()), None)


def main() -> None:
    """Make sure that there is a browser, or say how to get one."""
    if find():
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("tests: installing chromium, about 400 MB; this happens once", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, stdout=sys.stderr)
    if not find():
        raise BuildError(
            "The tests need a browser: install Chromium or Chrome (Debian: apt-get install chromium), "
            f"or set CHROMIUM to the path of one, then {AGAIN}."
        )


if __name__ == "__main__":
    run(main)
