import numpy as np
import pytest

from wordworth.measures.geometry.directions import (
    all_but_the_top,
    principal_axes,
    principal_direction,
    sif_weights,
)


def test_a_word_and_its_opposite_have_opposite_principal_directions():
    rows = np.array([[1.0, 0], [0, 1], [1, 1]])
    assert principal_direction(rows) == pytest.approx([0.7071068, 0.7071068])
    for seed in range(8):
        drawn = np.random.default_rng(seed).normal(0.5, 1, (6, 4))
        assert principal_direction(-drawn) == pytest.approx(-principal_direction(drawn))


@pytest.mark.parametrize("shape", [(3, 7), (7, 3), (4, 4), (1, 3)])
def test_the_principal_direction_is_the_first_singular_vector_of_few_rows_and_of_many(shape):
    rows = np.random.default_rng(1).normal(0.5, 1, shape)
    first, side = np.linalg.svd(rows)[2][0], np.random.default_rng(2).normal(size=shape[1])
    assert principal_direction(rows) == pytest.approx(first * np.sign(first @ rows.mean(axis=0)))
    assert principal_direction(rows, towards=side) == pytest.approx(first * np.sign(first @ side))


@pytest.mark.parametrize("shape", [(2, 5), (5, 2)])
def test_rows_without_length_have_no_direction(shape):
    assert not principal_direction(np.zeros(shape)).any()


def test_all_but_the_top_leaves_what_the_first_direction_does_not_hold():
    rows = np.array([[5.0, 1], [5, -1], [1, 1], [1, -1]])
    assert all_but_the_top(rows, 1) == pytest.approx(np.array([[0.0, 1], [0, -1], [0, 1], [0, -1]]))


def test_frequent_words_weigh_less():
    assert sif_weights(np.array([0.05, 0.001, 1e-5])) == pytest.approx([0.0196078, 0.5, 0.9900990], abs=1e-6)


def test_whitened_vectors_have_the_identity_as_covariance():
    points = np.array([[1.0, 0], [-1, 0], [0, 2], [0, -2]])
    assert np.cov(principal_axes(points, 2, whiten=True)(points).T) == pytest.approx(np.eye(2))
    assert principal_axes(points, 1, whiten=True)(points).shape == (4, 1)
