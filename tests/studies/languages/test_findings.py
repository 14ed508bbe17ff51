import pytest
from tests.studies.languages.conftest import rows, write

import wordworth as ww


@pytest.fixture(scope="module")
def record(files):
    return ww.study_languages(files / "texts.csv", model=str(files / "tiny"), draws=200)


def test_the_verdict_names_the_languages_under_each_answer(record):
    numbers = record.finding("verdict").numbers
    table = record.table("languages")
    assert numbers["headline"] == f"tiny surely serves {(table['served'] == 'yes').sum()} of 3 languages."
    assert {*numbers["served"], *numbers["not_served"], *numbers["unknown"]} == {"aa", "bb", "cc"}
    assert numbers["gap_low"] <= numbers["gap"] <= numbers["gap_high"]
    text = record.finding("verdict").text
    assert "Labels of aa in place of the language's own" in text
    assert "Translations are the nearest text in" in text


def test_unknown_words_and_few_texts_are_warned_of(record):
    names = {finding.name for finding in record.findings}
    assert {"warning.unknown_words.cc", "warning.few_texts", "method.heads", "method.probe"} <= names
    assert "warning.unknown_words.aa" not in names
    assert not names & {"warning.shared_texts", "warning.no_translations"}


def test_texts_on_both_sides_and_a_lack_of_translations_are_warned_of(files, tmp_path):
    table = [{**row, "text": row["text"].rsplit(" ", 3)[0], "index": str(at)} for at, row in enumerate(rows())]
    path = write(tmp_path / "texts.csv", table)
    record = ww.study_languages(path, model=str(files / "tiny"), draws=100)
    assert record.finding("warning.shared_texts").numbers["texts"] > 20
    assert "a translation may be learned from" in record.finding("warning.no_translations").text
    assert "There are no translations" in record.finding("verdict").text
