"""Figures of attention maps: known maps have known figures, and words keep rows that sum to 1."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.attention_maps import (
    AttentionMaps,
    Vectors,
    Words,
    entropies,
    mass,
    offset_share,
    received,
    row_divergences,
)


def softmax_maps(seed: int, layers: int = 2, heads: int = 3, tokens: int = 5) -> np.ndarray:
    scores = np.exp(3 * np.random.default_rng(seed).standard_normal((layers, heads, tokens, tokens)))
    return (scores / scores.sum(-1, keepdims=True)).astype(np.float32)


def some_maps(seed: int = 0, **changes) -> AttentionMaps:
    """[CLS], a word of two pieces, a word, [SEP]."""
    values = {
        "name": "model",
        "tokens": ("[CLS]", "un", "##do", "it", "[SEP]"),
        "weights": softmax_maps(seed),
        "special": np.array([True, False, False, False, True]),
        "words": Words(("[CLS]", "undo", "it", "[SEP]"), np.array([0, 1, 1, 2, 3])),
    }
    return AttentionMaps(**(values | changes))


def test_uniform_attention_has_an_entropy_of_ln_n_and_attention_to_one_token_has_none():
    assert entropies(np.full((1, 4, 4), 0.25, np.float32)) == pytest.approx(np.full((1, 4), log(4)))
    assert entropies(np.eye(4, dtype=np.float32)[None]).max() == 0


def test_mass_is_a_share_of_what_the_rows_give():
    weights = np.array([[[0.5, 0.5], [0.1, 0.9]]], np.float32)
    first, second = np.array([True, False]), np.array([False, True])
    assert mass(weights, second, first) == pytest.approx([0.1])
    assert mass(weights, first | second, first) == pytest.approx([0.3])
    assert np.isnan(mass(weights, first & second, first))


def test_offsets_are_counted_from_the_token_that_attends():
    previous = np.eye(4, k=-1, dtype=np.float32)[None]
    assert offset_share(previous, -1) == pytest.approx([1.0])
    assert offset_share(previous, 1) == pytest.approx([0.0])
    assert np.isnan(offset_share(previous, 4))


def test_what_all_tokens_receive_adds_up_to_what_one_gives():
    assert received(softmax_maps(0)).sum(-1) == pytest.approx(np.ones((2, 3)))


def test_divergence_is_nothing_for_equal_maps_and_ln_2_for_maps_without_a_common_token():
    weights = softmax_maps(0)
    assert row_divergences(weights, weights).max() < 1e-6
    one, other = np.zeros((1, 2, 2), np.float32), np.zeros((1, 2, 2), np.float32)
    one[..., 0], other[..., 1] = 1, 1
    assert row_divergences(one, other) == pytest.approx([log(2)])
    assert row_divergences(weights[0], weights[1]) == pytest.approx(row_divergences(weights[1], weights[0]))


@given(st.integers(0, 1_000))
def test_rows_between_words_sum_to_1_and_special_tokens_keep_what_they_hold(seed):
    maps = some_maps(seed)
    words = maps.by_words()
    assert words.tokens == ("[CLS]", "undo", "it", "[SEP]")
    assert words.weights.sum(-1) == pytest.approx(np.ones((2, 3, 4)), abs=1e-5)
    assert words.special.tolist() == [True, False, False, True]
    it = np.array([False, False, False, True, False]), np.array([False, False, True, False])
    assert mass(words.weights, it[1], words.special) == pytest.approx(mass(maps.weights, it[0], maps.special), abs=1e-5)


def test_the_second_text_begins_at_its_first_word_and_vectors_are_of_tokens():
    vectors = Vectors(np.zeros((2, 3, 5, 4), np.float32), np.zeros((2, 3, 5, 4), np.float32))
    words = some_maps(second=3, vectors=vectors).by_words()
    assert words.second == 2
    assert words.vectors is None


def test_without_words_the_maps_stay_as_they_are():
    maps = some_maps(words=None)
    assert maps.by_words() is maps
