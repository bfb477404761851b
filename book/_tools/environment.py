"""Set up what the build needs inside the checkout: `.venv` and `node_modules`, from pinned lists.

It runs under the machine's own Python, so it imports the standard library alone.
Wheels and npm's archives stay in the cache folder: a second set-up needs no network.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from book._tools.cache import UNFINISHED, cache_dir, filling
from book._tools.failure import AGAIN, BuildError, explain, run

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Bring `.venv` and `node_modules` up to date; when they are, this takes no time."""
    set_up_python(ROOT, cache_dir())
    set_up_node(ROOT, cache_dir())


def set_up_python(root: Path, cache: Path) -> None:
    """Make `.venv` with the packages of `requirements.txt`, from the cache or else by download."""
    venv, needs = root / ".venv", root / "requirements.txt"
    mark = f"{_digest(needs)} {sys.version} {venv}"  # scripts in a virtual environment hold its path
    if _marked(venv, mark) and _works([venv / "bin" / "python", "-c", ""]):
        return
    _say(f"making .venv with Python {sys.version.split()[0]}")
    try:
        shutil.rmtree(venv, ignore_errors=True)
        if not _works([sys.executable, "-m", "venv", str(venv)]):
            raise BuildError(
                f"{sys.executable} cannot make a virtual environment in {venv}: "
                f"install its venv module (Debian: apt-get install python3-venv), then {AGAIN}."
            )
        wheels = cache / "wheels"
        with filling(wheels):
            _install(venv / "bin" / "python", needs, wheels)
        (venv / "ready").write_text(mark)
    except OSError as error:
        raise explain(error, cache) from error


def _install(python: Path, needs: Path, wheels: Path) -> None:
    """Install from `wheels`; where they do not suffice, download what lacks and install then."""
    for wheel in wheels.glob("*.whl"):
        if not zipfile.is_zipfile(wheel):  # cut short by hand or by a failing disk
            wheel.unlink()
    environment = {**os.environ, "PIP_FIND_LINKS": f"{wheels} {os.environ.get('PIP_FIND_LINKS', '')}".strip()}
    pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
    install = [*pip, "install", "--no-index", "--no-compile", "--requirement", str(needs)]
    if not _run(install, environment):
        return
    total = sum("==" in line for line in needs.read_text().splitlines())
    _say(f"downloading up to {total} Python packages, 290 MB; this happens once")
    with tempfile.TemporaryDirectory(dir=wheels, suffix=UNFINISHED) as place:
        options = ["--no-cache-dir", "--progress-bar=off", "--retries=1", f"--dest={place}"]
        download = [*pip, "download", *options, "--requirement", str(needs)]
        environment["TMPDIR"] = place
        _stop_on(_run(download, environment, _counter(total)), "download the Python packages", wheels)
        for path in Path(place).glob("*.whl"):
            path.replace(wheels / path.name)
    del environment["TMPDIR"]
    _stop_on(_run(install, environment), "install the Python packages", wheels)


def set_up_node(root: Path, cache: Path) -> None:
    """Fill `node_modules` as `package-lock.json` says: fonts, styles, Vega, tools that check scripts."""
    modules, store = root / "node_modules", cache / "npm"
    mark = _digest(root / "package.json") + _digest(root / "package-lock.json")
    if _marked(modules, mark):
        return
    _say("filling node_modules: fonts, KaTeX's styles, Vega, tools that check scripts")
    scripts = root / ".venv" / "bin"
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    command = [str(scripts / "npm"), "ci", "--prefer-offline", "--cache", str(store), "--prefix", str(root)]
    _stop_on(_run(command, environment), "get the packages of package.json", store)
    (modules / "ready").write_text(mark)


def _run(
    command: list[str], environment: Mapping[str, str], follow: Callable[[str], None] = lambda line: None
) -> str:
    """Run `command`, hand each line it prints to `follow`, and return what it said when it fails, or ''."""
    said = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    ) as process:
        for line in process.stdout or ():
            said.append(line.strip())
            follow(line.strip())
    return ("\n".join(said) or "no message") if process.returncode else ""


def _stop_on(said: str, task: str, place: Path) -> None:
    """Raise a sentence made of what a failed program `said`; do nothing when that is empty."""
    if not said:
        return
    if "No space left" in said or "ENOSPC" in said:
        raise BuildError(f"The disk is full: make room for 2 GB in {place}, then {AGAIN}.")
    lines = [line for line in said.splitlines() if "complete log" not in line]
    telling = [line for line in lines if line.lower().startswith(("error", "npm error"))] or lines
    raise BuildError(
        f"Could not {task} ({telling[-1]}): connect this machine to the network, then {AGAIN}; "
        f"if it is connected, remove {place} first."
    )


def _counter(total: int) -> Callable[[str], None]:
    """Return a reader of pip's lines that tells how many packages have come."""
    came = 0

    def follow(line: str) -> None:
        nonlocal came
        if line.startswith(("Downloading ", "Processing ")) and ".metadata" not in line:
            came += 1
            _say(f"{came} of {total}: {Path(line.split()[1]).name}")

    return follow


def _marked(folder: Path, mark: str) -> bool:
    """Say whether an earlier set-up of `folder` came to its end, from the same lists."""
    ready = folder / "ready"
    return ready.is_file() and ready.read_text() == mark


def _works(command: list[str | Path]) -> bool:
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _say(text: str) -> None:
    print(f"set-up: {text}", flush=True)


if __name__ == "__main__":
    run(main)
