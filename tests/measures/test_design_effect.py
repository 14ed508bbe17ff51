"""Rows of a group say less than as many single ones: how much less, beside a bootstrap that draws whole groups."""

import numpy as np
import pytest
from scipy.stats import f_oneway, norm, ttest_1samp

from wordworth.measures.bootstrap import item_weights
from wordworth.measures.design_effect import design_effect, effective_groups, few_groups_stretch

GROUPS, SIZE = 200, 10
GROUP = np.repeat(np.arange(GROUPS), SIZE)


def alike(seed, between):
    """Errors of two systems whose difference has this variance between groups, and 1 - `between` within them."""
    rng = np.random.default_rng(seed)
    shared = np.sqrt(between) * rng.standard_normal(GROUPS)[GROUP]
    own = np.sqrt(1 - between) * rng.standard_normal(len(GROUP))
    hard = rng.standard_normal(GROUPS)[GROUP]  # what is hard for both cancels out
    return np.stack([hard + (shared + own) / 2, hard - (shared + own) / 2])


@pytest.mark.parametrize("between", [0.0, 0.1, 0.5])
def test_it_is_that_of_the_intraclass_correlation(between):
    """Kish: 1 + (size - 1) times the intraclass correlation, which is the share of the variance between groups."""
    effect = np.mean([design_effect(alike(seed, between), GROUP) for seed in range(20)])
    assert effect == pytest.approx(1 + (SIZE - 1) * between, rel=0.08)


def test_it_is_how_many_times_the_variance_a_bootstrap_of_groups_has():
    errors = alike(0, 0.3)
    gap = errors[0] - errors[1]
    weights = [item_weights(len(gap), 4_000, np.random.default_rng(0), groups) for groups in (GROUP, None)]
    clustered, single = (np.var(drawn @ gap / len(gap)) for drawn in weights)
    assert design_effect(errors, GROUP) == pytest.approx(clustered / single, rel=0.08)


def test_it_is_the_anova_of_groups_of_one_size():
    """With groups of one size it is the F of one-way analysis of variance, weighed with the variance within."""
    errors = alike(0, 0.3)
    gap = errors[0] - errors[1]
    value = f_oneway(*gap.reshape(GROUPS, SIZE)).statistic
    between, within = GROUPS - 1, GROUPS * (SIZE - 1)
    expected = SIZE * value * between / (value * between + within)
    assert design_effect(errors, GROUP) == pytest.approx(expected)


def test_of_groups_of_many_sizes_it_is_the_ratio_of_the_cluster_robust_variance_to_that_of_rows():
    """Liang and Zeger's (1986) variance of a mean, written out group by group."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), rng.integers(2, 30, 40))
    gap = rng.standard_normal(40)[groups] / 2 + rng.standard_normal(len(groups))
    off = gap - gap.mean()
    robust = sum(off[groups == group].sum() ** 2 for group in range(40)) / len(gap) ** 2
    plain = sum(value**2 for value in off) / len(gap) ** 2
    assert design_effect(np.stack([gap, np.zeros(len(gap))]), groups) == pytest.approx(robust / plain)


def test_systems_that_never_differ_say_nothing_of_it_so_that_a_group_counts_as_one_row():
    assert design_effect(np.ones((3, len(GROUP))), GROUP) == SIZE


def test_rows_of_a_group_that_are_less_alike_than_chance_count_as_single_ones():
    opposite = np.tile([1.0, 0.0], len(GROUP) // 2)
    assert design_effect(np.stack([opposite, np.zeros(len(GROUP))]), GROUP) == 1


def test_groups_of_one_size_count_as_they_are_and_a_large_one_makes_the_others_count_less():
    assert effective_groups(GROUP) == GROUPS
    assert effective_groups(np.array(["a"] * 98 + ["b", "c"])) == pytest.approx(1.04, abs=0.01)


@pytest.mark.parametrize("groups", [2, 5, 10, 40])
def test_over_few_groups_the_draws_of_a_mean_are_put_as_far_as_students_interval_of_it(groups):
    values = np.random.default_rng(groups).standard_normal(groups)
    peer = ttest_1samp(values, 0).confidence_interval(0.95)
    spread = values.std() / np.sqrt(groups)  # of a bootstrap of the mean, by its exact variance
    half = few_groups_stretch(groups) * norm.ppf(0.975) * spread
    assert (values.mean() - half, values.mean() + half) == pytest.approx((peer.low, peer.high))
