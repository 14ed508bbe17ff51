"""`embed --long-texts` is what `encode(long_texts=...)` is, for a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.inference.bulk_embedding import EmbedSettings, embed, embed_in_memory
from wordworth.models.load import load
from wordworth.progress import SILENT

TEXTS = ["the cab", "a cab at the back " * 9, "the"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tiny(tmp_path / "model")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")


SAID = {"window": "read whole, in overlapping windows", "cut": "cut: their beginning alone is read"}


@pytest.mark.parametrize("way", SAID)
def test_vectors_are_those_of_encode(way):
    options = ["--model", "model", "--dtype", "float32", "--long-texts", way]
    done = wordworth("embed", "texts.txt", *options, "--out", "v.npy")
    assert done.code == 0
    assert SAID[way] in done.err
    encoder = load("model")
    assert np.allclose(np.load("v.npy"), encoder.encode(TEXTS, long_texts=way), atol=1e-5)
    other = {"window": "cut", "cut": "window"}[way]
    assert not np.allclose(np.load("v.npy")[1], encoder.encode(TEXTS, long_texts=other)[1], atol=1e-2)


def test_error_names_the_row_in_the_file_whatever_part_it_is_in():
    settings = EmbedSettings(model="model", rows=1, long_texts="error")
    with pytest.raises(BadInput, match=r"texts\.txt: row 1 \(the first is 0\) has .*; give `long_texts`"):
        embed("texts.txt", "v.npy", settings)


def test_parts_of_another_way_are_not_taken_up(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr("wordworth.inference.bulk_embedding.join", interrupted)
        with pytest.raises(KeyboardInterrupt):
            embed("texts.txt", "v.npy", EmbedSettings(model="model", rows=1, long_texts="window"))
    with pytest.raises(BadInput, match="made with another long_texts"):
        embed("texts.txt", "v.npy", EmbedSettings(model="model", rows=1, long_texts="cut"))


def test_a_check_gets_each_row_of_every_part_before_the_model_is_loaded():
    told, settings = [], EmbedSettings(model="no-such-model", rows=2)
    with pytest.raises(BadInput, match="no-such-model"):
        embed_in_memory(Path("texts.txt"), settings, SILENT, lambda *row: told.append(row))
    assert told == list(enumerate(TEXTS))


def test_an_unknown_way_is_refused():
    with pytest.raises(BadInput, match="no long-texts 'windows'; did you mean 'window'"):
        EmbedSettings(long_texts="windows")  # type: ignore[arg-type]  # as a user may write it


def test_a_device_that_is_not_here_is_refused_before_the_texts_are_read(monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    monkeypatch.setattr("wordworth.inference.bulk_embedding.iterate_texts", None)
    with pytest.raises(BadInput, match="this machine has no device 'cuda'; give auto or cpu"):
        embed("texts.txt", "v.npy", EmbedSettings(model="model", device="cuda"))


def test_the_file_of_vectors_does_not_name_the_device_that_was_asked_for():
    settings = [EmbedSettings(model="model", device=name, long_texts="cut") for name in ("cpu", "auto")]
    reports = [embed("texts.txt", "v.npy", each) for each in settings]
    assert [report.unchanged for report in reports] == [False, True]
    assert [report.finished for report in reports] == [False, True]  # the former name
