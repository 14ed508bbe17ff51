import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student
from tests.measures.geometry import pairwise

from wordworth.measures.bootstrap import item_weights, left_out_groups
from wordworth.measures.geometry.mean_cosine import (
    contributions,
    error_of_mean,
    from_sums,
    iso_score,
    mean_cosine,
    resampled,
    top_share,
    unit,
)

AXES_AND_DIAGONAL = np.array([[1.0, 0], [0, 1], [1, 1]])
CLOSE_TOGETHER = np.array([[3.0, 4], [4, 3], [5, 0]])
AROUND_AN_AXIS = np.array([[1.0, 1, 0], [1, 0, 1], [1, -1, 0], [1, 0, -1]])


def drawn(seed, n=9, d=5, shift=0.7):
    return np.random.default_rng(seed).normal(shift, 1, (n, d))


@pytest.mark.parametrize(
    ("vectors", "expected"),
    [
        (AXES_AND_DIAGONAL, 0.4714045),  # pairs: 0, 1 / sqrt(2), 1 / sqrt(2)
        (CLOSE_TOGETHER, 0.7866667),  # pairs: 0.96, 0.6, 0.8
        (np.array([[1.0, 0, 0], [2, 0, 0], [5, 0, 0]]), 1.0),
        (np.ones((4, 3)), 1.0),
        (AROUND_AN_AXIS, 1 / 3),
        (np.eye(5), 0.0),
    ],
)
def test_self_similarity_is_the_mean_over_pairs_of_different_occurrences(vectors, expected):
    assert mean_cosine(vectors) == pytest.approx(expected, abs=1e-6)


@given(st.integers(0, 10_000), st.integers(2, 30), st.integers(1, 8))
@settings(max_examples=40)
def test_one_sum_gives_what_the_loop_over_pairs_gives(seed, n, d):
    vectors = drawn(seed, n, d)
    assert mean_cosine(vectors) == pytest.approx(pairwise.mean_cosine(vectors), abs=1e-9)


def test_the_length_of_an_occurrence_does_not_matter():
    longer = CLOSE_TOGETHER * np.array([[1.0], [7], [0.01]])
    assert mean_cosine(longer) == pytest.approx(mean_cosine(CLOSE_TOGETHER))


def test_rotation_changes_nothing_and_a_common_shift_does():
    vectors = drawn(1)
    rotation = np.linalg.qr(drawn(2, 5, 5))[0]
    assert mean_cosine(vectors @ rotation) == pytest.approx(mean_cosine(vectors))
    assert mean_cosine(vectors + 10) > mean_cosine(vectors) + 0.1


def test_one_occurrence_has_no_self_similarity():
    assert np.isnan(mean_cosine(AXES_AND_DIAGONAL[:1]))
    assert np.isnan(from_sums(np.ones((2, 3)), np.array([0, 1]))).all()


def test_a_zero_vector_has_no_cosine_and_is_refused():
    with pytest.raises(ValueError, match="1 of 3 vectors are zero"):
        mean_cosine(np.array([[1.0, 0], [1, 0], [0, 0]]))


def test_resampled_occurrences_are_not_compared_with_their_own_copies():
    vectors, weights = drawn(3, 40), item_weights(40, 200, np.random.default_rng(0))
    once = resampled(vectors, np.ones((1, 40)))
    assert once[0] == pytest.approx(mean_cosine(vectors))
    twice = resampled(vectors, np.full((1, 40), 2.0))
    assert twice[0] == pytest.approx(mean_cosine(vectors))
    assert abs(resampled(vectors, weights).mean() - mean_cosine(vectors)) < 0.02


@pytest.mark.parametrize("n", [3, 4, 12])
def test_the_error_of_a_mean_cosine_is_that_of_leaving_out_each_vector_in_turn(n):
    layers = np.stack([drawn(seed, n=n) for seed in (0, 1)])
    expected = [left_out_groups(mean_cosine, layer, np.arange(n)) for layer in layers]
    assert error_of_mean(layers) == pytest.approx(expected)
    assert np.isnan(error_of_mean(layers[:, :2])).all()


def test_the_error_of_a_mean_cosine_makes_intervals_that_hold_the_truth_95_times_in_100():
    rng = np.random.default_rng(0)
    many = rng.normal(1, 1, (20_000, 8))
    sets = many[rng.integers(len(many), size=(600, 12))]
    off = np.abs([mean_cosine(one) for one in sets] - np.array(mean_cosine(many)))
    assert 0.92 < (off < student.ppf(0.975, 11) * error_of_mean(sets)).mean() < 0.98


def test_repeated_sentences_raise_self_similarity_by_the_known_amount():
    assert mean_cosine(np.concatenate([AXES_AND_DIAGONAL, AXES_AND_DIAGONAL])) == pytest.approx(0.5771236, abs=1e-6)
    assert mean_cosine(np.unique(np.concatenate([AXES_AND_DIAGONAL, AXES_AND_DIAGONAL]), axis=0)) == pytest.approx(
        mean_cosine(AXES_AND_DIAGONAL)
    )


def test_unit_vectors_have_length_one():
    assert np.linalg.norm(unit(CLOSE_TOGETHER), axis=1) == pytest.approx(np.ones(3))


CROSS = np.array([[1.0, 0], [-1, 0], [0, 2], [0, -2]])
ONE_LARGE_DIMENSION = np.array([[10.0, 1, 0], [10, 0, 1], [10, -1, 0], [10, 0, -1]])


def in_five_steps(variances):
    """IsoScore as the paper computes it."""
    n = len(variances)
    scaled = np.sqrt(n) * variances / np.linalg.norm(variances)
    defect = np.linalg.norm(scaled - 1) / np.sqrt(2 * (n - np.sqrt(n)))
    return ((n - defect**2 * (n - np.sqrt(n))) ** 2 - n) / (n * (n - 1))


def points_of(variances):
    """Points that vary so much along each dimension, around a mean that is not 0."""
    ends = np.diag(np.sqrt(np.array(variances, float)))
    return np.concatenate([ends, -ends]) + 3


@pytest.mark.parametrize(
    ("variances", "expected"),
    [
        ((1, 1, 1), 1),
        ((1, 0, 0), 0),
        ((1, 1, 0), 0.5),
        ((4, 1, 1), 0.5),
        ((9, 1), 0.2195122),
        ((1,) * 4 + (0,) * 6, 1 / 3),
    ],
)
def test_iso_score_is_one_for_even_variances_and_zero_for_one_direction(variances, expected):
    assert iso_score(points_of(variances)) == pytest.approx(expected, abs=1e-6)
    assert in_five_steps(np.array(variances, float)) == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=12))
@settings(max_examples=40)
def test_the_participation_ratio_gives_what_the_five_steps_give(variances):
    assert iso_score(points_of(variances)) == pytest.approx(in_five_steps(np.array(variances)), abs=1e-9)


def test_iso_score_does_not_see_the_mean_and_the_average_cosine_sees_little_else():
    assert iso_score(CROSS) == pytest.approx(0.4705882, abs=1e-6)
    assert mean_cosine(CROSS) == pytest.approx(-1 / 3)
    assert iso_score(CROSS + 100) == pytest.approx(0.4705882, abs=1e-6)
    assert mean_cosine(CROSS + 100) == pytest.approx(0.9999167, abs=1e-6)


def test_iso_score_of_few_points_comes_out_too_low():
    rng = np.random.default_rng(0)
    few, many = iso_score(rng.normal(size=(50, 40))), iso_score(rng.normal(size=(4000, 40)))
    assert few < 0.6
    assert many > 0.98


def test_points_that_do_not_vary_have_no_iso_score():
    assert np.isnan(iso_score(np.ones((5, 3))))


def test_one_rogue_dimension_makes_the_mean_cosine():
    assert contributions(ONE_LARGE_DIMENSION) == pytest.approx([0.990099, -0.00165, -0.00165], abs=1e-6)
    assert contributions(ONE_LARGE_DIMENSION).sum() == pytest.approx(0.9867987, abs=1e-6)
    assert top_share(ONE_LARGE_DIMENSION, 1) == pytest.approx(1.003344, abs=1e-6)


def test_contributions_sum_to_the_mean_cosine():
    vectors = np.random.default_rng(4).normal(0.4, 1, (30, 7))
    assert contributions(vectors).sum() == pytest.approx(mean_cosine(vectors))
