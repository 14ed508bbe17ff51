import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures.geometry.cosine import mean_cosine
from wordworth.measures.geometry.isotropy import (
    contributions,
    iso_score,
    partition_isotropy,
    standardised,
    top_share,
)

G11 = np.array([[1.0, 0], [-1, 0], [0, 2], [0, -2]])
G12 = np.array([[10.0, 1, 0], [10, 0, 1], [10, -1, 0], [10, 0, -1]])


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
def test_iso_score_is_one_for_even_variances_and_zero_for_one_direction(variances, expected):  # G10
    assert iso_score(points_of(variances)) == pytest.approx(expected, abs=1e-6)
    assert in_five_steps(np.array(variances, float)) == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=12))
@settings(max_examples=40)
def test_the_participation_ratio_gives_what_the_five_steps_give(variances):
    assert iso_score(points_of(variances)) == pytest.approx(in_five_steps(np.array(variances)), abs=1e-9)


def test_iso_score_does_not_see_the_mean_and_the_average_cosine_sees_little_else():  # G11
    assert iso_score(G11) == pytest.approx(0.4705882, abs=1e-6)
    assert mean_cosine(G11) == pytest.approx(-1 / 3)
    assert iso_score(G11 + 100) == pytest.approx(0.4705882, abs=1e-6)
    assert mean_cosine(G11 + 100) == pytest.approx(0.9999167, abs=1e-6)


def test_iso_score_of_few_points_comes_out_too_low():
    rng = np.random.default_rng(0)
    few, many = iso_score(rng.normal(size=(50, 40))), iso_score(rng.normal(size=(4000, 40)))
    assert few < 0.6
    assert many > 0.98


def test_points_that_do_not_vary_have_no_iso_score():
    assert np.isnan(iso_score(np.ones((5, 3))))


def test_one_rogue_dimension_makes_the_mean_cosine():  # G12
    assert contributions(G12) == pytest.approx([0.990099, -0.00165, -0.00165], abs=1e-6)
    assert contributions(G12).sum() == pytest.approx(0.9867987, abs=1e-6)
    assert top_share(G12, 1) == pytest.approx(1.003344, abs=1e-6)


def test_standardising_takes_the_rogue_dimension_away():  # G12
    assert mean_cosine(standardised(G12)) == pytest.approx(-1 / 3)
    assert (standardised(G12)[:, 0] == 0).all()


def test_contributions_sum_to_the_mean_cosine():
    vectors = np.random.default_rng(4).normal(0.4, 1, (30, 7))
    assert contributions(vectors).sum() == pytest.approx(mean_cosine(vectors))


def test_partition_isotropy_of_a_cross_is_even():  # G16
    cross = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    assert partition_isotropy(cross, both_signs=False) == pytest.approx(1)
    uneven = np.array([[1.0, 0], [1, 0], [0, 1]])
    assert partition_isotropy(uneven, both_signs=False) == pytest.approx(0.7330436, abs=1e-6)
    assert partition_isotropy(uneven) < 0.7330436
