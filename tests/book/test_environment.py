"""Set-up of a checkout: from the cache where it suffices, and nothing half done is trusted."""

import json
import re
import zipfile

import pytest

from book._tools import environment
from book._tools.failure import BuildError

ROOT = environment.ROOT


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Make a checkout that needs one small package, on a machine without a package index."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "requirements.txt").write_text("tiny==1.0\n")
    return root


def write_wheel(folder):
    """Write a wheel of the package `tiny` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    info = "tiny-1.0.dist-info"
    files = {
        "tiny.py": "number = 1\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / "tiny-1.0-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def installed(root):
    return list((root / ".venv" / "lib").glob("python*/site-packages/tiny.py"))


def test_a_filled_cache_is_enough_and_only_changed_requirements_make_a_second_run_work(root, tmp_path):
    """Wheels of an earlier set-up need no network; what is no longer wanted does not stay behind."""
    write_wheel(tmp_path / "wheels")
    environment.set_up_python(root, tmp_path)
    assert installed(root)
    (root / ".venv" / "own").touch()
    environment.set_up_python(root, tmp_path)
    assert (root / ".venv" / "own").exists()
    (root / "requirements.txt").write_text("# nothing\n")
    environment.set_up_python(root, tmp_path)
    assert not installed(root)


def test_without_wheels_or_network_the_sentence_says_so_and_nothing_is_trusted(root, tmp_path):
    """A set-up that failed is begun afresh once the wheel is there."""
    with pytest.raises(BuildError, match=r"Could not download the Python packages .*tiny==1\.0.*network"):
        environment.set_up_python(root, tmp_path)
    assert not (root / ".venv" / "ready").exists()
    write_wheel(tmp_path / "wheels")
    environment.set_up_python(root, tmp_path)
    assert installed(root)


def test_a_wheel_cut_short_is_dropped_and_fetched_again(root, tmp_path, monkeypatch):
    """A half wheel in the cache gives way to the whole one from the source."""
    write_wheel(tmp_path / "source")
    whole = (tmp_path / "source" / "tiny-1.0-py3-none-any.whl").read_bytes()
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "tiny-1.0-py3-none-any.whl").write_bytes(whole[:200])
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "source"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    environment.set_up_python(root, tmp_path)
    assert installed(root)


def test_downloaded_wheels_are_kept_for_the_next_checkout(root, tmp_path, monkeypatch):
    """What the source gave is in the cache afterwards, and only whole."""
    said = []

    def run(command, surroundings, follow=None):
        said.append(command[4])
        if "download" in command:
            place = next(option for option in command if option.startswith("--dest=")).removeprefix("--dest=")
            write_wheel(environment.Path(place))
        return "ERROR: nothing here" if said == ["install"] else ""

    monkeypatch.setattr(environment, "_run", run)
    monkeypatch.setattr(environment, "_works", lambda command: (root / ".venv").mkdir() or True)
    environment.set_up_python(root, tmp_path)
    assert said == ["install", "download", "install"]
    assert [p.name for p in (tmp_path / "wheels").glob("*") if p.name != ".lock"] == [
        "tiny-1.0-py3-none-any.whl"
    ]


@pytest.mark.parametrize("said", ["x\nERROR: [Errno 28] No space left on device", "npm error code ENOSPC"])
def test_a_full_disk_is_named(said, tmp_path):
    """Whichever tool met it, the sentence is the same."""
    with pytest.raises(BuildError, match="disk is full"):
        environment._stop_on(said, "do it", tmp_path)


def write_npm(root, body):
    """Put a program in the place of npm that counts its calls and then does `body`."""
    scripts = root / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "npm").write_text(f"#!/bin/sh\ncd {root}\necho $1 >> calls\nrm -rf node_modules\n{body}\n")
    (scripts / "npm").chmod(0o755)
    for name in ("package.json", "package-lock.json"):
        (root / name).write_text("{}")


def test_node_modules_are_filled_once(root, tmp_path):
    """A second run does not call npm; a changed lock file does."""
    write_npm(root, "mkdir node_modules")
    for lock, calls in (("{}", 1), ("{}", 1), ("{ }", 2)):
        (root / "package-lock.json").write_text(lock)
        environment.set_up_node(root, tmp_path)
        assert (root / "calls").read_text().split() == ["ci"] * calls


def test_a_failed_npm_leaves_nothing_that_is_trusted(root, tmp_path):
    """npm's own line stands in the sentence, and the next run calls it again."""
    write_npm(root, "mkdir node_modules; echo 'npm error network down' >&2; exit 1")
    for _ in range(2):
        with pytest.raises(BuildError, match="npm error network down"):
            environment.set_up_node(root, tmp_path)
    assert (root / "calls").read_text().split() == ["ci", "ci"]


def test_every_python_package_is_pinned():
    """Each line names one exact version, once, and no other source of packages."""
    lines = [x for x in (ROOT / "requirements.txt").read_text().splitlines() if x and not x.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    assert len({line.partition("==")[0].lower() for line in lines}) == len(lines)


def test_every_npm_package_is_pinned_by_hash_and_names_no_host():
    """The lock file holds an integrity hash for each package, and no address."""
    text = (ROOT / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert all(entry["integrity"].startswith("sha512-") for name, entry in packages.items() if name)
    assert '"resolved"' not in text


def test_formulas_and_their_styles_are_of_one_version():
    """The KaTeX that the build runs is the one whose styles and fonts are served."""
    import sphinxcontrib.katex

    wanted = json.loads((ROOT / "package.json").read_text())["dependencies"]
    assert wanted["katex"] == sphinxcontrib.katex.katex_version
