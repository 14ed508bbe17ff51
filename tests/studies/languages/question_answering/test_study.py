"""The study from files of questions to its record."""

from dataclasses import replace

import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.studies.languages.question_answering import study as module
from wordworth.studies.languages.question_answering.answer_scores import SpanLearner
from wordworth.studies.languages.tables import TRANSFER


@pytest.fixture(scope="module")
def record(files, folder):
    return ww.study_languages(folder, model=str(files / "tiny"), draws=100)


def test_a_folder_of_questions_gives_the_f1_of_answers_by_language(record):
    assert (record.data["task"], record.data["metric"]) == ("question_answering", "answer F1")
    assert [row["language"] for row in record.tables["languages"].rows()] == ["aa", "bb", "cc"]
    rows = record.tables["transfer"].rows()
    assert len(rows) == 9
    assert all(set(row) == {*TRANSFER, *module.EXACT_MATCH} for row in rows)
    assert all(row["exact_match"] <= row["accuracy"] for row in rows)
    text = record.finding("verdict").text
    assert "Answers of aa in place of the language's own change answer F1 by" in text
    assert "the first words of the context, random weights and spellings with word matches" in text
    assert record.finding("warning.few_questions").numbers["languages"] == ["aa", "bb", "cc"]
    assert "no context is on both sides" in record.finding("method.answers").text
    for row in record.tables["pieces"].rows():
        assert set(row) == set(module.PIECES)
        assert (row["contexts"], row["questions"]) == (12, 36)


def test_a_stopped_study_goes_on_where_it_was(files, folder, record, monkeypatch):
    monkeypatch.setattr(module, "best_layer", None)
    again = ww.study_languages(folder, model=str(files / "tiny"), draws=100)
    assert again.tables == record.tables
    assert again.findings == record.findings


def test_a_named_set_is_the_folder_of_its_name(files, folder, record, monkeypatch, tmp_path):
    (tmp_path / "xquad").symlink_to(folder)
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    named = ww.study_languages("xquad", model=str(files / "tiny"), draws=100)
    assert named.data["name"] == "xquad"
    assert named.tables == record.tables


def test_the_layer_is_chosen_on_the_source_alone(files, data):
    encoder = load(str(files / "tiny"))
    layer = module.best_layer(encoder, SpanLearner(data, encoder.tokenizer, 100, 0))
    alone = replace(data, train=(data.train[0], None, None), test=(None, None, None))
    assert module.best_layer(encoder, SpanLearner(alone, encoder.tokenizer, 100, 0)) == layer


def test_layers_are_frozen_for_labels_of_texts_alone(folder):
    with pytest.raises(BadInput, match="only labels of whole texts are fine-tuned on"):
        ww.study_languages(folder, model="mini", freeze=True)
