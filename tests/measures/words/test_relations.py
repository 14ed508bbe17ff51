"""Pairs against a relation's model pairs."""

import numpy as np

from wordworth.measures.words.relations import likeness


def test_a_pair_is_like_the_relation_as_far_as_it_goes_the_same_way():
    models = np.array([[[2.0, 0], [0, 0]], [[0.0, 0], [0, -2]]])  # mean difference (1, 1)
    pairs = np.array([[[3.0, 1], [0, 0]], [[0.0, 0], [1, 0]], [[1.0, -1], [0, 0]]])
    assert likeness(models, pairs).tolist() == [4, -1, 0]
