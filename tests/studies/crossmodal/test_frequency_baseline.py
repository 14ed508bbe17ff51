"""Answers without the other side."""

import numpy as np
import pytest
from tests.training.crossmodal.made_up import VOCABULARY, pairs

from wordworth.studies.crossmodal.evaluation import MEASURES
from wordworth.studies.crossmodal.frequency_baseline import most_frequent_by_position, prior
from wordworth.training.crossmodal.sequences import Pairs


def shares(train, test):
    hits = prior(VOCABULARY, train, test, 10, 0)
    return dict(zip(MEASURES, hits.right.sum(0) / hits.answers.sum(0), strict=True))


def test_the_prior_names_what_is_most_frequent_at_the_same_position_of_training():
    train, test = pairs(50), pairs(40, 1)
    right = shares(train, test)
    longest = max(map(len, test.words))
    by_position = [[ids[position] for ids in train.words if len(ids) > position] for position in range(longest)]
    firsts = [np.bincount(ids).argmax() for ids in by_position]
    expected = np.concatenate([ids == firsts[: len(ids)] for ids in test.words]).mean()
    assert right["alignment"] == 0.5
    assert right["word from codes, top 1"] == pytest.approx(expected)
    assert right["word from codes, top 5"] == 1


def test_among_equals_and_where_no_training_sequence_reaches_the_more_frequent_one_comes_first():
    sequences = [np.array(ids) for ids in ([10, 11], [12, 11], [11])]
    ranked = most_frequent_by_position(sequences, 4, 20)
    assert ranked[0, :3].tolist() == [11, 10, 12]
    assert ranked[1, :3].tolist() == [11, 10, 12]
    assert ranked[3, :3].tolist() == [11, 10, 12]


def test_positions_are_told_apart():
    code = VOCABULARY.first_code
    words = [np.array([code - 1])] * 3
    one, other = np.array([code, code + 1]), np.array([code, code + 2])
    train, test = Pairs(words, [one, one, other]), Pairs(words[:2], [one, other])
    assert shares(train, test)["code from words, top 1"] == 0.75


def test_words_and_codes_alone_are_not_counted():
    train, test = pairs(50), pairs(40, 1)
    nothing = np.zeros(0, dtype=np.int64)
    first = VOCABULARY.first_code
    more = Pairs(
        [*train.words, *[np.array([first - 1])] * 99, *[nothing] * 99],
        [*train.codes, *[nothing] * 99, *[np.array([first])] * 99],
    )
    assert shares(more, test) == shares(train, test)
