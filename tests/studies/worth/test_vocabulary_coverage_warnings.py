"""What is said where a rung cannot read the texts."""

from __future__ import annotations

import numpy as np
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant, task
from tests.studies.worth.made_up import (
    TFIDF,
    ShortSighted,
    study,
)

from wordworth.reports import render
from wordworth.representations.rung import VocabularyCoverage
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.vocabulary_coverage_warnings import (
    coverage_findings,
    coverage_table,
    limitation,
    unreadable,
    vocabulary_coverages,
)


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
    assert "does not know 86 % of the pieces" in limitation({"Minilm": 6 / 7})
    assert "name one of them (the option models)" in limitation({"Minilm": 6 / 7})
    assert limitation({}) == ""


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
