"""Segmentations of words: probabilities and the best one, against a list of all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.subwords.unigram_lattice import Lattice

PIECES = {piece: index for index, piece in enumerate(["a", "b", "c", "ab", "bc", "abc", "aa", "ca"])}
SCORES = np.log(np.array([0.2, 0.15, 0.1, 0.2, 0.1, 0.05, 0.12, 0.08]))
WORDS = st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=6)


def segmentations(word):
    if not word:
        return [[]]
    ends = [end for end in range(1, len(word) + 1) if word[:end] in PIECES]
    return [[PIECES[word[:end]], *rest] for end in ends for rest in segmentations(word[end:])]


@given(WORDS)
def test_expected_counts_are_those_of_all_segmentations(words):
    weights = np.arange(1.0, len(words) + 1)
    counts, likelihood = Lattice.of(words, PIECES).expected_counts(SCORES, weights)
    expected, total = np.zeros(len(PIECES)), 0.0
    for word, weight in zip(words, weights, strict=True):
        ways = segmentations(word)
        chances = np.array([np.exp(SCORES[way].sum()) for way in ways])
        total += weight * np.log(chances.sum())
        for way, chance in zip(ways, chances / chances.sum(), strict=True):
            np.add.at(expected, way, weight * chance)
    np.testing.assert_allclose(counts, expected, atol=1e-9)
    assert likelihood == pytest.approx(total)


@given(WORDS)
def test_the_best_segmentation_is_the_most_probable_of_all(words):
    pieces, owners = Lattice.of(words, PIECES).best(SCORES)
    for number, word in enumerate(words):
        way = pieces[owners == number][::-1]
        assert "".join(list(PIECES)[piece] for piece in way) == word
        assert SCORES[way].sum() == pytest.approx(max(SCORES[each].sum() for each in segmentations(word)))


def test_a_piece_can_be_spelt_with_others_alone():
    lattice = Lattice.of(["abc", "a", "ab"], PIECES, whole=False)
    pieces, owners = lattice.best(SCORES)
    spelt = [[list(PIECES)[piece] for piece in pieces[owners == number][::-1]] for number in range(3)]
    assert spelt == [["a", "bc"], ["a"], ["a", "b"]]  # "ab c" is as probable


@given(WORDS, st.sets(st.sampled_from(["ab", "bc", "abc", "aa", "ca"])), st.data())
def test_words_and_pieces_that_are_left_out_are_as_if_never_there(words, dropped, data):
    taken = np.array(data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words))))
    kept = np.array([piece not in dropped for piece in PIECES])
    left = {piece: index for index, piece in enumerate(piece for piece in PIECES if piece not in dropped)}
    ours = Lattice.of(words, PIECES).take(taken).keep(kept)
    fresh = Lattice.of([word for word, one in zip(words, taken, strict=True) if one], left)
    for name in ("starts", "ends", "pieces", "first_nodes"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(fresh, name))
