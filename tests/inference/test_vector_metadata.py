"""A file of vectors says what made it, and `embed` replaces none that something else made unless it is told to."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference import bulk_embedding
from wordworth.inference.vector_metadata import read_metadata
from wordworth.progress import SILENT

TEXTS = ["word other", "word", "other other"]
OUT = ["v.parquet", "v.npy", "v.jsonl", "v.csv"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.txt").write_text("word 3.0 4.0\nother 1.0 0.0\n")
    (tmp_path / "other.txt").write_text("word 3.0 4.0\nother 1.0 0.5\n")
    write_tiny(tmp_path / "model")
    return tmp_path


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("out", OUT)
def test_a_file_of_vectors_says_what_made_it(out):
    ww.embed(TEXTS, out, model="model", dtype="float32")
    metadata = read_metadata(ww.embed(TEXTS, out, model="model", dtype="float32").out)
    assert (metadata.model, metadata.dtype, metadata.pooling) == ("model", "float32", "mean")
    assert (metadata.rows, metadata.version) == (3, ww.__version__)


def test_the_description_is_read_without_wordworth():
    ww.embed(TEXTS, "v.parquet", model="table.txt")
    ww.embed(TEXTS, "v.npy", model="table.txt")
    inside = json.loads(parquet.read_schema("v.parquet").metadata[b"wordworth"])
    with open("v.npy.json", encoding="utf-8") as file:  # noqa: PTH123 - as anyone would
        outside = json.load(file)
    assert inside["model"] == outside["model"] == "table.txt"


@pytest.mark.parametrize("out", OUT)
def test_a_file_that_was_removed_is_made_again_though_its_description_is_there(out, folder):
    first = ww.embed(folder / "table.txt", out, model="model", text="text")
    (folder / out).unlink()
    assert read_metadata(folder / out) is None
    again = ww.embed(folder / "table.txt", out, model="model", text="text")
    assert (again.rows, again.unchanged) == (first.rows, False)
    assert (folder / out).exists()


@pytest.mark.parametrize("out", OUT)
def test_a_finished_file_of_the_same_is_not_made_again_and_this_is_said(out, monkeypatch):
    first = ww.embed(TEXTS, out, model="table.txt")
    monkeypatch.setattr(bulk_embedding, "_encode_all", None)  # which cannot be called
    notes = []
    report = ww.embed(TEXTS, out, model="table.txt", progress=SimpleNamespace(note=notes.append, step=SILENT.step))
    assert report.unchanged
    assert (report.rows, report.width, report.unread) == (first.rows, first.width, first.unread)
    assert notes == [f"{out} is there already, made of the same texts by the same model and settings: it is left"]


CHANGES = {
    "model": ({"model": "other.txt"}, TEXTS, r"with another model \(table.txt, float32, pooling mean\)"),
    "texts": ({}, TEXTS[:2], "with another input"),
    "settings": ({"long_texts": "cut"}, TEXTS, "with another long_texts"),
}


@pytest.mark.parametrize("out", OUT)
@pytest.mark.parametrize("changed", CHANGES)
def test_a_finished_file_of_another_run_is_replaced_only_if_that_is_asked_for(out, changed, folder):
    choices, texts, said = CHANGES[changed]
    ww.embed(TEXTS, out, model="table.txt")
    before = (folder / out).read_bytes()
    with pytest.raises(BadInput, match=f"{said}.*; choose another `out`, or give `overwrite`"):
        ww.embed(texts, out, **{"model": "table.txt", **choices})
    assert (folder / out).read_bytes() == before
    assert ww.embed(texts, out, **{"model": "table.txt", **choices}, overwrite=True).rows == len(texts)
    assert read_metadata(folder / out).model == choices.get("model", "table.txt")
    assert sorted(path.name for path in folder.glob("v.*")) == sorted(
        {out} if ".parquet" in out else {out, f"{out}.json"}
    )


@pytest.mark.parametrize("out", OUT)
def test_a_file_that_does_not_say_what_made_it_is_kept(out, folder):
    np.save("v.npy", np.ones((3, 2)))
    others = pd.DataFrame({"x": [1]})
    others.to_parquet("v.parquet")
    others.to_csv("v.csv")
    others.to_json("v.jsonl", orient="records", lines=True)
    refused = wordworth("embed", folder / "table.txt", "--model", "table.txt", "--out", out)
    assert refused.code == 2
    assert "does not say what made it; choose another --out, or give --overwrite" in refused.err
    assert wordworth("embed", "table.txt", "--model", "table.txt", "--out", out, "--overwrite").code == 0


def test_vectors_that_were_changed_since_are_not_those_that_were_described():
    ww.embed(TEXTS, "v.npy", model="table.txt")
    np.save("v.npy", np.load("v.npy") * 2)
    with pytest.raises(BadInput, match="does not say what made it"):
        ww.embed(TEXTS, "v.npy", model="table.txt")


@pytest.mark.parametrize("harm", [b"", b"PAR1", b"{}"])
def test_a_damaged_file_says_nothing(harm, folder):
    for name in ("v.parquet", "v.npy.json", "v.csv.json", "v.csv"):
        (folder / name).write_bytes(harm)
    np.save("v.npy", np.ones((1, 2)))
    assert [read_metadata(folder / name) for name in OUT] == [None] * len(OUT)


@pytest.mark.parametrize("out", OUT)
def test_a_run_that_replaces_and_was_stopped_goes_on_without_being_told_again(out, monkeypatch):
    ww.embed(TEXTS, out, model="table.txt")
    with monkeypatch.context() as stopped:
        stopped.setattr(bulk_embedding, "join", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ww.embed(TEXTS, out, model="other.txt", overwrite=True)
    assert ww.embed(TEXTS, out, model="other.txt").resumed == 3
    assert not ww.embed(TEXTS[:1], "w.npy", model="other.txt").unchanged


def test_a_run_stopped_after_its_vectors_and_before_their_description_is_finished(folder, monkeypatch):
    with monkeypatch.context() as stopped:
        stopped.setattr("wordworth.inference.join_embedding_parts.write_beside", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ww.embed(TEXTS, "v.npy", model="table.txt")
    assert (folder / "v.npy").exists()
    assert ww.embed(TEXTS, "v.npy", model="table.txt").resumed == 3
    assert read_metadata(folder / "v.npy").model == "table.txt"
    assert not (folder / "v.npy.parts").exists()
