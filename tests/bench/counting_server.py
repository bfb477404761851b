"""A server of the site, and of a bare page beside it, that counts what it sends as a host with gzip would."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import ThreadingHTTPServer
from pathlib import Path

from book._tools.serve import Handler

PACKED = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".py", ".wasm")

BARE_PAGE = """<!doctype html><meta charset="utf-8"><title>bare</title><script type="module">
import {{ loadPyodide }} from "{runtime}/pyodide.mjs";
const python = await loadPyodide({{ indexURL: new URL("{runtime}/", location.href).href }});
await python.loadPackage("numpy");
python.runPython("import numpy");
document.documentElement.dataset.bootMs = performance.now();
</script>"""


@cache
def packed_size(path: Path, modified: float) -> int:
    """Return the bytes of `path` as a usual host sends it: text and WebAssembly by gzip."""
    data = path.read_bytes()
    return len(gzip.compress(data, 6)) if path.suffix in PACKED else len(data)


class Counter:
    """Adds up the bytes of answered requests."""

    def __init__(self) -> None:
        self.total = 0
        self.lock = threading.Lock()

    def add(self, path: Path) -> None:
        if path.is_file():
            with self.lock:
                self.total += packed_size(path, path.stat().st_mtime)


class CountingHandler(Handler):
    """The server of `make serve`, which also tells the counter what it sent."""

    def __init__(self, *arguments, counter: Counter, **options) -> None:
        self.counter = counter
        super().__init__(*arguments, **options)

    def send_response(self, code, message=None) -> None:
        if code == 200:
            path = Path(self.translate_path(self.path))
            self.counter.add(path / "index.html" if path.is_dir() else path)
        super().send_response(code, message)


@contextmanager
def serving(site: Path, folder: Path) -> Iterator[tuple[str, Counter]]:
    """Serve `folder`, in which `site/` is the site and `bare.html` a page that only starts Pyodide."""
    (folder / "site").symlink_to(site, target_is_directory=True)
    (runtime,) = [place for place in (site / "_runtime").iterdir() if (place / "pyodide.mjs").exists()]
    (folder / "bare.html").write_text(BARE_PAGE.format(runtime=f"./site/_runtime/{runtime.name}"))
    counter = Counter()
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(CountingHandler, directory=folder, counter=counter)
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", counter
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
