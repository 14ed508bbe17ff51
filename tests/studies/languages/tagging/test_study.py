"""The study from tagged files to its record."""

import pytest
from tests.studies.languages.tagging.tagged_files import rows

import wordworth as ww
from wordworth.studies.languages.tagging import study as module


@pytest.fixture(scope="module")
def record(files, folder):
    return ww.study_languages(folder, model=str(files / "tiny"), draws=100)


def test_a_folder_of_tagged_files_gives_entity_f1_by_language(record):
    assert (record.data["task"], record.data["metric"]) == ("tagging", "entity F1")
    assert [row["language"] for row in record.tables["languages"].rows()] == ["aa", "bb", "cc"]
    assert len(record.tables["transfer"].rows()) == 9
    assert "change entity F1 by" in record.finding("verdict").text
    assert record.finding("warning.few_sentences").numbers["languages"] == ["aa", "bb", "cc"]
    for row in record.tables["pieces"].rows():
        assert set(row) == set(module.PIECES)
        assert 30 <= row["labels"] <= 60
        assert row["sentences"] == 30


def test_a_stopped_study_goes_on_where_it_was(files, folder, record, monkeypatch):
    monkeypatch.setattr(module, "best_layer", None)
    again = ww.study_languages(folder, model=str(files / "tiny"), draws=100)
    assert again.tables == record.tables
    assert again.findings == record.findings


@pytest.mark.slow
def test_a_table_in_memory_gives_the_same_scores_as_files(files, record):
    table = ww.study_languages(rows(("aa", "bb", "cc")), model=str(files / "tiny"), draws=100)
    assert table.tables["languages"] == record.tables["languages"]
