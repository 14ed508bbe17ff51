"""A plan from end to end, of a model that has learned a little."""

import pytest

import wordworth as ww
from wordworth.errors import BadInput


def test_the_corpus_like_the_task_lowers_its_cost_more_than_the_control_does(record):
    task, corpus, control = record.tables["texts"].rows()
    assert [row["texts"] for row in (task, corpus, control)] == ["the task's texts", "the corpus", "the control"]
    assert task["gain"] < 0
    assert task["unknown"] == 0
    assert control["unknown"] > 0.9
    assert record.finding("verdict").numbers["headline"].endswith("the task's language.")


def test_the_same_seed_gives_the_same_record_but_for_the_clock(record, model, texts):
    paths = {"task": texts / "task.jsonl", "control": texts / "control.jsonl"}
    again = ww.plan_adaptation(model, texts / "corpus.jsonl", steps=4, device="cpu", **paths)
    assert again.tables == record.tables
    assert [finding.text for finding in again.findings] == [finding.text for finding in record.findings]
    assert again.timings["pass"] > 0


def test_no_model_is_left_and_nothing_is_written_without_a_folder(model, texts, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ww.plan_adaptation(model, texts / "corpus.jsonl", task=texts / "task.jsonl", steps=1, device="cpu")
    assert list(tmp_path.iterdir()) == []


def test_messages_name_the_texts_and_no_temporary_file(model, texts, caplog, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    caplog.set_level("INFO", logger="wordworth")
    paths = {"task": texts / "task.jsonl", "control": texts / "control.jsonl"}
    ww.plan_adaptation(model, texts / "corpus.jsonl", steps=1, device="cpu", **paths)
    assert str(tmp_path) not in caplog.text
    assert "the corpus: 114 documents" in caplog.text
    assert "the control: 114 documents" in caplog.text


def test_a_table_in_memory_is_a_task_and_a_corpus(model, texts):
    task = [{"text": text} for text in (texts / "task.jsonl").read_text().splitlines()]
    corpus = [{"text": text} for text in (texts / "control.jsonl").read_text().splitlines()]
    record = ww.plan_adaptation(model, corpus, task=task, steps=1, device="cpu")
    assert record.data["texts"] == 40


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"model": "glove"}, "a table of word vectors and not an encoder"),
        ({"model": "nothing-of-this-name"}, "nothing-of-this-name"),
        ({"task": "missing.csv"}, "there is no such file"),
        ({"vocabulary": "replace"}, "vocabulary"),
        ({"steps": 0}, "steps"),
    ],
)
def test_bad_input_is_one_line(model, texts, change, error):
    arguments = {"model": model, "corpora": texts / "corpus.jsonl", "task": texts / "task.jsonl"} | change
    with pytest.raises(BadInput, match=error):
        ww.plan_adaptation(**arguments)
