"""`wordworth models`: the catalogue, readable in a narrow terminal and in a pipe; and fetching from the hub."""

import pytest
from tests.cli.terminal import wordworth

from wordworth.files import sha256
from wordworth.sources import catalogue


def test_every_name_of_the_catalogue_is_listed_with_its_hash(monkeypatch):
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: pytest.fail("asked the hub"))
    shown = wordworth("models")
    assert shown.code == 0
    for entry in catalogue():
        assert entry.name in shown.out
        assert entry.sha256 in shown.out
        assert entry.licence in shown.out
        assert entry.install in shown.out or entry.shipped
    assert "it comes with wordworth" in shown.out


def test_a_fetched_model_is_shown_with_its_place_and_the_hash_of_its_weights(tmp_path, monkeypatch):
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"weights")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: str(tmp_path))
    shown = wordworth("models", "--download", "some/model")
    assert shown.code == 0
    assert shown.out.splitlines()[:3] == [
        "some/model (encoder)",
        f"  here     {tmp_path}",
        f"  model.safetensors {sha256(weights)}",
    ]


def test_a_name_that_cannot_be_fetched_is_told_in_one_line(monkeypatch):
    def no_network(*_, **__):
        raise ConnectionError("Name or service not known")

    monkeypatch.setattr("huggingface_hub.snapshot_download", no_network)
    shown = wordworth("models", "--download", "some/model")
    assert (shown.code, shown.out) == (2, "")
    assert "some/model: cannot download: Name or service not known; check the name and the network\n" in shown.err
