"""The page of a study of translations."""

from html import unescape

from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.languages.translation_retrieval.pair_tables import pairs

import wordworth as ww
from wordworth.reports import render


def test_the_answer_stands_above_its_evidence(tmp_path):
    table = [{**row, "lang": f"<b>{row['lang']}"} for row in pairs(30)]
    record = ww.study_languages(table, model=str(write_tiny_encoder(tmp_path / "tiny")), draws=100)
    page = render(record)
    assert "<b>aa" not in page
    for words in (record.finding("verdict").numbers["headline"], "Do translations find each other?", "By layer"):
        assert words in unescape(page).replace("\xa0", " ")
    for caption in ("Every language", "Translations found by every system"):
        assert f"<caption>{caption}" in page
