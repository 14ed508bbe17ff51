"""Hierarchical k-means: the prefix property, an error that falls with depth, empty clusters, and resuming."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from wordworth.models.codebook import level_file
from wordworth.progress import STILL
from wordworth.training.codebook.feature_rows import FeatureRows
from wordworth.training.codebook.hierarchical_kmeans import kmeans, learn
from wordworth.training.codebook.settings import CodebookSettings

FEW = settings(max_examples=15, deadline=None)


def rows_of(vectors):
    return FeatureRows(Path("features.npy"), np.asarray(vectors, dtype=np.float32))


def learned(vectors, folder=None, **chosen):
    with tempfile.TemporaryDirectory() as temporary:
        return learn(rows_of(vectors), CodebookSettings(**chosen), Path(folder or temporary), STILL)


def blobs(count, width, rows, seed=0):
    draw = np.random.default_rng(seed)
    centres = 5 * draw.normal(size=(count, width))
    return (centres[draw.integers(0, count, rows)] + draw.normal(size=(rows, width))).astype(np.float32)


@st.composite
def tables(draw):
    """Features with repeated rows and few different numbers, so that clusters are empty and distances equal."""
    rows, width = draw(st.integers(3, 60)), draw(st.integers(1, 3))
    seed, kinds = draw(st.integers(0, 2**31)), draw(st.integers(1, 5))
    return np.random.default_rng(seed).integers(0, kinds, (rows, width)).astype(np.float32)


@FEW
@given(tables(), st.integers(2, 3), st.integers(1, 3))
def test_codes_are_numbers_in_base_k_and_errors_do_not_grow_with_depth(vectors, k, depth):
    made = learned(vectors, k=k, depth=depth)
    assert ((made.codes >= 0) & (made.codes < k**depth)).all()
    assert np.array_equal(made.codes, made.codebook.encode(vectors))
    assert all(lower <= upper + 1e-5 for upper, lower in zip(made.errors, made.errors[1:], strict=False))


@FEW
@given(tables(), st.integers(2, 3))
def test_codes_of_the_same_first_digits_have_the_same_parents(vectors, k):
    made = learned(vectors, k=k, depth=3)
    for depth in (1, 2):
        upper = made.codebook.to_depth(depth).encode(vectors)
        assert np.array_equal(upper, made.codes // k ** (3 - depth))


@FEW
@given(tables(), tables())
def test_other_vectors_never_get_a_code_that_no_row_has(vectors, others):
    made = learned(vectors, k=3, depth=3)
    width = vectors.shape[1]
    others = np.resize(10 * others, (len(others), width)).astype(np.float32)
    assert np.isin(made.codebook.encode(others), made.codes).all()


def test_the_error_is_that_of_the_means_of_the_rows_of_each_code():
    vectors = blobs(6, 4, 400)
    made = learned(vectors, k=3, depth=2)
    centroids = made.codebook.levels[-1].reshape(-1, made.codebook.width)
    assert made.errors[1] == pytest.approx(((vectors - centroids[made.codes]) ** 2).sum(1).mean())
    apart = sum(((vectors[made.codes == code] - vectors[made.codes == code].mean(0)) ** 2).sum() for code in range(9))
    assert made.errors[1] == pytest.approx(apart / len(vectors), rel=0.05)


def test_one_level_is_about_as_good_as_the_k_means_of_scikit_learn():
    vectors = blobs(5, 4, 600)
    theirs = KMeans(5, n_init=5, random_state=0).fit(vectors).inertia_ / len(vectors)
    assert learned(vectors, k=5, depth=1).errors[0] <= 1.05 * theirs


def test_rows_in_memory_and_how_many_are_read_at_once_change_nothing(monkeypatch):
    vectors = blobs(4, 3, 300)
    whole = learned(vectors, k=3, depth=2)
    monkeypatch.setattr("wordworth.training.codebook.feature_rows._NUMBERS", 60)
    assert np.array_equal(whole.codes, learned(vectors, k=3, depth=2).codes)


def test_k_means_of_few_rows_draws_them_and_moves_by_all():
    vectors = blobs(4, 3, 1_000)
    made = learned(vectors, k=4, depth=1, rows_per_node=100)
    assert np.allclose(made.codebook.levels[0][0, 0], vectors[made.codes == 0].mean(0), atol=0.3)


def test_a_cluster_of_fewer_different_rows_than_k_has_each_as_a_centroid():
    rows = np.array([[0.0], [1.0], [0.0], [1.0]], dtype=np.float32)
    assert kmeans(rows, 3, 0).tolist() == [[0.0], [1.0]]


def test_a_level_that_is_there_is_read_and_the_rest_is_as_if_nothing_had_stopped(tmp_path):
    vectors = blobs(6, 4, 200)
    whole = learned(vectors, tmp_path, k=3, depth=2)
    level_file(tmp_path, 1).unlink()
    first = level_file(tmp_path, 0).stat().st_mtime_ns
    again = learned(vectors, tmp_path, k=3, depth=2)
    assert np.array_equal(whole.codes, again.codes)
    assert whole.errors == again.errors
    assert level_file(tmp_path, 0).stat().st_mtime_ns == first


@pytest.mark.slow
def test_k_12_and_depth_4_make_20736_codes():
    made = learned(np.random.default_rng(0).normal(size=(12_000, 4)), k=12, depth=4)
    assert made.codebook.k**made.codebook.depth == 20_736
    assert made.codes.max() < 20_736
    assert len(np.unique(made.codes)) > 5_000
    assert sorted(made.errors, reverse=True) == list(made.errors)
