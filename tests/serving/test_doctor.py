"""`doctor` tells an address from a checkpoint."""

import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.serving.doctor import is_address


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
