"""`wordworth serve` as a process: it answers, it stops gracefully, and bad input is one line."""

import json
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from tests.cli.terminal import wordworth
from tests.inference.test_rung_predictor import in_folder
from tests.serving.real_server import real_server, request_bytes
from tests.serving.served import tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput, MissingExtra
from wordworth.serving import run_server


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "tiny"
    tiny_encoder(path)
    return path


def test_it_answers_until_it_is_stopped_and_says_what_it_answered(folder):
    with real_server(folder) as server:
        answer = server.embed("the cab")
        assert np.allclose(answer.json()["data"][0]["embedding"], ww.load(folder).encode("the cab"), atol=1e-5)
        assert httpx.get(f"{server.address}/health").status_code == 200
        code, errors = server.stop()
    assert code == 0
    assert "stopped; 2 requests were answered" in errors


def test_what_it_loads_is_said_before_it_is_ready(folder):
    at_once = "from wordworth.cli import progress_bars\nprogress_bars._QUIET_S = 0"
    with real_server(folder, patch=at_once) as server:
        loading, serving = server.lines
    assert loading == "loading tiny …\n"
    assert serving.startswith("serving tiny (32 numbers")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize(("route", "is_run"), [("/predict", True), ("/v1/embeddings", False)])
def test_the_curls_of_the_readme_work(folder, tmp_path, route, is_run):
    lines = (Path(__file__).parents[2] / "README.md").read_text("utf-8").splitlines()
    line = next(line for line in lines if line.startswith(f"curl 127.0.0.1:8080{route} ")).partition(" #")[0]
    model = in_folder(tmp_path / "model").parent if is_run else folder
    with real_server(model) as server:
        words = shlex.split(line.replace("127.0.0.1:8080", server.address))
        answer = json.loads(subprocess.run([*words, "--silent"], capture_output=True, check=True).stdout)
    assert answer[0].keys() == {"label", "score"} if is_run else len(answer["data"][0]["embedding"]) == 32


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_that_came_before_the_signal_are_answered(folder, number):
    with real_server(folder) as server:
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(server.embed(*["a b " * 400] * 16).status_code))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        while 'te_request_count{method="embeddings"} 4' not in httpx.get(f"{server.address}/metrics").text:
            pass
        code, _ = server.stop(number)
        for thread in threads:
            thread.join()
    assert answers == [200] * 4
    assert code == 0


@pytest.mark.slow
def test_a_second_ctrl_c_ends_it_at_once_and_without_a_traceback(folder):
    with real_server(folder, "--threads", 1) as server:
        waiting = [server.connect() for _ in range(3)]
        for connection in waiting:
            connection.sendall(request_bytes("/embed", {"inputs": ["a b " * 1500] * 64}))
        while 'te_request_count{method="embed"} 3' not in httpx.get(f"{server.address}/metrics").text:
            pass
        server.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        code, errors = server.stop(signal.SIGINT)
        for connection in waiting:
            connection.close()
    assert code == 0
    assert errors.startswith("stopped; 1 requests were answered")


@pytest.mark.slow
def test_many_clients_at_once_get_their_own_vectors(folder):
    encoder, texts = ww.load(folder), [f"the {'ab'[n % 2] * (n % 17)} {'cdefg'[n % 5]}" for n in range(128)]
    wanted, wrong = encoder.encode(texts), []
    with real_server(folder) as server:

        def client(first):
            with httpx.Client(timeout=60) as own:
                for index in range(first, len(texts), 32):
                    body = own.post(f"{server.address}/v1/embeddings", json={"input": texts[index]}).json()
                    if not np.allclose(body["data"][0]["embedding"], wanted[index], atol=1e-5):
                        wrong.append(index)

        threads = [threading.Thread(target=client, args=(first,)) for first in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_a_port_that_is_taken_is_said(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        outcome = wordworth("serve", folder, "--port", taken.getsockname()[1])
    assert outcome.code == 2
    assert "cannot listen: address already in use; give another --port" in outcome.err


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--port", "70000"], "--port 70000 is out of range; give 0 to 65535"),
        (["--port", "many"], "'many' is not a valid integer"),
        (["--host", "no.such.host.invalid"], "no address 'no.such.host.invalid'"),
        (["--host", "203.0.113.9"], "cannot listen"),
        (["--api-key-file", "/nowhere/keys"], "cannot read: no such file"),
        (["--dtype", "float8"], "no dtype 'float8'"),
        (["--long-texts", "crop"], "no long-texts 'crop'"),
        (["--max-waiting", "0"], "--max-waiting 0 is out of range"),
    ],
)
def test_a_bad_option_is_one_line(folder, options, what):
    outcome = wordworth("serve", folder, *options)
    assert (outcome.code, len(outcome.err.strip().splitlines())) == (2, 1)
    assert what in outcome.err


def test_what_is_no_model_is_one_line(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("no model")
    for model in (tmp_path / "none", tmp_path / "notes", "nosuchmodel"):
        outcome = wordworth("serve", model, "--port", "0")
        assert (outcome.code, len(outcome.err.strip().splitlines())) == (2, 1), outcome.err


def test_damaged_weights_are_one_line(tmp_path):
    tiny_encoder(tmp_path / "tiny")
    weights = tmp_path / "tiny" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    outcome = wordworth("serve", tmp_path / "tiny", "--port", "0")
    assert outcome.code == 2
    assert "truncated" in outcome.err


def test_a_server_whose_model_fails_to_load_ends_with_the_error(folder, monkeypatch):
    """It would otherwise say for ever that the model is being loaded."""

    def fail(*_):
        raise FileNotFoundError("a file that nobody foresaw")

    monkeypatch.setattr("wordworth.serving.model_service.Served.load", fail)
    with pytest.raises(FileNotFoundError, match="nobody foresaw"):
        ww.serve(folder, port=0)


def test_a_missing_package_is_said_with_the_extra(monkeypatch):
    monkeypatch.setattr(run_server, "PACKAGES", ("starlette", "no_such_package"))
    with pytest.raises(MissingExtra, match=r"no_such_package, which is not installed.*\.\[serve\]"):
        ww.serve("minilm")


def test_a_setting_of_another_kind_is_refused():
    with pytest.raises(BadInput, match="port"):
        ww.serve("minilm", port="8080")


def test_the_network_without_a_key_is_pointed_out(folder, heard, monkeypatch):
    import uvicorn

    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    ww.serve(folder, host="0.0.0.0", port=0, progress=heard)  # noqa: S104 - it is the case at hand
    assert any("open to the network without a key" in note for note in heard.notes)
