"""The study from files to a record and a probe, and what it refuses."""

import json

import numpy as np
import pandas as pd
import pytest
from tests.models.tiny import write_tiny
from tests.studies.layers.small_files import labelled, spans, treebank

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.layers import probe_trainer
from wordworth.training.probes.train_probe import ProbeTraining, train_probe


@pytest.fixture(autouse=True)
def short(monkeypatch):
    for name in ("EDGE", "LINEAR"):
        monkeypatch.setattr(probe_trainer, name, ProbeTraining(rate=5e-3, batch_size=16, passes=3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def record(folder):
    with pytest.MonkeyPatch.context() as patch:
        for name in ("EDGE", "LINEAR"):
            patch.setattr(probe_trainer, name, ProbeTraining(rate=5e-3, batch_size=16, passes=3))
        path = treebank(folder)
        tasks = [f"pos={path}", f"dep={path}", f"order={spans(folder)}"]
        return ww.study_layers(tasks, model="mini", limit=60, draws=100)


def test_every_task_has_its_layers_its_expected_layer_and_the_layer_to_take(record):
    tables = {name: table.rows() for name, table in record.tables.items()}
    assert [row["task"] for row in tables["choices"]] == ["pos", "dep", "order"]
    assert len(tables["layers"]) == len(tables["depths"]) == 3 * 5
    assert sum(row["share"] for row in tables["depths"] if row["task"] == "pos") == pytest.approx(1)
    assert [row["layer"] for row in tables["layers"][:5]] == [0, 1, 2, 3, 4]
    for row in tables["layers"]:
        assert row["low"] <= row["f1"] <= row["high"]
        assert row["selectivity"] is not None
        assert row["code"] > 0
    assert [(row["first"], row["second"]) for row in tables["steps"]] == [
        ("pos", "dep")
    ]  # order is in no published one
    assert all(0 <= row["centre"] <= 4 for row in tables["expected"])
    assert record.settings["tasks"] == ["pos=small.conllu", "dep=small.conllu", "order=spans.jsonl"]
    speed = record.timings["speed"].rows()
    assert [row["layer"] for row in speed] == [0, 1, 2, 3, 4] * 3


def test_the_record_holds_the_sentences_of_its_charts_and_what_a_text_takes(record):
    assert record.finding("caption.layers-0").text.startswith("Layer ")
    notes = record.timings["captions"]["choices"]["notes"]
    assert sum("ms a text up to layer" in note for note in notes) == 3


def test_the_first_probe_of_a_task_that_words_solve_is_right(record):
    rows = [row for row in record.tables["layers"].rows() if row["task"] == "pos"]
    assert rows[0]["f1"] > 0.9  # each word has one tag
    assert "Take" in record.verdict or "take" in record.verdict or "layer" in record.verdict


@pytest.mark.slow
def test_the_same_seed_makes_the_same_record(folder):
    runs = [ww.study_layers([f"order={spans(folder)}"], model="mini", limit=60, draws=100) for _ in "ab"]
    first, second = (each.to_json().partition('"timings"')[0] for each in runs)
    assert first == second


@pytest.mark.parametrize("family", ["bert", "distilbert", "roberta", "gpt2"])
def test_every_family_is_probed(family, folder, tmp_path):
    model = write_tiny(tmp_path / family, family)
    found = ww.study_layers([f"order={spans(folder)}"], model=str(model), limit=60, draws=100)
    assert len(found.tables["layers"].rows()) == 3


def test_texts_longer_than_the_model_are_read_in_windows_and_said(tmp_path):
    model = write_tiny(tmp_path / "bert")  # 24 tokens at once
    rows = pd.DataFrame({"text": [f"the cat {n} " * 20 for n in range(200)], "kind": [n % 2 for n in range(200)]})
    found = ww.probe(rows, model=str(model), label="kind", draws=100, limit=100)
    (said,) = [finding for finding in found.findings if finding.name == "warning.long_texts"]
    assert said.numbers["texts"] == sum(found.tables["tasks"].rows()[0][part] for part in ("train", "dev", "test"))


@pytest.mark.slow
def test_a_probe_of_ones_own_labels_is_a_few_kilobytes_and_predicts(folder, tmp_path):
    data = labelled(folder)
    out = tmp_path / "probe"
    record = ww.probe(data, out, model="mini", label="kind", limit=100, draws=100)
    assert "expected" not in record.tables
    assert sum(file.stat().st_size for file in (out / "model").iterdir()) < 10_000
    run = ww.load_run(out)
    texts = ["liked the dog number 3", "met the doctor number 4"]
    assert run.classes == ("people", "pets")
    assert list(run.predict(texts).prediction) == ["pets", "people"]
    assert list(ww.predict(out, texts).prediction) == ["pets", "people"]
    assert (out / "report.html").exists()
    row = record.tables["choices"].rows()[0]
    assert row["f1"] > 0.9
    ww.probe(data, out, model="mini", label="kind", limit=100, draws=100)  # the same command again
    metadata = json.loads((out / "model" / "wordworth.json").read_text())
    assert metadata["probe"]["model"] == "mini"
    assert max(metadata["probe"]["layers"]) == row["layer"]


@pytest.mark.slow
def test_tags_of_words_and_several_labels_are_probed_too(tmp_path):
    lines = [f"{word}\t{tag}" for word, tag in (("John", "B-PER"), ("saw", "O"), ("Rome", "B-LOC"))]
    (tmp_path / "t.conll").write_text("\n\n".join("\n".join([*lines, f"n{n}\tO"]) for n in range(150)) + "\n")
    out = tmp_path / "tags"
    ww.probe(tmp_path / "t.conll", out, model="mini", limit=80, draws=100)
    (tmp_path / "new.conll").write_text("John\nsaw\nRome\n")
    (answer,) = ww.predict(out, tmp_path / "new.conll").prediction
    assert answer == "B-PER O B-LOC" or list(answer) == ["B-PER", "O", "B-LOC"]
    rows = [
        {"text": f"a cat {n}" if n % 3 else f"a dog and a cat {n}", "labels": "cat" if n % 3 else "cat|dog"}
        for n in range(200)
    ]
    many = tmp_path / "many"
    ww.probe(rows, many, model="mini", label="labels", limit=100, draws=100)
    assert "cat" in str(ww.load_run(many).predict(["a cat 5"]).prediction[0])


def test_a_probe_is_none_of_another_encoder(folder, tmp_path):
    out = tmp_path / "probe"
    ww.probe(labelled(folder), out, model="mini", label="kind", limit=100, draws=100)
    metadata = json.loads((out / "model" / "wordworth.json").read_text())
    metadata["probe"]["fingerprint"] = "0"
    (out / "model" / "wordworth.json").write_text(json.dumps(metadata))
    with pytest.raises(BadInput, match="made on another encoder"):
        ww.load_run(out)


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        ({}, "no task is given"),
        ({"tasks": ["poss"]}, "no task 'poss'"),
        ({"tasks": ["pos=none.conllu"]}, "none.conllu"),
        ({"tasks": ["a=SPANS", "a=SPANS"]}, "two tasks have the same name"),
        ({"tasks": ["a=SPANS"], "model": "wordllama"}, "wordllama|static table"),
        ({"data": {"text": ["a b"] * 100 + ["c"] * 100, "y": ["one"] * 200}, "label": "y"}, "nothing to learn"),
        ({"data": {"text": [f"a {n}" for n in range(200)], "y": np.arange(200) / 7}, "label": "y"}, "kind regression"),
    ],
)  # fmt: skip
def test_what_cannot_be_studied_is_said_before_anything_is_written(choices, what, folder, tmp_path):
    path = str(spans(folder))
    if "data" in choices:
        choices = {**choices, "data": pd.DataFrame(choices["data"])}
    given = {**choices, "tasks": [task.replace("SPANS", path) for task in choices.get("tasks", [])]}
    with pytest.raises(BadInput, match=what):
        ww.study_layers(**{"model": "mini", **given}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_published_data_that_are_not_here_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    with pytest.raises(BadInput, match="give a file: ner=my-file"):
        ww.study_layers(["ner"], model="mini")


@pytest.mark.slow
def test_a_stopped_study_goes_on_where_it_was_to_the_same_record(folder, monkeypatch, tmp_path):
    tasks, trained = [f"dep={treebank(folder)}"], []

    def study(cache):
        monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / cache))
        return ww.study_layers(tasks, model="mini", limit=40, draws=100).to_json().partition('"timings"')[0]

    def train(*arguments, **named):
        trained.append(1)
        if len(trained) == 14:
            raise KeyboardInterrupt
        return train_probe(*arguments, **named)

    whole = study("whole")
    monkeypatch.setattr(probe_trainer, "train_probe", train)
    with pytest.raises(KeyboardInterrupt):
        study("stopped")
    assert study("stopped") == whole
    again = len(trained) - 14
    assert study("stopped") == whole
    assert len(trained) - 14 == again > 0
