"""Sequences of words and codes by hand."""

import numpy as np
from tests.training.crossmodal.made_up import pairs

from wordworth.text.words_and_codes_vocabulary import CLS, CODES, SEP
from wordworth.training.crossmodal.sequences import instances_of

WORDS, SOUNDS = np.array([10, 11, 12]), np.array([20, 21, 22, 23])


def test_both_sides_or_one_stand_between_their_marks():
    made = instances_of([(WORDS, SOUNDS), (WORDS, None), (None, SOUNDS)], np.array([0, -1, -1]), 100)
    sequences = np.split(made.ids, made.starts[1:-1])
    assert sequences[0].tolist() == [CLS, 10, 11, 12, CODES, 20, 21, 22, 23, SEP]
    assert sequences[1].tolist() == [CLS, 10, 11, 12, SEP]
    assert sequences[2].tolist() == [CLS, CODES, 20, 21, 22, 23, SEP]
    assert np.split(made.segments, made.starts[1:-1])[0].tolist() == [0] * 4 + [1] * 6
    assert np.split(made.segments, made.starts[1:-1])[1].tolist() == [0] * 5


def test_each_side_has_half_of_the_room():
    made = instances_of([(WORDS, SOUNDS)], np.array([-1]), 8)
    assert made.ids.tolist() == [CLS, 10, 11, CODES, 20, 21, SEP]
    assert [len(ids) for ids in pairs(5, most=4).cut(8).codes] == [2] * 5


def test_words_of_other_pairs_go_with_the_codes_as_they_are():
    own = pairs(4)
    turned = own.with_words_of(np.array([1, 2, 3, 0]))
    assert [ids.tolist() for ids in turned.words] == [ids.tolist() for ids in [*own.words[1:], own.words[0]]]
    assert turned.codes is own.codes
