"""A server among bad clients: nothing hangs, and every request that came is answered or refused with its reason."""

import collections
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest
from tests.serving.real_server import read_all, real_server, request_bytes
from tests.serving.served import tiny_encoder

SLOW = """
import time
from wordworth.models.text_encoder import TextEncoder
exact = TextEncoder.embed_tokens
def slow(self, tokens):
    time.sleep(0.2)
    return exact(self, tokens)
TextEncoder.embed_tokens = slow
"""
"""An encoder that takes a fifth of a second for a batch."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("faults") / "tiny"
    tiny_encoder(path)
    return path


@pytest.fixture(scope="module")
def server(folder):
    with real_server(folder) as running:
        yield running
        assert running.embed("the cab").status_code == 200  # whatever the tests did to it


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\x00\xff", 400),
        (b'{"input": "\xc3\x28"}', 400),
        (b'{"input": [NaN]}', 400),
        (b'{"input": 1e999}', 422),
        (b'{"input": ' + b"[" * 500_000, 400),
        (b'{"input": []}', 422),
        (b'{"input": [[]]}', 422),
        (b'{"input": "\\u0000\\u202e"}', 200),
        (b"[1]", 422),
        (b"null", 422),
        (b"a" * 2_500_000, 413),
        (b"a" * 20_000_000, 413),
    ],
)
def test_whatever_is_sent_has_an_answer(server, body, status):
    try:
        answer = httpx.post(f"{server.address}/v1/embeddings", content=body, timeout=60)
    except httpx.TransportError:
        assert len(body) > 16_000_000  # the server no longer reads, and the client was still writing
        return
    assert answer.status_code == status
    if status != 200:
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


@pytest.mark.parametrize("text", ["a" * 1_000_000, "ab " * 300_000, "\u0301" * 300_000, "🙂" * 200_000])
def test_a_text_of_a_megabyte_is_read_or_refused(server, text):
    began = time.monotonic()
    answer = httpx.post(f"{server.address}/v1/embeddings", json={"input": text}, timeout=60)
    assert answer.status_code in {200, 413, 422}
    if answer.status_code != 200:
        assert "this server reads" in answer.json()["error"]["message"]
    assert time.monotonic() - began < 50


@pytest.mark.parametrize(
    "raw", [b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9\r\n\r\n", b"\r\n\r\nhello\r\n\r\n", b"A" * 100]
)
def test_what_is_no_http_ends_its_connection(server, raw):
    with server.connect() as connection:
        connection.sendall(raw + b"\r\n\r\n")
        assert b"200" not in read_all(connection)[:20]


@pytest.mark.slow
def test_clients_that_are_killed_are_forgotten(folder):
    program = (
        "import sys, httpx\n"
        "print('sent', flush=True)\n"
        "httpx.post(sys.argv[1] + '/embed', json={'inputs': ['a b ' * 400] * 8}, timeout=60)\n"
    )
    with real_server(folder, patch=SLOW) as server:
        clients = [
            subprocess.Popen([sys.executable, "-c", program, server.address], stdout=subprocess.PIPE) for _ in range(4)
        ]
        for client in clients:
            client.stdout.readline()
        time.sleep(0.1)
        for client in clients:
            os.kill(client.pid, signal.SIGKILL)
            client.wait()
            client.stdout.close()
        assert server.embed("the cab").status_code == 200
        until = time.monotonic() + 30
        while "te_queue_size 0" not in httpx.get(f"{server.address}/metrics").text:
            assert time.monotonic() < until


@pytest.mark.slow
def test_a_full_queue_refuses_and_all_requests_are_answered(folder):
    with real_server(folder, "--max-waiting", "4", patch=SLOW) as server:
        answers = collections.Counter()

        def client():
            answer = server.embed("the cab")
            answers[answer.status_code] += 1
            if answer.status_code == 429:
                assert int(answer.headers["retry-after"]) >= 1
                assert answer.json()["error"]["code"] == "queue_full"

        threads = [threading.Thread(target=client) for _ in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers[200] + answers[429] == 24
    assert answers[200] >= 4
    assert answers[429] > 0


def test_a_deadline_that_passes_in_the_queue_costs_no_pass(folder):
    with real_server(folder, "--threads", "1", patch=SLOW) as server:
        busy = threading.Thread(target=lambda: server.embed(*["a b " * 400] * 16))
        busy.start()
        time.sleep(0.1)
        late = server.embed("a b " * 400, headers={"x-request-timeout": "0.05"})
        busy.join()
        metrics = httpx.get(f"{server.address}/metrics").text
    assert (late.status_code, late.json()["error"]["code"]) == (504, "deadline_passed")
    assert 'te_request_failure{err="late"} 1' in metrics
    assert "te_request_failure{" not in metrics.replace('te_request_failure{err="late"}', ""), "counted once"
    assert "wordworth_request_dropped 1" in metrics


def test_two_thousand_empty_requests_within_a_second_are_refused_one_by_one(server):
    began, refused = time.monotonic(), request_bytes("/v1/embeddings", {"input": []}) * 200
    connections = [server.connect(seconds=60) for _ in range(10)]
    for connection in connections:
        connection.sendall(refused)
    assert time.monotonic() - began < 1
    assert server.embed("the cab").status_code == 200
    statuses = collections.Counter()
    for connection in connections:
        received = b""
        while received.count(b"HTTP/1.1 ") < 200 or not received.endswith(b"}}"):
            received += connection.recv(65536)
        statuses.update(re.findall(rb"HTTP/1.1 (\d+)", received))
        connection.close()
    assert statuses == {b"422": 2000}


def test_hundreds_of_idle_connections_keep_nobody_out(server):
    idle = [server.connect() for _ in range(300)]
    try:
        assert server.embed("the cab").status_code == 200
    finally:
        for connection in idle:
            connection.close()


@pytest.mark.slow
def test_ten_thousand_idle_connections_keep_nobody_out_and_are_ended(folder):
    number, (_, most) = 10_000, resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < number + 500:
        pytest.skip(f"a process may open {most} files here")
    with open_files(most), real_server(folder) as server:
        before = server.open_files
        idle = [server.connect(seconds=60) for _ in range(number)]
        assert server.embed("the cab").status_code == 200
        answers = collections.Counter(read_all(connection).split(b"\r\n")[0] for connection in idle)
        for connection in idle:
            connection.close()
        assert answers == {b"HTTP/1.1 408 Request Timeout": number}
        assert server.embed("the cab").status_code == 200
        assert server.open_files <= before + 1  # a connection of the last request may still be closing


def test_a_server_that_may_open_few_files_goes_on_once_clients_leave(folder):
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))"
    with real_server(folder, patch=few) as server:
        assert server.embed("the cab").status_code == 200
        idle = [server.connect() for _ in range(200)]
        with contextlib.suppress(httpx.TransportError):  # it may be refused, and not wait
            httpx.get(f"{server.address}/health", timeout=20)
        for connection in idle:
            connection.close()
        assert server.embed("the cab").status_code == 200
        assert server.stop()[0] == 0


@contextlib.contextmanager
def open_files(most):
    """Let this process and those that it starts open so many files."""
    earlier = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, earlier)


def test_requests_in_one_packet_are_answered_in_order(server):
    texts = ["the", "the cab", "the cab bad"]
    with server.connect() as connection:
        connection.sendall(b"".join(request_bytes("/tokenize", {"inputs": text}) for text in texts))
        received = b""
        while received.count(b"HTTP/1.1 200") < 3 or not received.endswith(b"]]"):
            received += connection.recv(65536)
    bodies = [json.loads(part.split(b"\r\n\r\n")[1]) for part in received.split(b"HTTP/1.1 ")[1:]]
    assert [len(tokens[0]) for tokens in bodies] == sorted(len(tokens[0]) for tokens in bodies)
