"""Whether the items that one system wins are the harder ones: an area under a curve, in every resampled set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from wordworth.measures.bootstrap import item_weights, run_picks
from wordworth.measures.difficulty_concordance import areas, concordance, rank_residuals
from wordworth.measures.gain_by_difficulty import Resampling


def using(items, runs=3, draws=200, groups=None):
    rng = np.random.default_rng(0)
    count = items if groups is None else groups.max() + 1
    weights, picks = item_weights(count, draws, rng), run_picks(runs, draws, rng)
    return Resampling(weights, picks, np.zeros(items, np.int64), groups=groups)


@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(1, 5))
def test_areas_are_those_of_scikit_learn_with_ties_and_weights(seed, items, levels):
    rng = np.random.default_rng(seed)
    measure = rng.integers(0, levels, items).astype(float)
    won = rng.permutation(np.arange(items) % 2).astype(float)
    weights = rng.integers(0, 3, (4, items)).astype(float)
    found = areas(measure, won[None], 1 - won[None], weights)[0]
    for one, drawn in zip(found, weights, strict=True):
        if (drawn @ won) * (drawn @ (1 - won)) == 0:
            assert np.isnan(one)
        else:
            assert one == pytest.approx(roc_auc_score(won, measure, sample_weight=drawn))


def test_a_system_that_wins_the_hard_items_is_told_and_one_that_wins_anywhere_is_not():
    rng = np.random.default_rng(1)
    measure, wins = rng.random(600), rng.random((3, 600))
    hard = concordance(measure, 1.0 * (wins < measure), 1.0 * (wins >= measure), using(600))
    anywhere = concordance(measure, 1.0 * (wins < 0.6), 1.0 * (wins >= 0.6), using(600))
    assert hard.value == pytest.approx(5 / 6, abs=0.03)  # densities 2x and 2(1 - x)
    assert hard.span.low > 0.5
    assert 0.5 in anywhere.span


def test_a_constant_advantage_in_log_odds_moves_nothing_where_it_widens_the_gap_of_the_hard_half():
    rng = np.random.default_rng(2)
    measure = rng.random(20_000)
    ease = 3 - 3 * measure
    own, rival = (1.0 * (rng.random((1, 20_000)) > 1 / (1 + np.exp(-ease - better))) for better in (0.5, 0.0))
    gap = (rival - own)[0]
    assert gap[measure > 0.5].mean() > gap[measure <= 0.5].mean() + 0.02
    assert concordance(measure, rival, own, using(20_000, runs=1, draws=50)).value == pytest.approx(0.5, abs=0.02)


def test_items_without_a_measure_and_those_on_which_nobody_differs_say_nothing():
    measure = np.array([3.0, 1.0, np.nan, 2.0, 9.0])
    rival, own = np.array([[1.0, 0, 1, 1, 0]] * 2), np.array([[0.0, 1, 0, 1, 0]] * 2)
    groups = np.arange(5)
    assert concordance(measure, rival, own, using(5, 2, groups=groups)).value == 1
    assert concordance(measure, own, own, using(5, 2)) is None
    assert concordance(measure, np.ones((2, 5)), np.zeros((2, 5)), using(5, 2)) is None


def test_what_a_measure_says_beyond_length_is_nothing_if_it_is_length_and_itself_if_length_is_constant():
    rng = np.random.default_rng(3)
    length = rng.integers(1, 50, 200).astype(float)
    assert np.isnan(rank_residuals(length**2, length[None])).all()
    other = rng.random(200)
    assert np.argsort(rank_residuals(other, np.ones((1, 200)))).tolist() == np.argsort(other).tolist()
    mixed = np.where(np.arange(200) % 9 == 0, np.nan, other)
    assert np.isnan(rank_residuals(mixed, length[None])).tolist() == np.isnan(mixed).tolist()
