"""Vectors on disk: how near the stored numbers are, and what is refused."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.retrieval.stored_vectors import PRECISIONS, StoredVectors, signs_of, values_of, write_vectors

NEAR = {"float32": 1e-6, "float16": 5e-4, "int8": 4e-3, "bits": 5e-4}
"""Largest difference of a stored number from the unit vector's."""


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(50, 70)).astype(np.float32)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_vectors_are_stored_at_length_1_and_read_back_nearly_the_same(tmp_path, vectors, precision):
    write_vectors(tmp_path, [vectors[:30], vectors[30:]], vectors.shape, precision)
    stored = StoredVectors.open(tmp_path, precision)
    exact = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert (len(stored), stored.width) == vectors.shape
    assert np.abs(stored.values(np.arange(50)) - exact).max() < NEAR[precision]


def test_a_vector_of_8_bits_is_the_same_alone_and_among_others(tmp_path, vectors):
    (tmp_path / "alone").mkdir()
    write_vectors(tmp_path, [vectors], vectors.shape, "int8")
    write_vectors(tmp_path / "alone", [vectors[7:8]], (1, 70), "int8")
    together, alone = StoredVectors.open(tmp_path, "int8"), StoredVectors.open(tmp_path / "alone", "int8")
    assert alone.numbers[0].any()
    assert np.array_equal(alone.values(np.array([0])), together.values(np.array([7])))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_vector_of_zeros_stays_one(tmp_path, precision):
    write_vectors(tmp_path, [np.zeros((2, 70), np.float32)], (2, 70), precision)
    assert not StoredVectors.open(tmp_path, precision).values(np.arange(2)).any()


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_a_number_is_refused(tmp_path, vectors, wrong):
    vectors[3, 4] = wrong
    with pytest.raises(BadInput, match="a vector holds NaN or infinity"):
        write_vectors(tmp_path, [vectors], vectors.shape, "float32")


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_damaged_file_is_one_clear_error(tmp_path, vectors, precision):
    write_vectors(tmp_path, [vectors], vectors.shape, precision)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        for damage in (whole[:200], b"", b"no array"):
            path.write_bytes(damage)
            with pytest.raises(BadInput, match="missing or damaged; build the index again"):
                StoredVectors.open(tmp_path, precision)
        path.write_bytes(whole)


def test_signs_are_one_bit_a_number():
    signs = signs_of(np.array([[0.5, -0.5, 0.0], [1.0, 1.0, 1.0]]))
    assert signs.shape == (1, 2)
    assert [int(word).bit_count() for word in signs[0]] == [1, 3]


def test_rows_are_numbered_through_segments(vectors):
    segments = [StoredVectors(vectors[:20]), StoredVectors(vectors[20:])]
    rows = np.array([41, 3, 20, 19, 3])
    assert np.array_equal(values_of(segments, rows), vectors[rows].astype(np.float64))
