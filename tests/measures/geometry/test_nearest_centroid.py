import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.geometry.nearest_centroid import mean_cosines, nearest_centroid, plane

seeds = st.integers(0, 10_000)


def units(seed, number, width=6):
    return unit_or_zero(np.random.default_rng(seed).normal(size=(number, 1, width)))


def test_an_occurrence_gets_the_sense_whose_centroid_points_its_way():
    sums = np.array([[[10.0, 0.0]], [[0.0, 1.0]]])  # a sense seen often is no nearer for that
    found = nearest_centroid(np.array([[[1.0, 0.2]], [[0.5, 0.6]], [[-1.0, 0.1]]]), sums)
    assert found.tolist() == [[0], [1], [1]]


def test_where_all_senses_are_equally_near_or_the_vector_is_nothing_none_is_told():
    vectors = np.stack([np.ones((2, 4)), np.zeros((2, 4))])
    assert nearest_centroid(vectors, np.ones((3, 2, 4))).tolist() == [[-1, -1], [-1, -1]]


def test_of_senses_that_are_equally_near_and_nearer_than_another_the_first_is_told():
    sums = np.array([[[0.0, 1.0]], [[1.0, 0.0]], [[2.0, 0.0]]])
    assert nearest_centroid(np.array([[[1.0, 0.1]]]), sums).tolist() == [[1]]


@given(seeds, st.integers(2, 9), st.integers(2, 9))
@settings(max_examples=30, deadline=None)
def test_mean_cosines_from_sums_are_those_of_all_pairs(seed, first, second):
    one, other = units(seed, first), units(seed + 1, second)
    found = mean_cosines(np.stack([one.sum(axis=0), other.sum(axis=0)]), np.array([first, second]))
    rows, label = np.concatenate([one, other])[:, 0], np.repeat([0, 1], [first, second])
    pairs = [(i, j) for i in range(len(rows)) for j in range(len(rows)) if i != j]
    cosine = np.array([rows[i] @ rows[j] for i, j in pairs])
    same = np.array([label[i] == label[j] for i, j in pairs])
    assert [float(one[0]) for one in found] == pytest.approx([cosine.mean(), cosine[same].mean(), cosine[~same].mean()])


def test_with_one_sense_or_one_occurrence_each_what_has_no_pairs_is_undefined():
    whole, same, different = mean_cosines(units(0, 4).sum(axis=0)[None], np.array([4]))
    assert whole == pytest.approx(same)
    assert np.isnan(different).all()
    assert np.isnan(mean_cosines(units(0, 2), np.array([1, 1]))[1]).all()


def test_permuted_sense_labels_put_senses_no_further_apart_than_themselves():
    rows, rng, gaps = units(3, 40), np.random.default_rng(0), []
    for _ in range(300):
        label = rng.permutation(np.repeat([0, 1], [30, 10]))
        sums = np.stack([rows[label == sense].sum(axis=0) for sense in (0, 1)])
        _, same, different = mean_cosines(sums, np.array([30, 10]))
        gaps.append(float(same[0] - different[0]))
    assert abs(np.mean(gaps)) < 4 * np.std(gaps) / np.sqrt(len(gaps))


@given(seeds, st.integers(3, 12))
@settings(max_examples=30, deadline=None)
def test_the_plane_keeps_distances_of_what_lies_in_one(seed, number):
    rng = np.random.default_rng(seed)
    axes, _ = np.linalg.qr(rng.normal(size=(7, 2)))
    flat = rng.normal(size=(number, 2)) @ axes.T + 5
    places, shown = plane(flat)
    assert shown == pytest.approx(1)
    far = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    assert np.linalg.norm(places[:, None] - places[None], axis=-1) == pytest.approx(far, abs=1e-9)


def test_equal_vectors_lie_on_one_point_and_show_no_share():
    places, shown = plane(np.ones((4, 3)))
    assert not places.any()
    assert np.isnan(shown)


def test_vectors_are_scaled_but_zeros_stay():
    three, zeros = unit_or_zero(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32))
    assert np.allclose(three, [0.6, 0.8])
    assert not zeros.any()
