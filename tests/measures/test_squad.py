"""Answers as spans of text, by SQuAD's rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures import squad
from wordworth.measures.metrics import metric


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("The U.S.'s  (Army)", "uss army"),
        ("A-Team", "ateam"),
        ("an a the", ""),
        ("“Theodore”", "“theodore”"),
        ("Theodore", "theodore"),
    ],
)
def test_an_answer_is_compared_without_case_punctuation_and_articles(written, plain):
    assert squad.normalised(written) == plain


@pytest.mark.parametrize(
    ("gold", "answer", "f1"),
    [
        ("the Eiffel Tower in Paris", "Eiffel Tower", 2 / 3),
        ("New York New York", "New York", 2 / 3),
        ("", "x", 0),
        ("", "", 1),
        ("the", "a", 1),
    ],
)
def test_an_answer_scores_by_the_words_it_shares(gold, answer, f1):
    assert squad.overlap_f1([gold], answer) == pytest.approx(f1)


def test_the_best_of_several_gold_answers_counts_and_empty_ones_are_dropped():
    assert squad.overlap_f1(["Paris", "in Paris, France", "the"], "Paris France") == pytest.approx(0.8)
    assert squad.exact_match(["Rome", "the Paris."], "paris") == 1
    assert squad.exact_match(["Rome", "the"], "") == 0


def test_the_best_threshold_of_the_worked_example():
    scores, no_answer = np.array([1, 0.5, 0]), np.array([0.1, 0.4, 0.9])
    best, threshold = squad.best_threshold(scores, no_answer, np.array([True, True, False]), np.ones(3, dtype=bool))
    assert (best, threshold) == (pytest.approx(83.33, abs=0.01), 0.4)


def test_answering_nothing_is_best_where_no_question_has_an_answer():
    nothing = np.zeros(2, dtype=bool)
    assert squad.best_threshold(np.zeros(2), np.array([0.2, 0.3]), nothing, ~nothing) == (100, 0)


@given(st.text(max_size=20), st.text(max_size=20))
def test_overlap_is_symmetric_bounded_and_one_where_answers_match(one, other):
    f1 = squad.overlap_f1([one], other)
    assert 0 <= f1 <= 1
    assert f1 == pytest.approx(squad.overlap_f1([other], one))
    if squad.exact_match([one], other):
        assert f1 == 1


def test_version_one_has_no_questions_without_an_answer():
    assert squad.scored(["the"], "the", empty=False) == (1, 0)
    assert squad.scored(["the"], "the") == (1, 1)
    assert squad.scored(["a b", "b c"], "b", empty=False) == squad.scored(["a b", "b c"], "b")
    assert squad.scored([], "x", empty=False) == (0, 0)


def test_answers_are_withheld_above_the_threshold_and_then_right_where_there_is_none():
    scores, doubt = np.array([1.0, 0.5, 0.0, 0.0]), np.array([0.2, 0.9, 0.9, 0.5])
    answerable = np.array([True, True, False, False])
    assert squad.scores_with_threshold(scores, doubt, answerable, 0.5).tolist() == [1.0, 0.0, 1.0, 0.0]


def test_the_metrics_of_spans_take_gold_answers_or_their_texts():
    class Given:
        text = "Paris"

    gold = np.empty(2, dtype=object)
    gold[0], gold[1] = (Given(), "Rome"), ()
    said = np.array(["the Paris", ""], dtype=object)
    assert metric("span_f1", ()).score(gold, said) == metric("exact_match", ()).score(gold, said) == 1
    weights = np.array([[2.0, 0.0], [0.0, 2.0]])
    assert metric("span_f1", ()).score(gold, np.array(["Paris in", "x"], dtype=object), weights).tolist() == [2 / 3, 0]


def test_questions_with_and_without_an_answer_have_a_score_each():
    gold = np.empty(4, dtype=object)
    gold[:] = [("Paris",), (), ("New York",), ()]
    said = np.array(["Paris", "", "", "Rome"], dtype=object)
    scores = {name: metric(name, ()).score(gold, said) for name in ("span_f1", "has_answer_f1", "no_answer_f1")}
    assert scores == {"span_f1": 0.5, "has_answer_f1": 0.5, "no_answer_f1": 0.5}
    twice = np.array([[2.0, 1, 0, 0], [0, 0, 1, 3]])
    assert metric("has_answer_f1", ()).score(gold, said, twice).tolist() == [1, 0]
    assert metric("no_answer_f1", ()).score(gold, said, twice).tolist() == [1, 0]
