"""Put together what the browser loads to run Python: Pyodide, numpy, `mlbug` and their lock file."""

import hashlib
import json
import shutil
import tempfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder
from packaging.utils import parse_wheel_filename
from pyodide_lock import PackageSpec, PyodideLockSpec
from pyodide_lock.spec import InfoSpec

from book._tools import parts
from book._tools.cache import UNFINISHED, cache_dir, filling
from book._tools.failure import AGAIN, BuildError, explain, run
from book._tools.numpy_wheel import trim

ROOT = Path(__file__).parents[2]
LOCK = "pyodide-lock.json"
MANIFEST = "manifest.json"
PLATFORM = InfoSpec(platform="emscripten_5_0_3", python="3.14.0", arch="wasm32", abi_version="2026_0")


def assemble(cache: Path, build: Path) -> Path:
    """Lay out the runtime below `build` and return its folder, whose name is the hash of what it holds.

    The same inputs give the same folder, byte for byte, so browsers may keep it for ever.
    It appears in one step, under its final name, and is left alone when it is there already.
    """
    home = build / "runtime"
    source = parts.fetch(cache)
    try:
        with filling(home), tempfile.TemporaryDirectory(dir=home, suffix=UNFINISHED) as place:
            draft = Path(place) / "draft"
            draft.mkdir()
            wheel = build_wheel(draft)
            for part in parts.PARTS:
                shutil.copyfile(source / part.name, draft / part.name)
            numpy = shutil.copyfile(trim(source / _numpy().name, build / "numpy"), draft / _numpy().name)
            _write_lock(draft, [numpy, wheel])
            target = home / _seal(draft)
            if not _same(draft, target):
                shutil.rmtree(target, ignore_errors=True)
                draft.rename(target)
        for old in home.glob("[0-9a-f]*"):
            if old != target:
                shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise explain(error, home) from error
    return target


def build_wheel(folder: Path, root: Path = ROOT) -> Path:
    """Build the pure-Python wheel of `mlbug` into `folder`; the same sources give the same bytes."""
    if not (root / "mlbug" / "__init__.py").is_file():
        raise BuildError(f"There is no mlbug/__init__.py in {root}: check out all files, then {AGAIN}.")
    (built,) = WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"])
    return Path(built)


def _numpy() -> parts.Part:
    (wheel,) = (part for part in parts.PARTS if part.name.startswith("numpy-"))
    return wheel


def _write_lock(folder: Path, wheels: list[Path]) -> None:
    """Write the lock file by which Pyodide finds its packages: numpy, and `mlbug` that needs it."""
    packages: dict[str, PackageSpec] = {}
    for wheel in wheels:
        name, number, _, _ = parse_wheel_filename(wheel.name)
        packages[name] = PackageSpec(
            name=name,
            version=str(number),
            file_name=wheel.name,
            install_dir="site",
            sha256=_sha256(wheel),
            imports=[name],
            depends=[] if name == "numpy" else ["numpy"],
        )
    lock = PyodideLockSpec(info=PLATFORM, packages=packages)
    lock.check_wheel_filenames()
    lock.to_json(folder / LOCK, indent=1)


def _seal(folder: Path) -> str:
    """Write the list of files with their sizes, for the progress bar, and return the hash of all contents."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.name} {_sha256(path)}\n".encode())
    listed = [{"name": path.name, "bytes": path.stat().st_size} for path in files]
    total = sum(path.stat().st_size for path in files)
    manifest = {"version": parts.VERSION, "files": listed, "total_bytes": total}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return digest.hexdigest()[:16]


def _same(draft: Path, target: Path) -> bool:
    """Say whether `target` holds the files of `draft`, byte for byte."""
    return target.is_dir() and {p.name: _sha256(p) for p in draft.iterdir()} == {
        p.name: _sha256(p) for p in target.iterdir()
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    """Assemble the runtime in `_build` and print where it is."""
    print(assemble(cache_dir(), ROOT / "_build"))


if __name__ == "__main__":
    run(main)
