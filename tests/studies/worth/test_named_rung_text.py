"""Where another contextual rung may be as good as the named one, the verdict says why it is not named."""

import pytest
from tests.studies.worth.made_up import LABELS, judged, scores

from wordworth.studies.worth.named_rung_text import why_named


def why(**rungs):
    made = scores(**rungs)
    verdict = judged(made)
    return verdict.rung, why_named(verdict, made, LABELS, str)


def test_a_cheaper_rung_that_is_not_surely_ahead_is_said_not_to_be():
    named, text = why(tfidf=(80, 0.5), minilm=(84, 3.8), tuned=(85, 2))
    assert named == "tuned"
    assert text == " minilm may be as good or better, but is not surely more than 1.0 point ahead of every cheap rung."


def test_the_rung_with_the_best_score_is_said_not_to_be_surely_ahead_where_another_is_named():
    named, text = why(tfidf=(80, 0.5), minilm=(84, 1), tuned=(86, 6))
    assert named == "minilm"
    assert text == " tuned may be as good or better, but is not surely more than 1.0 point ahead of every cheap rung."


def test_of_two_that_are_surely_ahead_the_one_that_scores_highest_is_named_for_it():
    named, text = why(tfidf=(80, 0.5), minilm=(84.5, 2), tuned=(85, 2))
    assert named == "tuned"
    assert text == " minilm may be as good; tuned is named because it scores highest of those surely ahead."


def test_a_rung_that_may_score_higher_within_the_margin_is_said_to_by_no_more_than_it():
    named, text = why(tfidf=(80, 0.5), minilm=(85, 0.2), tuned=(85.3, 0.2))
    assert named == "minilm"
    assert text == " tuned may score higher, but surely by no more than 1.0 point."


@pytest.mark.parametrize("rungs", [{"minilm": (85, 1)}, {"minilm": (82, 0.2), "tuned": (85, 0.2)}])
def test_nothing_is_said_where_no_other_rung_may_be_as_good(rungs):
    assert not why(tfidf=(80, 0.5), **rungs)[1]
