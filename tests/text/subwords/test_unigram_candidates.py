"""The pieces to choose from: how they are estimated, and which of them are missed."""

import numpy as np
import pytest

from wordworth.text.subwords.unigram_candidates import Candidates

WORDS, WEIGHTS = ["abab", "abc", "dd"], np.array([10.0, 5.0, 2.0])


@pytest.fixture
def candidates():
    return Candidates.of(WORDS, [10, 5, 2], 20, 2)


def test_they_are_the_characters_and_the_frequent_substrings(candidates):
    assert set(candidates.pieces) == {"a", "b", "c", "d", "ab", "ba", "bc", "aba", "bab", "abc", "abab", "dd"}
    assert candidates.pieces[:4] == ["b", "a", "c", "d"] or set(candidates.pieces[:4]) == set("abcd")
    assert np.exp(candidates.scores).sum() == pytest.approx(1)


def test_each_step_of_estimation_makes_the_words_more_probable(candidates):
    likelihood = -np.inf
    for _ in range(4):
        now = candidates.words.expected_counts(candidates.scores, WEIGHTS)[1]
        assert now >= likelihood - 1.0  # the Bayes estimate is no maximum
        likelihood, candidates = now, candidates.estimated(WEIGHTS)
    assert {"abab", "abc"} <= set(candidates.pieces)


def test_characters_stay_and_pieces_that_no_word_is_best_read_with_go(candidates):
    left = candidates.estimated(WEIGHTS).pruned(WEIGHTS, 6)
    assert set("abcd") <= set(left.pieces)
    assert set(left.pieces) - set("abcd") <= {"abab", "abc", "dd"}
    assert "abab" in left.pieces
    assert len(left.scores) == len(left.single) == len(left.pieces)
