"""The rule of the verdict, on scores whose intervals are known."""

from __future__ import annotations

from dataclasses import replace

from tests.studies.fake_ladder import MAJORITY, FakeRung, constant
from tests.studies.worth.made_up import (
    judged,
    rung_results,
    scores,
    sentence,
    verdict,
)


def test_a_vague_contextual_rung_does_not_hide_that_another_is_surely_ahead():
    found = scores(tfidf=(80, 0.5), minilm=(84, 0.5), tuned=(82, 9))
    assert judged(found).answer == "contextual is worth it"
    assert judged(found).rung == "minilm"


def test_the_rung_named_is_surely_ahead_even_if_a_vague_one_scores_best():
    found = scores(tfidf=(80, 0.5), minilm=(84, 0.5), tuned=(85, 9))
    finding = sentence(found)
    assert finding.numbers["rung"] == "minilm"
    assert finding.numbers["low"] > 0


def test_the_cheapest_of_those_surely_ahead_is_named_where_it_is_within_the_margin():
    assert judged(scores(tfidf=(80, 0.3), minilm=(85, 0.3), both=(85.2, 0.3))).rung == "minilm"
    assert judged(scores(tfidf=(80, 0.3), minilm=(85, 0.3), both=(88, 0.3))).rung == "both"


def test_what_is_still_open_is_told_of_the_rung_that_is_open():
    """GloVe may be as good as MiniLM, though TF-IDF, surely behind, scores higher."""
    found = scores(tfidf=(82, 0.3), glove=(81.5, 6), minilm=(84, 0.3))
    assert judged(found).answer == "cannot tell yet"
    finding = sentence(found)
    assert "glove is 2.5 points behind minilm" in finding.text
    assert finding.numbers["low"] < -0.01 < 0 < finding.numbers["high"]


def test_many_contextual_rungs_must_each_be_further_ahead_than_one():
    """Just surely ahead: enough for one contextual rung; three were three chances of an error."""
    assert judged(scores(tfidf=(80, 0.01), minilm=(82, 1.85))).answer == "contextual is ahead"
    three = scores(tfidf=(80, 0.01), minilm=(82, 1.85), both=(80, 1.85), tuned=(80, 1.85))
    assert judged(three).answer == "cannot tell yet"
    assert "a verdict has to be surer" in sentence(three).text


def test_a_cheap_rung_suffices_wherever_it_stands_on_the_ladder():
    """Vectors that a user brings stand before the encoder's static table."""
    found = judged(scores(tfidf=(70, 0.3), minilm=(84, 0.3), distilled=(84, 0.3), both=(84, 0.3)))
    assert (found.answer, found.rung) == ("cheap suffices", "distilled")


def test_a_rung_that_was_raced_out_is_no_rival_however_little_its_few_runs_tell():
    """Behind the best for sure, it says of a third rung no more than the best does, and says it vaguely."""
    found = scores(glove=(84, 0.5), distilled=(60, 90), minilm=(84, 0.5))
    assert not judged(found).settled
    raced = replace(found, dropped=frozenset({"distilled"}))
    assert judged(raced).settled
    assert judged(raced).of("glove").rival == "minilm"
    assert judged(raced).of("distilled").rival in {"glove", "minilm"}


def test_cheap_suffices_when_no_rung_is_better():
    found = rung_results(
        MAJORITY, FakeRung("tfidf", "counts", constant(0.95)), FakeRung("minilm", "frozen", constant(0.90))
    )
    assert (verdict(*found).answer, verdict(*found).rung) == ("cheap suffices", "tfidf")


def test_context_is_worth_it_when_it_is_far_ahead():
    found = rung_results(
        MAJORITY, FakeRung("tfidf", "counts", constant(0.7)), FakeRung("minilm", "frozen", constant(0.9))
    )
    assert (verdict(*found).answer, verdict(*found).rung) == ("contextual is worth it", "minilm")


def test_it_cannot_tell_when_the_interval_holds_both_nothing_and_the_margin():
    found = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", constant(0.80)),
        FakeRung("minilm", "frozen", constant(0.81)),
        rows=400,
        seeds=2,
    )
    judgement = verdict(*found)
    assert judgement.answer == "cannot tell yet"
