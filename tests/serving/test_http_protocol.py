"""What uvicorn lacks: deadlines for sending a request and for reading its answer, and an end to endless headers."""

import contextlib
import re
import time

import httpx
import pytest
from tests.serving.real_server import read_all, real_server, request_bytes, seconds_until_closed
from tests.serving.served import tiny_encoder

SHORT = (
    "import wordworth.serving.http_protocol as protocol\nprotocol.RECEIPT_SECONDS, protocol.SENDING_SECONDS = 1.0, 1.0"
)
"""Deadlines of a second, so that tests end."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("protocol") / "tiny"
    tiny_encoder(folder)
    with real_server(folder, patch=SHORT) as running:
        yield running


def trickle(connection, data, pause=0.2):
    """Send a byte at a time until the server has had enough."""
    for byte in data:
        try:
            connection.sendall(bytes([byte]))
        except OSError:
            return
        time.sleep(pause)


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"POST /v1/embeddings HTTP/1.1\r\nhost: x\r\n",
        b"POST /v1/embeddings HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{",
        b"POST /v1/embeddings HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{    \r\n",
    ],
)
def test_a_request_that_does_not_arrive_ends_its_connection(server, beginning):
    with server.connect() as connection:
        connection.sendall(beginning)
        seconds, received = seconds_until_closed(connection)
    assert seconds < 8  # the deadline is one second; the rest is for a busy machine
    assert received.startswith(b"HTTP/1.1 408")


def test_a_request_that_trickles_ends_its_connection(server):
    with server.connect() as connection:
        trickle(connection, b"POST /v1/embeddings HTTP/1.1\r\nx-header: " + b"a" * 20)
        _, received = seconds_until_closed(connection)
    assert received.startswith(b"HTTP/1.1 408")


def test_endless_headers_end_the_connection(server):
    with server.connect() as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n" + b"x-header: 0123456789\r\n" * 4000)
        assert read_all(connection).startswith(b"HTTP/1.1 431")


def test_a_connection_serves_one_request_after_another(server):
    with httpx.Client(base_url=server.address) as client:
        for _ in range(3):
            assert client.post("/embed", json={"inputs": "the cab"}).status_code == 200
            time.sleep(0.5)  # in all more than the deadline, which is for each request


def test_a_client_that_does_not_read_is_left(server):
    with server.connect() as connection:
        connection.sendall(request_bytes("/embed_all", {"inputs": ["a b " * 500] * 40}))
        head = connection.recv(1000)
        length = int(re.search(rb"content-length: (\d+)", head)[1])
        time.sleep(6)  # the deadline is one second
        received = len(head)
        with contextlib.suppress(ConnectionResetError):
            while part := connection.recv(65536):
                received += len(part)
    assert received < length
    assert server.embed("the cab").status_code == 200


def test_a_request_for_a_websocket_is_answered_as_any_other_and_advises_no_package(tmp_path):
    tiny_encoder(tmp_path / "tiny")
    upgrade = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, close\r\nupgrade: websocket\r\n\r\n"
    with real_server(tmp_path / "tiny") as server:
        with server.connect() as connection:
            connection.sendall(upgrade)
            assert read_all(connection).startswith(b"HTTP/1.1 200")
        assert "pip install" not in server.stop()[1]
