"""Serve the built site on this machine, as a good host would: right types, and caching by name."""

import argparse
import errno
import re
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from book._tools.failure import AGAIN, BuildError, run

SITE = Path(__file__).parents[2] / "_build" / "html"
PORT = 8000
TRIES = 50
NAMED_BY_HASH = re.compile(r"/_runtime/[0-9a-f]{16}/")


class Handler(SimpleHTTPRequestHandler):
    """Files below one folder; what is named by its hash may be kept for ever, the rest is asked for again."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012, as the standard library has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
        ".woff2": "font/woff2",
    }

    def handle(self) -> None:
        """Answer requests until the browser has gone, which it may do in the middle of one."""
        with suppress(ConnectionError):
            super().handle()

    def end_headers(self) -> None:
        fixed = NAMED_BY_HASH.search(self.path)
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if fixed else "no-cache")
        super().end_headers()

    def log_message(self, *args: object) -> None:
        """Keep the terminal for the address."""


def open_server(site: Path, port: int = PORT) -> ThreadingHTTPServer:
    """Return a server of `site` on 127.0.0.1, on `port` or the first free one after it."""
    if not (site / "index.html").is_file():
        raise BuildError("The site is not built yet: run `make html`, then `make serve`.")
    for candidate in range(port, port + TRIES):
        try:
            server = ThreadingHTTPServer(("127.0.0.1", candidate), partial(Handler, directory=str(site)))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise BuildError(
                    f"Cannot listen on port {candidate} ({error}): set PORT to another."
                ) from error
            print(f"Port {candidate} is in use.", flush=True)
        else:
            return server
    raise BuildError(f"Ports {port} to {port + TRIES - 1} are all in use: stop a server, then {AGAIN}.")


def main() -> None:
    """Serve the site until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=PORT)
    server = open_server(SITE, parser.parse_args().port)
    print(f"The course is at http://127.0.0.1:{server.server_port}/ (Ctrl-C stops it)", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")


if __name__ == "__main__":
    run(main)
