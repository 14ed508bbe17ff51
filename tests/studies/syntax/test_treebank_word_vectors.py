"""Vectors of words are the model's states, scaled; shuffled ones stay in their sentence."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.progress import STILL
from wordworth.studies.syntax import treebank_word_vectors
from wordworth.studies.syntax.treebank_word_vectors import read_vectors, shuffled

SENTENCES = [["The", "zyzzyvas", "sat", "."], ["Yes"], ["Cats", "sleep", "."]]


def test_vectors_are_the_states_of_words_whatever_is_read_together(monkeypatch):
    encoder = ww.load("mini")
    states = encoder.word_states(SENTENCES, pooling="mean")
    for together in (128, 2):
        monkeypatch.setattr(treebank_word_vectors, "_AT_ONCE", together)
        read = read_vectors(encoder, SENTENCES, STILL)
        assert (read.layers, read.width) == (encoder.depth + 1, encoder.width)
        for layer in range(read.layers):
            sentences = read.layer(layer, np.array([0, 2]))
            assert [len(each) for each in sentences] == [4, 1, 3]
            assert np.square(np.concatenate([sentences[0], sentences[2]])).mean() == pytest.approx(1, rel=1e-3)
            own, expected = np.concatenate(sentences), states.layer(layer)
            factor = (own * expected).sum() / np.square(expected).sum()
            assert own == pytest.approx(factor * expected, abs=0.02)


def test_shuffled_vectors_are_those_of_the_same_sentence():
    sentences = [np.arange(20.0).reshape(10, 2), np.arange(100.0, 106.0).reshape(3, 2)]
    for one, other in zip(sentences, shuffled(sentences, 0), strict=True):
        assert sorted(map(tuple, one)) == sorted(map(tuple, other))
    assert not np.array_equal(shuffled(sentences, 0)[0], sentences[0])
