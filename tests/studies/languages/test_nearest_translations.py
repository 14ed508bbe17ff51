import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors
from tests.studies.languages.worlds import world

from wordworth.studies.languages.nearest_translations import retrieve
from wordworth.studies.languages.text_features import CharacterFeatures


def test_the_nearest_text_by_cosine_is_that_of_scikit_learn_in_both_directions():
    data, features = world(60, noise=0.2, shared=False)
    vectors = features.vectors + np.random.default_rng(0).normal(0, 0.12, features.vectors.shape).astype(np.float32)
    features = type(features)(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    retrieval = retrieve(features, data, 1)
    first, second = features.vectors[data.rows(0)], features.vectors[data.rows(1)]
    for right, known, asked in ((retrieval.forward, second, first), (retrieval.backward, first, second)):
        nearest = NearestNeighbors(n_neighbors=1, metric="cosine").fit(known).kneighbors(asked)[1][:, 0]
        assert np.array_equal(right, nearest == np.arange(60))
        assert 0 < right.mean() < 1


def test_equal_vectors_find_each_other_and_the_cosine_gap_is_that_of_random_pairs():
    data, features = world(60)
    retrieval = retrieve(features, data, 2)
    assert retrieval.forward.all()
    assert retrieval.backward.all()
    vectors = features.vectors[data.rows(0)].astype(np.float64)
    others = [np.delete(vectors @ vectors[item], item).mean() for item in range(60)]
    np.testing.assert_allclose(retrieval.cosine_gap, 1 - np.array(others), atol=1e-5)


def test_random_vectors_find_one_in_as_many_as_there_are():
    data, features = world(400)
    random = np.random.default_rng(0).normal(size=features.vectors.shape)
    retrieval = retrieve(type(features)(random / np.linalg.norm(random, axis=1, keepdims=True)), data, 1)
    assert retrieval.forward.mean() == pytest.approx(1 / 400, abs=0.01)
    assert retrieval.cosine_gap.mean() == pytest.approx(0, abs=0.05)


def test_counts_of_characters_find_texts_by_what_they_share_and_few_translations_are_none():
    data, _ = world(60)
    assert retrieve(CharacterFeatures(data.texts), data, 1).forward.mean() > 0.5  # the number of the item
    data, features = world(8)
    assert retrieve(features, data, 1) is None
