"""A client of OpenAI's embeddings API: a key is sent to its server alone, and every bad answer is one clear error."""

from __future__ import annotations

from ssl import SSLCertVerificationError
from urllib.error import URLError

import numpy as np
import pytest
from tests.serving.other_server import other_server

from wordworth.errors import BadInput
from wordworth.serving.server_client import ServerClient


def ones(texts):
    return np.ones((len(texts), 3)) * np.arange(1, len(texts) + 1)[:, None]


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
def test_vectors_come_in_the_order_of_the_texts_by_any_form_of_the_address(end):
    with other_server(ones) as address:
        client = ServerClient.of(address + end)
        assert client.models() == ["mini"]
        np.testing.assert_array_equal(client.embed(["a", "b"], None), ones(["a", "b"]))


def test_the_indices_of_an_answer_decide_the_order():
    body = {"data": [{"index": 1, "embedding": [2.0]}, {"index": 0, "embedding": [1.0]}]}
    with other_server(ones, body=body) as address:
        assert ServerClient.of(address).embed(["a", "b"], "mini").tolist() == [[1.0], [2.0]]


def test_a_key_is_sent():
    with other_server(ones, key="secret") as address:
        assert len(ServerClient.of(address, "secret").embed(["a"], None)) == 1
        with pytest.raises(BadInput, match=r"refused /v1/embeddings with status 401: 'no key'; .* `api_key_file`"):
            ServerClient.of(address).embed(["a"], None)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"data": []},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"index": 0, "embedding": [1, "x"]}]},
        {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]},
        {"data": 5},
    ],
)
def test_an_answer_that_is_no_vectors_is_refused(body):
    with (
        other_server(ones, body=body) as address,
        pytest.raises(BadInput, match="did not answer 1 texts with as many vectors of numbers"),
    ):
        ServerClient.of(address).embed(["a"], None)


def test_what_is_not_json_is_refused():
    with other_server(ones, body=b"<html>") as address, pytest.raises(BadInput, match="with what is not JSON"):
        ServerClient.of(address).embed(["a"], None)


def test_no_redirect_is_followed():
    with other_server(ones, status=302) as address, pytest.raises(BadInput, match="with status 302"):
        ServerClient.of(address, "secret").models()


def test_a_server_that_is_not_there_is_one_line():
    with pytest.raises(BadInput, match=r"http://127.0.0.1:9: the server does not answer .*; is it running"):
        ServerClient.of("http://127.0.0.1:9").models()


@pytest.mark.parametrize(
    ("code", "reason", "mend"),
    [
        (18, "self-signed certificate", "name its certificate in the variable SSL_CERT_FILE"),
        (10, "certificate has expired", "its certificate must be valid today and for this name"),
        (62, "hostname mismatch", "its certificate must be valid today and for this name"),
    ],
)
def test_a_certificate_that_is_refused_is_called_that_with_what_helps(monkeypatch, code, reason, mend):
    def refuse(*_, **__):
        error = SSLCertVerificationError(reason)
        error.verify_code = code
        raise URLError(error)

    monkeypatch.setattr("urllib.request.OpenerDirector.open", refuse)
    with pytest.raises(BadInput, match=f"{reason}.*{mend}"):
        ServerClient.of("https://127.0.0.1:9").models()


@pytest.mark.parametrize("address", ["http://", "http://[::1", "http://:80"])
def test_an_address_without_a_host_is_refused(address):
    with pytest.raises(BadInput, match="this address names no host"):
        ServerClient.of(address)


@pytest.mark.parametrize("status", [404, 405])
def test_a_server_that_lists_no_models_names_none(status):
    with other_server(ones, status=status) as address:
        assert ServerClient.of(address).models() == []
