"""`doctor` tells an address from a checkpoint."""

import numpy as np
import pytest
from tests.serving.other_server import other_server

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.serving.doctor import is_address
from wordworth.serving.server_client import ServerClient


@pytest.mark.parametrize(
    ("model", "address"), [("http://x", True), ("HTTPS://x:8", True), ("minilm", False), ("./http", False), (5, False)]
)
def test_what_begins_like_an_address_is_one(model, address):
    assert is_address(model) is address


@pytest.mark.parametrize("address", ["127.0.0.1:8080", "localhost:8080/v1"])
def test_an_address_without_its_scheme_is_said_to_lack_it(address):
    with pytest.raises(BadInput, match=f"give a server as http://{address}"):
        ww.doctor(address, against="minilm")


def test_a_folder_may_have_a_name_like_an_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model:1").mkdir()
    assert not is_address("model:1")


@pytest.mark.parametrize("key", ["plain", "schlüssel", "ключ"])
def test_a_key_is_sent_with_the_bytes_of_its_file(tmp_path, monkeypatch, key):
    """A server compares the bytes of the header, which Python's clients and servers hold as Latin-1."""
    (tmp_path / "key").write_text(f"{key}\n", encoding="utf-8")
    monkeypatch.setattr("wordworth.serving.server_checks.check_server", lambda *arguments: arguments[2])
    sent = ww.doctor("http://127.0.0.1:9", against="minilm", api_key_file=tmp_path / "key")
    with other_server(lambda texts: np.ones((len(texts), 2)), key=key.encode().decode("latin-1")) as address:
        assert ServerClient.of(address, sent).embed(["a"], None).shape == (1, 2)
