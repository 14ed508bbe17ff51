"""Attention between words: to a split word the sum, from it the mean; rows still sum to 1 (Clark et al. 2019)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.word_level_attention import attention_between_groups, words_and_others


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 99))
def test_rows_sum_to_one_and_cells_are_what_loops_give(pieces, seed):
    words = np.concatenate([[-1], np.repeat(np.arange(len(pieces)), pieces), [-1]])
    attention = softmax(np.random.default_rng(seed).normal(size=(2, len(words), len(words))))
    groups, number = words_and_others(words, len(pieces))
    grouped = attention_between_groups(attention, groups, number)
    assert number == len(pieces) + 2
    assert np.abs(grouped.sum(-1) - 1).max() < 1e-5
    for first in range(number):
        for second in range(number):
            block = attention[:, groups == first][:, :, groups == second]
            assert np.allclose(grouped[:, first, second], block.sum(2).mean(1), atol=1e-6)


def test_a_word_without_pieces_has_zeros():
    groups, number = words_and_others(np.array([-1, 0, 2, -1]), 3)
    grouped = attention_between_groups(np.full((1, 4, 4), 0.25, np.float32), groups, number)
    assert grouped[0, 1].tolist() == [0] * 5
    assert grouped[0, :, 1].tolist() == [0] * 5
