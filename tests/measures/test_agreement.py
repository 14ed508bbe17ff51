"""The agreement of two annotators beside scikit-learn's, its interval and the bound on scores beside a known truth."""

import numpy as np
import pytest
from scipy.optimize import brentq
from sklearn.metrics import cohen_kappa_score

from wordworth.measures.agreement import agreement, best_accuracy, cohen_kappa, observed_agreement, unlike_classes


def annotated(seed, rows, shares=(0.5, 0.3, 0.2), right=0.8):
    """Labels of two annotators, each right with this probability on its own, else any class by its share."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), rows, p=shares)
    return [np.where(rng.random(rows) < right, truth, rng.choice(len(shares), rows, p=shares)) for _ in range(2)]


@pytest.mark.parametrize("seed", range(4))
def test_kappa_is_that_of_scikit_learn_also_with_weights(seed):
    first, second = annotated(seed, 200)
    weights = np.random.default_rng(seed).integers(0, 4, (3, 200)).astype(float)
    peer = [cohen_kappa_score(first, second, sample_weight=row) for row in weights]
    assert cohen_kappa(first, second, weights) == pytest.approx(peer)
    measured = agreement(first, second, 200, np.random.default_rng(0))
    assert measured.kappa == pytest.approx(cohen_kappa_score(first, second))
    assert measured.same == np.mean(first == second)


@pytest.mark.parametrize(("rows", "right"), [(60, 0.8), (300, 0.8), (60, 0.98)])
def test_the_intervals_hold_what_two_such_annotators_agree_on(rows, right):
    shares = np.array([0.5, 0.3, 0.2])
    chance = float((shares**2).sum())
    same = right**2 + (1 - right**2) * chance  # both right, or one of them at least by its shares alone
    kappa = (same - chance) / (1 - chance)
    held = []
    for seed in range(300):
        measured = agreement(*annotated(seed, rows, tuple(shares), right), 200, np.random.default_rng(seed))
        held.append((same in measured.same_interval, kappa in measured.kappa_interval))
    assert (np.mean(held, axis=0) >= 0.92).all()


def test_over_groups_that_are_easy_or_hard_the_interval_has_to_be_that_of_groups():
    groups, held = np.repeat(np.arange(30), 20), []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        differ = rng.random(600) < rng.choice([0.0, 0.4], 30)[groups]
        first = rng.integers(0, 2, 600)
        second = np.where(differ, 1 - first, first)
        held.append([0.8 in agreement(first, second, 200, np.random.default_rng(seed), by).same_interval
                     for by in (groups, None)])  # fmt: skip
    by_group, by_row = np.mean(held, axis=0)
    assert by_group >= 0.92
    assert by_row < 0.75


def test_annotators_who_never_differ_on_a_few_rows_may_differ_on_others():
    first = np.arange(20) % 2
    measured = agreement(first, first, 400, np.random.default_rng(0))
    assert (measured.same, measured.kappa) == (1.0, 1.0)
    assert 0.75 < measured.same_interval.low < 0.95
    assert measured.same_interval.high > 0.98


def test_of_one_class_alone_there_is_no_kappa():
    ones, weights = np.ones(30, dtype=np.int64), np.ones((1, 30))
    assert np.isnan(cohen_kappa(ones, ones, weights)[0])
    assert observed_agreement(ones, ones, weights)[0] == 1
    assert np.isnan(agreement(ones, ones, 100, np.random.default_rng(0)).kappa)


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_the_bound_is_the_accuracy_where_all_texts_are_alike_and_errors_are_spread_evenly(classes):
    for same in (0.6, 0.8, 0.95):
        peer = brentq(lambda m, same=same: m**2 + (1 - m) ** 2 / (classes - 1) - same, 1 / classes, 1)
        assert best_accuracy(same, classes) == pytest.approx(peer)
    assert best_accuracy(0.01, classes) == pytest.approx(1 / classes)


@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("spread", [0.2, 1.0, 5.0])
def test_whoever_knows_how_annotators_label_each_text_is_right_between_their_agreement_and_the_bound(classes, spread):
    shares = np.random.default_rng(0).dirichlet(np.full(classes, spread), 5_000)
    same, best = float((shares**2).sum(axis=1).mean()), float(shares.max(axis=1).mean())
    assert same < best < best_accuracy(same, classes)


def test_a_class_that_one_annotator_gives_more_often_is_found_and_alike_annotators_have_none_in_19_of_20():
    first = annotated(0, 300)[0]
    second = np.where(np.arange(300) % 10 == 0, 1, first)
    assert unlike_classes(first, second, 400, np.random.default_rng(0)).tolist()[0] == 1
    falsely = [len(unlike_classes(*annotated(seed, 200), 400, np.random.default_rng(seed))) > 0 for seed in range(200)]
    assert np.mean(falsely) <= 0.08  # of 200, two standard errors above 5 %
