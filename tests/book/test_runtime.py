"""What the browser loads to run Python, as the build lays it out."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from wheel.wheelfile import WheelFile

import mlbug
from book._tools import parts, runtime
from book._tools.cache import cache_dir
from book._tools.failure import BuildError

NUMPY = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Fill a cache with small stand-ins for the parts, pinned by their own hashes."""
    folder = tmp_path / "cache" / f"pyodide-{parts.VERSION}"
    folder.mkdir(parents=True)
    pinned = []
    for name in ("pyodide.mjs", "pyodide.asm.wasm"):
        (folder / name).write_bytes(name.encode())
    small_numpy(folder / NUMPY)
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        pinned.append(parts.Part(path.name, len(data), hashlib.sha256(data).hexdigest()))
    monkeypatch.setattr(parts, "PARTS", tuple(pinned))
    return tmp_path / "cache"


def small_numpy(path):
    """Write a wheel with numpy's name, and one file of each sort."""
    with WheelFile(path, "w") as wheel:
        for name in ("__init__.py", "__init__.pyi", "tests/test_all.py", "f2py/__init__.py", "core.h"):
            wheel.writestr(f"numpy/{name}", "")
        wheel.writestr(
            "numpy-2.4.3.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 2.4.3\n"
        )
        tag = "cp314-cp314-pyemscripten_2026_0_wasm32"
        about = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: {tag}\n"
        wheel.writestr("numpy-2.4.3.dist-info/WHEEL", about)


def test_numpy_comes_without_what_a_page_cannot_use(cache, tmp_path):
    """Tests, headers, stubs and f2py are left out of the browser's numpy; its code is not."""
    runtime_folder = runtime.assemble(cache, tmp_path)
    with ZipFile(runtime_folder / NUMPY) as wheel:
        assert [name for name in wheel.namelist() if name.startswith("numpy/")] == ["numpy/__init__.py"]


def state(folder):
    return {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}


def test_the_same_inputs_give_the_same_folder(cache, tmp_path):
    """Two builds agree in name and in every byte, so a browser may keep the folder for ever."""
    one, two = runtime.assemble(cache, tmp_path / "one"), runtime.assemble(cache, tmp_path / "two")
    assert re.fullmatch("[0-9a-f]{16}", one.name)
    assert one.name == two.name
    assert {n: data for n, (data, _) in state(one).items()} == {
        n: data for n, (data, _) in state(two).items()
    }


def test_a_second_run_leaves_the_folder_alone(cache, tmp_path):
    """Nothing is written again where nothing changed."""
    first = state(runtime.assemble(cache, tmp_path))
    assert state(runtime.assemble(cache, tmp_path)) == first


def test_a_changed_library_gives_a_new_name_and_drops_the_old_folder(cache, tmp_path, monkeypatch):
    """The name follows the contents, and folders do not pile up."""
    root = tmp_path / "checkout"
    (root / "mlbug").mkdir(parents=True)
    for name in ("pyproject.toml", "LICENSE"):
        (root / name).write_bytes((runtime.ROOT / name).read_bytes())
    monkeypatch.setattr(runtime.build_wheel, "__defaults__", (root,))
    (root / "mlbug" / "__init__.py").write_text('__version__ = "1.0"\n')
    old = runtime.assemble(cache, tmp_path)
    (root / "mlbug" / "__init__.py").write_text('__version__ = "1.0"\nextra = 1\n')
    new = runtime.assemble(cache, tmp_path)
    assert new.name != old.name
    assert [p for p in new.parent.iterdir() if p.name != ".lock"] == [new]


def test_a_damaged_folder_is_made_again(cache, tmp_path):
    """A file changed, lost or added by hand is put right."""
    good = runtime.assemble(cache, tmp_path)
    before = {n: data for n, (data, _) in state(good).items()}
    (good / "pyodide.mjs").write_text("half")
    (good / "stray").write_text("stray")
    (good / runtime.LOCK).unlink()
    after = state(runtime.assemble(cache, tmp_path))
    assert {n: data for n, (data, _) in after.items()} == before


def test_an_interruption_leaves_no_folder(cache, tmp_path, monkeypatch):
    """The folder gets its name when it is whole, or never."""

    def copyfile(source, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(runtime.shutil, "copyfile", copyfile)
    with pytest.raises(KeyboardInterrupt):
        runtime.assemble(cache, tmp_path)
    assert [p.name for p in (tmp_path / "runtime").iterdir()] == [".lock"]


def test_the_manifest_lists_every_file_with_its_size(cache, tmp_path):
    """The progress bar adds up to what is really loaded."""
    folder = runtime.assemble(cache, tmp_path)
    manifest = json.loads((folder / runtime.MANIFEST).read_text())
    sizes = {p.name: p.stat().st_size for p in folder.iterdir() if p.name != runtime.MANIFEST}
    assert {entry["name"]: entry["bytes"] for entry in manifest["files"]} == sizes
    assert manifest["total_bytes"] == sum(sizes.values())
    assert manifest["version"] == parts.VERSION


def test_the_lock_file_names_numpy_and_mlbug_by_hash(cache, tmp_path):
    """Pyodide finds two packages, each with the hash of the wheel beside it."""
    folder = runtime.assemble(cache, tmp_path)
    packages = json.loads((folder / runtime.LOCK).read_text())["packages"]
    assert set(packages) == {"numpy", "mlbug"}
    assert packages["mlbug"]["depends"] == ["numpy"]
    assert packages["mlbug"]["version"] == mlbug.__version__
    for package in packages.values():
        wheel = folder / package["file_name"]
        assert package["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()


def test_a_checkout_without_the_library_is_said(tmp_path):
    """The sentence names what is missing."""
    with pytest.raises(BuildError, match=r"no mlbug/__init__\.py"):
        runtime.build_wheel(tmp_path, tmp_path)


def test_build_and_browser_use_the_same_numpy():
    """Numbers can agree to the last digit only if both sides run one version of numpy."""
    (wheel,) = [part.name for part in parts.PARTS if part.name.startswith("numpy-")]
    assert wheel.split("-")[1] == np.__version__


SCRIPT = """
const { loadPyodide } = await import(process.argv[2] + "/pyodide.mjs");
const python = await loadPyodide({ indexURL: process.argv[2] });
await python.loadPackage("mlbug", { messageCallback: () => {} });
console.log(python.runPython("import mlbug, numpy; f'{mlbug.__version__} {numpy.__version__}'"));
"""


def test_pyodide_starts_from_the_folder_and_imports_the_library(tmp_path):
    """The real files, under Node: Pyodide starts, verifies both wheels and imports them."""
    folder = runtime.assemble(cache_dir(), tmp_path)
    (tmp_path / "start.mjs").write_text(SCRIPT)
    node = Path(sys.executable).with_name("node")
    done = subprocess.run([node, tmp_path / "start.mjs", folder], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == [mlbug.__version__, np.__version__], done.stderr
