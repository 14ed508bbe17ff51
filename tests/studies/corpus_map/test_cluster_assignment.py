"""Every row goes to its nearest centroid, whatever the blocks and segments; clusters are numbered by size."""

import numpy as np
import pytest

from wordworth.progress import STILL
from wordworth.retrieval.stored_vectors import StoredVectors
from wordworth.studies.corpus_map import cluster_assignment
from wordworth.studies.corpus_map.cluster_assignment import assign, unit_vectors
from wordworth.studies.corpus_map.kmeans import nearest_centroids

DRAW = np.random.default_rng(0)
VECTORS = DRAW.normal(size=(60, 5)).astype(np.float32)
SEGMENTS = [StoredVectors(VECTORS[:25]), StoredVectors(VECTORS[25:])]
CENTROIDS = np.concatenate([0.3 * DRAW.normal(size=(4, 5)), np.full((1, 5), 99.0)]).astype(np.float32)


@pytest.mark.parametrize("at_once", [7, 4096])
def test_rows_go_to_the_nearest_centroid_and_the_largest_cluster_is_the_first(monkeypatch, at_once):
    monkeypatch.setattr(cluster_assignment, "_AT_ONCE", at_once)
    rows = np.flatnonzero(np.arange(60) % 5)
    found = assign(SEGMENTS, rows, CENTROIDS, STILL)
    units = VECTORS[rows] / np.linalg.norm(VECTORS[rows], axis=1, keepdims=True)
    assert np.allclose(unit_vectors(SEGMENTS, rows), units)
    expected = CENTROIDS[nearest_centroids(units, CENTROIDS)]
    assert np.allclose(found.centroids[found.clusters], expected)
    assert found.sizes.tolist() == sorted(found.sizes, reverse=True)
    assert found.sizes.min() > 0
    assert found.sizes.sum() == len(rows)
    cosines = np.einsum("nd,nd->n", units, expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert np.allclose(found.cosines, cosines, atol=1e-6)


def test_central_and_outlying_rows_are_those_of_the_largest_and_least_cosines():
    found = assign(SEGMENTS, np.arange(60), CENTROIDS, STILL)
    own = np.flatnonzero(found.clusters == 1)
    assert found.central(1, 3).tolist() == sorted(own, key=lambda row: -found.cosines[row])[:3]
    assert found.outlying(1) == min(own, key=lambda row: found.cosines[row])
