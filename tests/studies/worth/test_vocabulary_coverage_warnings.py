"""What is said where a rung cannot read the texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant, task
from tests.studies.worth.made_up import (
    TFIDF,
    ShortSighted,
    study,
)

from wordworth.records import read
from wordworth.reports import render
from wordworth.representations.rung import VocabularyCoverage
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.vocabulary_coverage_warnings import (
    LOST_SPELLED,
    LOST_UNKNOWN,
    SPELLED_PER_CHARACTER,
    SPELLED_PER_WORD,
    UNREADABLE_SHARE,
    coverage_findings,
    coverage_table,
    limitation,
    spelled,
    unreadable,
    vocabulary_coverages,
)

ROOT = Path(__file__).parents[3]


class Reader(FakeLearner):
    """A learner with a vocabulary."""

    def vocabulary_coverage(self, examples):  # noqa: ARG002 - a Learner
        return (
            VocabularyCoverage(700, 600, 3, "pieces")
            if self.rung.family == "frozen"
            else VocabularyCoverage(1_000, 20, 0)
            if self.rung.family == "static"
            else None
        )


def ladder():
    rungs = (MAJORITY, FakeRung("glove", "static", constant(0.7)), FakeRung("minilm, x", "frozen", constant(0.8)))
    return [RungResult(rung, Reader(rung, task(40))) for rung in rungs]


def test_an_encoder_that_cannot_read_the_texts_is_named_with_the_share_and_limits_the_verdict():
    found = vocabulary_coverages(ladder(), task(40).examples)
    (warning,) = coverage_findings(ladder(), found)
    assert warning.name == "warning.unread.minilm, x"
    assert "86 % of the pieces (600 of 700) are unknown to it; it knows nothing of 3 texts" in warning.text
    assert unreadable(ladder(), found) == {"Minilm": 6 / 7}
    said = limitation({"Minilm": 6 / 7}, {})
    assert "does not know 86 % of the pieces" in said
    assert "name one of them (the option models)" in said
    assert "In the 7 of 39 languages of which MiniLM does not know 15 % of the pieces or more, it was 15 to 45" in said
    assert "Minilm knows none of the pieces that these" in limitation({"Minilm": 1.0}, {})
    assert limitation({}, {}) == ""


def reader_of(coverage):
    rung = FakeRung("minilm", "frozen", constant(0.8))
    return [RungResult(rung, Reader(rung, task(40)))], {"minilm": coverage}


def test_an_encoder_that_spells_words_letter_by_letter_is_named_and_limits_the_verdict():
    russian = VocabularyCoverage(4_900, 0, 0, "pieces", words=1_000, characters=5_120)
    results, found = reader_of(russian)
    (warning,) = coverage_findings(results, found)
    assert "it cuts words letter by letter, into 4.9 pieces each" in warning.text
    assert warning.numbers["per_word"] == 4.9
    assert spelled(results, found) == {"Minilm": 4.9}
    said = limitation({}, spelled(results, found))
    assert "cuts the words of these texts letter by letter, into 4.9 pieces each: this says nothing about" in said
    assert "In the 8 of 39 languages whose words MiniLM cuts so, it was 28 to 39 points behind" in said
    assert "of which MiniLM does not know" not in said


@pytest.mark.parametrize(
    ("pieces", "unknown", "words"),
    [(2_700, 0, 1_000), (5_000, 0, 5_000), (5_000, 1_000, 1_000)],
    ids=["words cut into syllables", "characters that are words", "unknown pieces, which are told of instead"],
)
def test_other_texts_do_not_count_as_spelled(pieces, unknown, words):
    results, found = reader_of(VocabularyCoverage(pieces, unknown, 0, "pieces", words=words, characters=6_000))
    assert spelled(results, found) == {}


def test_the_figures_of_the_verdict_are_those_of_the_record():
    """Of each kind of language: their number, and the least and most that MiniLM is behind, surely in each."""
    tables = read(ROOT / "docs" / "records" / "languages_minilm.json").tables
    pieces = {row["language"]: row for row in tables["pieces"].rows()}
    behind = {LOST_UNKNOWN: [], LOST_SPELLED: []}
    for row in tables["languages"].rows():
        own = pieces[row["language"]]
        if own["unknown"] / own["per_word"] >= UNREADABLE_SHARE:  # WordPiece: an unknown word is one piece
            behind[LOST_UNKNOWN].append(row)
        elif own["per_character"] >= SPELLED_PER_CHARACTER and own["per_word"] >= SPELLED_PER_WORD:
            behind[LOST_SPELLED].append(row)
    assert len(pieces) == 39
    for (number, least, most), rows in behind.items():
        assert [row["served"] for row in rows] == ["no"] * number
        assert max(row["ahead"] for row in rows) == pytest.approx(-least, abs=1e-3)
        assert min(row["ahead"] for row in rows) == pytest.approx(-most, abs=1e-3)


def test_the_record_holds_the_share_of_every_rung_that_has_a_vocabulary():
    rows = coverage_table(vocabulary_coverages(ladder(), task(40).examples)).rows()
    assert [(row["rung"], row["share"]) for row in rows] == [("glove", 0.02), ("minilm, x", 6 / 7)]


def test_texts_without_a_known_word_are_told_of_even_where_they_are_few():
    (entry,) = [one for one in ladder() if one.rung.family == "static"]
    (warning,) = coverage_findings([entry], {"glove": VocabularyCoverage(1_000, 4, 2)})
    assert "under 1 % of the words (4 of 1,000) have no vector and are left out" in warning.text
    assert "nothing of 2 texts" in warning.text


def test_a_rung_that_cuts_long_texts_says_how_many_of_how_many_it_cut():
    made = task(600)
    record = study(TFIDF, ShortSighted("minilm-finetuned", "finetuned", constant(0.8)))
    found = record.finding("warning.cut.minilm-finetuned")
    cut, tested = int((np.arange(600) % 4 == 3).sum()), int((made.test % 4 == 3).sum())
    assert (found.numbers["cut"], found.numbers["cut_test"], found.numbers["most_tokens"]) == (cut, tested, 8)
    assert f"of {cut} of the 600 texts ({tested} of the 300 test texts)" in found.text
    assert found in record.warnings
    assert found.text in render(record)


def test_a_rung_that_could_cut_texts_but_met_no_long_one_is_not_warned_of():
    shown = study(TFIDF, ShortSighted("minilm-finetuned", "finetuned", constant(0.8), every=601))
    assert not [found for found in shown.findings if found.name.startswith("warning.cut")]
