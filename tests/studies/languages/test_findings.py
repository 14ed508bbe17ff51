from dataclasses import replace

import numpy as np
import pytest
from tests.studies.languages.conftest import rows, write

import wordworth as ww
from wordworth.reports.languages_wording import Wording
from wordworth.studies.languages import findings
from wordworth.studies.languages.bootstrap_interval_columns import NO, YES


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


@pytest.mark.parametrize(
    ("transfers", "said"),
    [
        ("n", "Tags of en do not surely carry over to l1, the only other language: that they give more"),
        ("y", "Tags of en carry over to l1: there they give more"),
        ("nn", "Tags of en do not surely carry over to any other language: that they give more"),
        ("yn", "Tags of en carry over to 1 of 2 other languages, l1: there they give more"),
        ("yy", "Tags of en carry over to 2 of 2 other languages, l1 and l2: there they give more"),
    ],
)
def test_what_carries_over_is_a_sentence_with_one_language_or_several(transfers, said, monkeypatch):
    monkeypatch.setattr(findings, "mean_gap", lambda *_, **__: (0.0, np.zeros(100)))
    others = [
        {"language": f"l{number}", "transfers": {"y": YES, "n": NO}[each]} for number, each in enumerate(transfers, 1)
    ]
    rows = [{**row, "served": YES} for row in ({"language": "en", "transfers": YES}, *others)]
    assert said in findings.transfer_verdict("tiny", rows, None, replace(Wording(), labels="tags")).text


def test_with_one_other_language_nothing_is_said_of_several(files, tmp_path):
    path = write(tmp_path / "texts.csv", rows(60, ("aa", "bb")))
    verdict = ww.study_languages(path, model=str(files / "tiny"), draws=100).verdict
    assert "labels of bb in place of aa's" in verdict
    assert "other languages" not in verdict
