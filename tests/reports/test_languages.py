"""The page of a study of languages."""

from dataclasses import replace
from html import unescape

import pytest
from caption_checks import CAPTION_CHECKS
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.languages.conftest import rows
from tests.studies.languages.parsing.treebank_files import write_folder as write_treebanks
from tests.studies.languages.question_answering.question_files import write_folder as write_questions
from tests.studies.languages.tagging.tagged_files import write_folder

import wordworth as ww
from wordworth.reports import render


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(write_tiny_encoder(tmp_path_factory.mktemp("languages") / "tiny"))


def by_name(names):
    """The same texts in languages of any names, with items of their own, so that none is known as a translation."""
    table = rows(40, ["aa"])
    return [{**row, "language": name, "index": f"{name} {row['index']}"} for name in names for row in table]


@pytest.fixture(scope="module")
def records(model, tmp_path_factory):
    folder, codes = tmp_path_factory.mktemp("data"), {"aa": "en", "bb": "de", "cc": "fi"}
    inputs = {
        "labels": rows(),
        "labels without translations": by_name(["l1", "l2"]),
        "labels in related languages": [{**row, "language": codes[row["language"]]} for row in rows()],
        "tags": write_folder(folder / "names", ("aa", "bb"), 40),
        "answers": write_questions(folder / "films", ("aa", "bb")),
    }
    made = {name: ww.study_languages(data, model=model, draws=100) for name, data in inputs.items()}
    treebanks = write_treebanks(folder / "ud", 40)
    return made | {"trees": ww.study_languages(treebanks, model=model, languages=["aa", "bb"], draws=100)}


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("name", ["labels", "labels without translations", "tags", "trees", "answers"])
def test_the_record_holds_the_sentences_of_its_charts(records, name, check):
    check(records[name])


def test_the_answer_stands_above_its_evidence(records):
    record = records["labels"]
    page = unescape(render(record))
    assert record.finding("verdict").numbers["headline"] in page
    for words in ("Is it served?", "Labels of aa for other languages", "translations are the nearest text", "by luck"):
        assert words in page
    for caption in ("Every language", "How the tokenizer cuts each language", "Translations found"):
        assert f"<caption>{caption}" in page
    assert "labels of the row's language" in page
    assert "<b>x" not in render(replace(record, data={**record.data, "name": "<b>x</b>"}))


def test_without_translations_the_page_says_so(records):
    page = unescape(render(records["labels without translations"]))
    assert "No texts are known to be translations of each other." in page
    assert "labels of the row's language" in page


@pytest.mark.slow
def test_many_languages_have_no_table_of_pairs(model):
    table = by_name(f"l{number}" for number in range(13))
    page = unescape(render(ww.study_languages(table, model=model, draws=100)))
    assert "labels of the row's language" not in page


def test_related_languages_have_a_table_of_their_own(records):
    record = records["labels in related languages"]
    assert [row["language"] for row in record.tables["related"].rows()] == ["en", "de"]
    page = unescape(render(record))
    assert "<caption>Labels of related and of distant languages" in page
    assert "Germanic" in page


def test_tags_have_their_own_words(records):
    page = unescape(render(records["tags"]))
    for words in ("Entity F1 with 95\xa0% intervals", "spellings of words", "each word's usual tag"):
        assert words in page
    assert "<caption>How the tokenizer cuts the test sentences" in page
    assert "What the vectors hold" not in page


def test_trees_have_their_own_words_and_a_table_for_each_attachment_score(records):
    page = unescape(render(records["trees"]))
    for words in (
        "Labelled attachment with 95\xa0% intervals",
        "Trees of aa for other languages",
        "right-branching trees",
    ):
        assert words in page
    for score in ("Labelled attachment", "Unlabelled attachment"):
        assert f"<caption>{score}, %: trees of the row's language" in page.replace("\xa0", " ")
    assert "labels of" not in page


def test_answers_have_their_own_words_and_a_table_of_exact_match(records):
    page = unescape(render(records["answers"]))
    for words in ("Answer F1 with 95\xa0% intervals", "Answers of aa for other languages", "word matches"):
        assert words in page
    for score in ("Answer F1", "Exact match"):
        assert f"<caption>{score}, %: answers of the row's language, questions of the column's" in page
    assert "<caption>How the tokenizer cuts the test contexts" in page
