"""The study from treebanks to its record."""

import pytest
from tests.studies.languages.parsing.treebank_files import write_folder

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.languages.parsing import tree_scores as module
from wordworth.studies.languages.parsing.study import UAS
from wordworth.studies.languages.tables import TRANSFER
from wordworth.studies.languages.word_split_warnings import PIECES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("parsed") / "ud", marks=range(0, 60, 3))


@pytest.fixture(scope="module")
def record(files, folder):
    return ww.study_languages(folder, model=str(files / "tiny"), draws=100)


def test_a_folder_of_treebanks_gives_attachment_scores_by_language(record):
    assert (record.data["task"], record.data["metric"]) == ("parsing", "labelled attachment score")
    assert [row["language"] for row in record.tables["languages"].rows()] == ["aa", "bb", "cc"]
    rows = record.tables["transfer"].rows()
    assert len(rows) == 9
    assert all(set(row) == {*TRANSFER, *UAS} for row in rows)
    assert all(row["accuracy"] <= row["uas"] and row["uas_low"] <= row["uas_high"] for row in rows)
    assert "Trees of aa in place of the language's own change labelled attachment by" in record.finding("verdict").text
    assert record.finding("warning.few_sentences").numbers["languages"] == ["aa", "bb", "cc"]
    assert "punctuation too" in record.finding("method.parsers").text
    for row in record.tables["pieces"].rows():
        assert set(row) == set(PIECES)
        assert row["sentences"] == 30


def test_the_same_trees_carry_over_where_only_some_words_differ(record):
    scores = {(row["train"], row["test"]): row["accuracy"] for row in record.tables["transfer"].rows()}
    assert scores["aa", "bb"] > scores["aa", "cc"]


def test_a_stopped_study_goes_on_where_it_was(files, folder, record, monkeypatch):
    monkeypatch.setattr(module, "train_probe", None)
    again = ww.study_languages(folder, model=str(files / "tiny"), draws=100)
    assert again.tables == record.tables
    assert again.findings == record.findings


def test_layers_are_frozen_for_labels_of_texts_alone(folder):
    with pytest.raises(BadInput, match="only labels of whole texts are fine-tuned on"):
        ww.study_languages(folder, model="mini", freeze=True)
