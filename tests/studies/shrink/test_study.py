"""The study from a model and labelled rows to a record, and what it refuses."""

import json
from dataclasses import asdict

import pandas as pd
import pytest
from tests.inference.tuned_model import labelled_rows, write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies import compression_frontier as module


def test_every_way_to_shrink_a_run_has_a_row(record):
    ways = {row["way"] for row in record.tables["models"].rows()} - {"bfloat16", "int8"}
    assert ways == {"whole", "layers dropped", "heads removed", "static table"}
    assert record.data["choosing"] + record.data["measuring"] == 80
    assert record.finding("verdict").numbers["headline"]


def test_every_way_to_shrink_an_encoder_and_its_vectors_has_a_row(of_encoder):
    ways = {row["way"] for row in of_encoder.tables["models"].rows()} - {"bfloat16", "int8"}
    assert ways == {"whole", "layers dropped", "static table"}
    assert {row["way"] for row in of_encoder.tables["vectors"].rows()} == {"whole", "cut", "int8", "bits"}


def test_the_records_hold_the_sentences_of_their_charts(record, of_encoder):
    assert "smaller models" in record.finding("caption.changes").text
    assert "smaller forms" in of_encoder.finding("caption.vectors").text
    assert "ms a text" in record.timings["captions"]["frontier"]["title"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_record_but_for_times(run, rows, record):
    again = ww.study_shrink(run, rows, limit=80, draws=200)
    parts = [json.loads(each.to_json()) for each in (record, again)]
    assert all(parts[0][name] == parts[1][name] for name in ("settings", "data", "tables", "findings"))


def test_a_stopped_study_measures_only_the_models_that_are_missing(run, rows, record, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path))
    measured, real = list[str](), module.speeds

    def stopped(models, *arguments):
        if len(measured) == 3:
            raise KeyboardInterrupt
        measured.append([*models][-1])
        return real(models, *arguments)

    monkeypatch.setattr(module, "speeds", stopped)
    with pytest.raises(KeyboardInterrupt):
        ww.study_shrink(run, rows, limit=80, draws=200)
    names = [row["model"] for row in record.tables["models"].rows()]
    assert measured == names[:3]
    monkeypatch.setattr(module, "speeds", lambda models, *rest: measured.append([*models][-1]) or real(models, *rest))
    again = ww.study_shrink(run, rows, limit=80, draws=200)
    assert measured == names
    assert again.tables["models"].rows() == record.tables["models"].rows()
    third = ww.study_shrink(run, rows, limit=80, draws=100)
    assert measured == names
    assert third.timings["speed"].rows() == again.timings["speed"].rows()


@pytest.mark.slow
def test_a_table_in_memory_and_a_student(run, rows, tmp_path):
    ww.prune(run, tmp_path / "small", layers=1)
    record = ww.study_shrink(run, pd.read_csv(rows), limit=60, draws=100, also=[str(tmp_path / "small")])
    assert [row["model"] for row in record.tables["models"].rows() if row["way"] == "another model"] == ["small"]
    assert record.settings["also"] == ["small"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regression", "tags"])
def test_values_and_tags_are_measured_too(tmp_path, kind):
    run, rows = write_tuned(tmp_path / "run", kind=kind), labelled_rows(tmp_path, kind)
    record = ww.study_shrink(run, rows, limit=60, draws=100)
    assert len(record.tables["models"].rows()) > 5


@pytest.mark.slow
def test_pairs_with_values_are_scored_by_the_cosine_of_their_vectors():
    texts = [f"the cat sat on mat {number % 7}" for number in range(80)]
    pairs = [
        {"text_a": text, "text_b": f"a dog sat by {number % 5}", "label": number / 7}
        for number, text in enumerate(texts)
    ]
    record = ww.study_shrink("mini", pairs, text="text_a", text_b="text_b", limit=80, draws=100)
    assert record.data["by_cosine"]
    whole = [record.tables[name].rows()[0]["score"] for name in ("models", "vectors")]
    assert whole[0] == whole[1]
    assert not any(row["model"] == "static table" for row in record.tables["models"].rows())


@pytest.mark.slow
def test_what_cannot_be_shrunk_is_refused(run, rows, tmp_path):
    words = labelled_rows(tmp_path, "tags")
    for model, data, choices, what in (
        ("mini", words, {}, "words are labelled here"),
        ("mini", rows, {"also": [str(run)]}, "this is a fine-tuned model"),
        ("mini", rows, {"also": ["wordllama"]}, "is a static table"),
        (run, rows, {"also": ["nowhere"]}, "nowhere"),
        ("nowhere", rows, {}, "nowhere"),
        (run, rows, {"margin": -1}, "margin. -1 is out of range"),
        (run, rows, {"text": "nothing"}, "nothing"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_shrink(model, data, **choices)
    assert asdict(ww.read_record(_written(run, rows, tmp_path)).finding("verdict"))["name"] == "verdict"


def _written(run, rows, folder):
    ww.study_shrink(run, rows, limit=60, draws=100, out=folder / "out")
    assert "<svg" in (folder / "out" / "report.html").read_text(encoding="utf-8")
    return folder / "out"
