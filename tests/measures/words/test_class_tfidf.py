"""Class-based TF-IDF, and distinctive words."""

import numpy as np
import pytest

from wordworth.measures.words.class_tfidf import best_words, class_tfidf, distinctive

COUNTS = np.array([[6, 0], [1, 1], [3, 9]])


def test_weights_are_those_of_equation_1():
    expected = [[count * np.log(1 + 10 / sum(row)) for count in row] for row in COUNTS.tolist()]
    assert class_tfidf(COUNTS) == pytest.approx(np.array(expected))


def test_a_word_that_never_occurs_weighs_nothing():
    assert class_tfidf(np.array([[0, 0], [1, 2]]))[0].tolist() == [0, 0]


def test_a_word_is_distinctive_if_its_share_of_texts_is_three_times_that_elsewhere():
    texts = np.array([10, 100])
    with_word = np.array([[6, 20], [6, 21], [1, 0], [0, 99]])
    assert distinctive(with_word, texts).tolist() == [[True, False], [False, False], [False, False], [False, True]]


def test_words_of_a_single_class_are_all_distinctive_if_two_texts_have_them():
    assert distinctive(np.array([[2], [1]]), np.array([5])).tolist() == [[True], [False]]


def test_the_best_words_are_those_allowed_with_the_largest_weights_ties_in_order():
    weights = np.array([[3.0, 1], [9, 1], [5, 0], [4, 2]])
    allowed = np.array([[True, True], [False, True], [True, True], [True, True]])
    assert [rows.tolist() for rows in best_words(weights, allowed, 3)] == [[2, 3, 0], [3, 0, 1]]
