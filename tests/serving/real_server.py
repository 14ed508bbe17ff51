"""A real server of a tiny encoder in a process of its own."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx


class RealServer:
    """A running `wordworth serve`, and the lines of standard error that it wrote until it was ready."""

    def __init__(self, process, address, lines=()):
        self.process, self.address, self.lines = process, address, lines

    @property
    def at(self):
        host, port = self.address.removeprefix("http://").split(":")
        return host, int(port)

    @property
    def open_files(self):
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    def connect(self, seconds=30.0):
        connection = socket.create_connection(self.at, timeout=seconds)
        connection.settimeout(seconds)
        return connection

    def embed(self, *texts, **named):
        return httpx.post(f"{self.address}/v1/embeddings", json={"input": list(texts)}, timeout=60, **named)

    def stop(self, number=signal.SIGTERM):
        """Send a signal; return the exit code and what was written to standard error."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


@contextmanager
def real_server(model, *options, patch=""):
    """`wordworth serve MODEL --port 0` with some options, once it is ready; `patch` is run before it in its process."""
    program = f"import sys\n{patch}\nfrom wordworth.cli.entry_point import run\nrun()"
    command = [
        sys.executable,
        "-c",
        program,
        "serve",
        str(model),
        "--port",
        "0",
        "--dtype",
        "float32",
        *map(str, options),
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    try:
        address, lines = None, []
        while address is None:
            line = process.stderr.readline()
            lines.append(line)
            assert line, f"the server ended with {process.wait()}"
            match = re.search(r"serving .* at (https?://[\w.]+:\d+)", line)
            address = match and match[1]
        yield RealServer(process, address, lines)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def request_bytes(path, body):
    """A request as bytes, its body JSON."""
    content = json.dumps(body).encode()
    return f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(content)}\r\n\r\n".encode() + content


def read_all(connection):
    """All bytes until the server closes."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def seconds_until_closed(connection):
    began = time.monotonic()
    received = read_all(connection)
    return time.monotonic() - began, received
