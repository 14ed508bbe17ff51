"""What the study measures follows from the data."""

import pytest
from tests.studies.languages.conftest import rows
from tests.studies.languages.tagging.tagged_files import write_folder
from tests.studies.languages.translation_retrieval.pair_tables import pairs

import wordworth as ww
from wordworth.errors import BadInput


def test_labels_are_learned_and_translations_without_labels_are_retrieved(files):
    choices = {"model": str(files / "tiny"), "draws": 100}
    assert "transfer" in ww.study_languages(rows(), **choices).tables
    assert ww.study_languages(pairs(20), **choices).data["task"] == "translations"


def test_texts_without_labels_and_translations_are_refused():
    table = [{"text": row["text"], "language": row["language"]} for row in rows()]
    with pytest.raises(BadInput, match="which column holds the labels"):
        ww.study_languages(table, model="mini")


def test_only_labels_of_whole_texts_are_fine_tuned_on(tmp_path):
    with pytest.raises(BadInput, match="only labels of whole texts are fine-tuned on"):
        ww.study_languages(pairs(20), model="mini", freeze=True)
    with pytest.raises(BadInput, match="only labels of whole texts are fine-tuned on"):
        ww.study_languages(write_folder(tmp_path / "names"), model="mini", freeze=True)
