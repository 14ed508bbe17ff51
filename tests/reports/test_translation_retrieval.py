"""The page of a study of translations."""

from html import unescape

import pytest
from caption_checks import CAPTION_CHECKS
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.languages.translation_retrieval.pair_tables import pairs

import wordworth as ww
from wordworth.reports import render


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    model = write_tiny_encoder(tmp_path_factory.mktemp("translations") / "tiny")
    table = [{**row, "lang": f"<b>{row['lang']}"} for row in pairs(30)]
    return ww.study_languages(table, model=str(model), draws=100)


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(record, check):
    check(record)


def test_the_titles_name_the_languages_ahead_and_the_chosen_layer(record):
    aligned = [row["aligned"] for row in record.tables["languages"].rows()]
    ahead = f"The chosen layer is surely ahead in {aligned.count('yes')} of 2 languages"
    assert record.finding("caption.translations").text == ahead
    assert f"Training pairs choose layer {record.data['layer']}" in record.finding("caption.layers").text


def test_the_answer_stands_above_its_evidence(record):
    page = render(record)
    assert "<b>aa" not in page
    for words in (record.finding("verdict").numbers["headline"], "Do translations find each other?", "By layer"):
        assert words in unescape(page).replace("\xa0", " ")
    for caption in ("Every language", "Translations found by every system"):
        assert f"<caption>{caption}" in page
