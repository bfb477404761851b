"""The server of `make serve`."""

import re
import socket
import threading
import urllib.request

import pytest

from book._tools import serve
from book._tools.failure import BuildError


@pytest.fixture
def site(tmp_path):
    """Write a site with a page, and a runtime named by its hash."""
    runtime = tmp_path / "_runtime" / "0123456789abcdef"
    runtime.mkdir(parents=True)
    (tmp_path / "index.html").write_text("<p>hello")
    (tmp_path / "page.mjs").write_text("export {}")
    for name in ("pyodide.mjs", "x.wasm", "x.whl"):
        (runtime / name).write_bytes(b"x")
    return tmp_path


@pytest.fixture
def ask(site):
    """Serve the site and return a function that asks for a path."""
    server = serve.open_server(site, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield lambda path: urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{path}", timeout=5)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", "text/html; charset=utf-8"),
        ("page.mjs", "text/javascript; charset=utf-8"),
        ("_runtime/0123456789abcdef/x.wasm", "application/wasm"),
        ("_runtime/0123456789abcdef/x.whl", "application/zip"),
    ],
)
def test_files_have_the_types_that_browsers_insist_on(ask, path, kind):
    """A module must be JavaScript, and WebAssembly its own type, or browsers refuse them."""
    with ask(path) as answer:
        assert answer.headers["Content-Type"] == kind


def test_only_what_is_named_by_hash_is_kept_for_ever(ask):
    """Pages are asked for again each time; the runtime never."""
    with ask("") as page, ask("_runtime/0123456789abcdef/pyodide.mjs") as module:
        assert page.headers["Cache-Control"] == "no-cache"
        assert module.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_port_in_use_is_said_and_passed_over(site, capsys):
    """The next free port is taken, and the person learns why."""
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with serve.open_server(site, port) as server:
            assert port < server.server_port < port + serve.TRIES
            assert server.server_address[0] == "127.0.0.1"
    assert f"Port {port} is in use" in capsys.readouterr().out


def test_a_site_that_is_not_built_is_said(tmp_path):
    """Without an index page the sentence names the command to run."""
    with pytest.raises(BuildError, match=re.escape("run `make html`")):
        serve.open_server(tmp_path)
