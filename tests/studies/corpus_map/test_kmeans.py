"""k-means, and the nearest centroid."""

import warnings

import numpy as np

from wordworth.studies.corpus_map.kmeans import kmeans, nearest_centroids


def test_centroids_are_the_means_of_groups_that_lie_apart():
    draw = np.random.default_rng(0)
    centres = np.array([[0, 0], [9, 0], [0, 9]])
    points = (centres[np.arange(90) % 3] + 0.1 * draw.normal(size=(90, 2))).astype(np.float32)
    found = kmeans(points, 3, np.random.default_rng(0))
    assert np.allclose(found[np.lexsort(found.round().T)], centres[np.lexsort(centres.T)], atol=0.1)


def test_the_nearest_centroid_is_that_of_the_least_distance_and_the_first_of_equals():
    draw = np.random.default_rng(1)
    points, centroids = draw.normal(size=(50, 4)), draw.normal(size=(7, 4))
    distances = np.linalg.norm(points[:, None] - centroids, axis=2)
    assert nearest_centroids(points, centroids).tolist() == distances.argmin(axis=1).tolist()
    assert nearest_centroids(np.zeros((1, 2)), np.ones((2, 2))).tolist() == [0]


def test_equal_points_are_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.unique(kmeans(np.ones((5, 2), np.float32), 3, np.random.default_rng(0)), axis=0).shape == (1, 2)
