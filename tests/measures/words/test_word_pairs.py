"""Cosines of pairs, and what hangs together."""

import numpy as np

from wordworth.measures.words.word_pairs import cosines, relation_similarity, shared_words


def test_length_does_not_matter_and_a_vector_of_zeros_is_like_nothing():
    first, second = np.array([[2.0, 0], [1, 1], [0, 0]]), np.array([[5.0, 0], [-3, 0], [1, 0]])
    assert np.allclose(cosines(first, second), [1, -np.sqrt(0.5), 0])


def test_pairs_go_with_their_word_of_more_pairs():
    first, second = ["a", "b", "x", "y"], ["hub", "hub", "hub", "z"]
    assert shared_words(first, second).tolist() == [0, 0, 0, 1]


def test_a_pair_is_like_the_relation_as_far_as_it_goes_the_same_way():
    models = np.array([[[2.0, 0], [0, 0]], [[0.0, 0], [0, -2]]])  # mean difference (1, 1)
    pairs = np.array([[[3.0, 1], [0, 0]], [[0.0, 0], [1, 0]], [[1.0, -1], [0, 0]]])
    assert relation_similarity(models, pairs).tolist() == [4, -1, 0]
