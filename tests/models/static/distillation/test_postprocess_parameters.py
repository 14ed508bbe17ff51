"""What is done to a table once its vectors are there."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.measures.geometry.directions import all_but_the_top, principal_axes, sif_weights
from wordworth.models.static.distillation.postprocess_parameters import finished_width, table_warnings, zipf_shares
from wordworth.models.static.distillation.settings import DistilSettings


def test_all_but_the_top_takes_the_mean_and_the_first_directions_away():
    # Mu and Viswanath 2018, algorithm 1; the mean is (3, 0), the first direction the x axis
    vectors = np.array([[5.0, 1], [5, -1], [1, 1], [1, -1]])
    assert all_but_the_top(vectors, 1) == pytest.approx(np.array([[0, 1], [0, -1], [0, 1], [0, -1]]), abs=1e-12)


def test_the_weight_of_a_word_is_a_over_a_plus_its_share():  # Arora et al. 2017, equation 3
    assert sif_weights(np.array([0.05, 0.001, 1e-5]), 0.001) == pytest.approx([0.0196078, 0.5, 0.9900990], abs=1e-6)


def test_weights_by_rank_are_model2vecs():
    shares = zipf_shares(30_000)
    assert 1 / (2 * shares[0]) == pytest.approx(9.886218, abs=1e-6)  # the first is 1 / 2 of this sum
    assert shares.sum() == pytest.approx(1)
    weights = sif_weights(shares, 1e-4)
    assert weights[[0, 1, 9, 99, 999]] == pytest.approx([0.00197, 0.00296, 0.01076, 0.09079, 0.49739], abs=5e-6)


def test_whitened_components_have_variance_one_and_no_correlation():
    points = np.array([[1.0, 0], [-1, 0], [0, 2], [0, -2]])
    assert np.cov(principal_axes(points, 2, whiten=True)(points).T) == pytest.approx(np.eye(2), abs=1e-12)


def test_a_component_without_variance_is_not_blown_up():
    points = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 2, 0], [0, -2, 0]])
    assert not principal_axes(points, 3, whiten=True)(points)[:, 2].any()


def test_components_keep_distances_and_do_not_hang_on_a_turn_of_the_space():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(30, 5)) * [5, 4, 3, 2, 1]
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    found, turned = (principal_axes(rows, 5)(rows) for rows in (points, points @ turn))
    assert np.abs(found) == pytest.approx(np.abs(turned), abs=1e-9)
    assert np.linalg.norm(found[3] - found[7]) == pytest.approx(np.linalg.norm(points[3] - points[7]))


def test_more_components_than_there_are_is_bad_input_as_soon_as_it_is_known():
    for asked in ({"width": 400}, {"width": 400, "whiten": True}):
        with pytest.raises(BadInput, match="400 components are too many for vectors of width 384"):
            finished_width(DistilSettings(**asked), 384)
    with pytest.raises(BadInput, match="give 120 or less"):
        finished_width(DistilSettings(width=200), 384, 120)
    with pytest.raises(BadInput, match="give 120 or less"):
        finished_width(DistilSettings(width=0, whiten=True), 384, 120)


@pytest.mark.parametrize(
    ("asked", "own", "vectors", "wide"),
    [("auto", 384, None, 256), ("auto", 128, 5000, 128), ("auto", 384, 120, 120), (0, 384, 120, 384), (7, 384, 120, 7)],
)
def test_where_no_width_is_asked_for_it_is_what_there_is(asked, own, vectors, wide):
    assert finished_width(DistilSettings(width=asked), own, vectors) == wide


def test_a_width_cut_by_few_words_and_whitening_of_few_are_said():
    assert table_warnings(DistilSettings(), 384, 30_000) == table_warnings(DistilSettings(), 128, 200) == ()
    (cut,) = table_warnings(DistilSettings(), 384, 120)
    assert cut.startswith("Width 120 instead of 256, since there are only 120 vectors")
    (chance,) = table_warnings(DistilSettings(width=256, whiten=True), 384, 292)
    assert chance.startswith("292 vectors are few for 256 whitened components")
    assert table_warnings(DistilSettings(width=29, whiten=True), 384, 292) == ()


def test_a_text_that_has_far_fewer_words_than_there_is_room_for_is_told():
    assert table_warnings(DistilSettings(words=20_000), 384, 30_000, 2_000) == ()
    (few,) = table_warnings(DistilSettings(words=20_000), 384, 30_000, 1_999)
    assert "1,999 words instead of 20,000" in few
    assert "5 times" in few


def test_all_directions_cannot_be_removed():
    with pytest.raises(BadInput, match="without 32 directions nothing is left of vectors that have 32"):
        finished_width(DistilSettings(remove_top=32), 32, 100)
    with pytest.raises(BadInput, match="without 9 directions nothing is left of vectors that have 9"):
        finished_width(DistilSettings(remove_top=9), 32, 10)
    assert finished_width(DistilSettings(remove_top=8), 32, 10) == 10
