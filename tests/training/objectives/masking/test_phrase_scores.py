"""Scores of neighbours: 0 for chance, 1 for words that only stand together; those of the field's programs."""

import math

import numpy as np
import pytest

from wordworth.training.objectives.masking.phrase_scores import npmi, word2phrase


def scored(score, *numbers, **options):
    joint, left, right, total = numbers
    return score(np.array([joint]), np.array([left]), np.array([right]), total, **options)[0]


def test_independent_words_score_0_and_words_that_only_stand_together_1():
    assert scored(npmi, 6, 20, 30, 100) == pytest.approx(0)
    assert scored(npmi, 7, 7, 7, 100) == pytest.approx(1)
    assert scored(npmi, 1, 50, 50, 100) < 0


def test_a_corpus_of_nothing_but_one_pair_scores_1_and_is_no_nan():
    assert scored(npmi, 4, 4, 4, 4) == 1


def test_an_example_by_hand():
    mutual = math.log((30 / 1000) / (50 / 1000 * 60 / 1000))  # ln 10
    assert scored(npmi, 30, 50, 60, 1000) == pytest.approx(mutual / -math.log(0.03))
    assert scored(word2phrase, 30, 50, 60, 1000, discount=10) == pytest.approx(20 / 3000 * 1000)


@pytest.mark.peers
def test_gensim_scores_alike():
    from gensim.models.phrases import npmi_scorer, original_scorer

    for joint, left, right, total in ((30, 50, 60, 1000), (11, 400, 90, 5000), (10, 10, 10, 10_000)):
        theirs = npmi_scorer(left, right, joint, len_vocab=999, min_count=5, corpus_word_count=total)
        assert scored(npmi, joint, left, right, total) == pytest.approx(theirs)
        theirs = original_scorer(left, right, joint, len_vocab=total, min_count=5, corpus_word_count=0)
        assert scored(word2phrase, joint, left, right, total, discount=5) == pytest.approx(theirs)
