"""Ranking measures: as in scikit-learn, with and without ties, and independent of order and scale."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_score, roc_auc_score

from wordworth.measures.ranking import area_under_roc, average_precision, one_against_rest, precision_at

MEASURES = (area_under_roc, average_precision, lambda positive, scores: precision_at(positive, scores, 0.2))


def drawn(seed, items=60, decimals=9):
    rng = np.random.default_rng(seed)
    positive = rng.random(items) < 0.3
    positive[:2] = [True, False]
    return positive, np.round(rng.normal(size=items) + positive, decimals)


@pytest.mark.parametrize("decimals", [9, 1, 0])
@pytest.mark.parametrize("seed", range(5))
def test_area_and_average_precision_are_those_of_scikit_learn(seed, decimals):
    positive, scores = drawn(seed, decimals=decimals)
    assert area_under_roc(positive, scores) == pytest.approx(roc_auc_score(positive, scores))
    assert average_precision(positive, scores) == pytest.approx(average_precision_score(positive, scores))


@pytest.mark.parametrize("seed", range(5))
def test_several_classes_are_each_set_against_the_rest(seed):
    rng = np.random.default_rng(seed)
    gold, probabilities = np.append(np.arange(4), rng.integers(4, size=80)), rng.dirichlet(np.ones(4), 84)
    area = one_against_rest(area_under_roc, gold, probabilities)
    assert area == pytest.approx(roc_auc_score(gold, probabilities, multi_class="ovr", average="macro"))
    precision = one_against_rest(average_precision, gold, probabilities)
    assert precision == pytest.approx(average_precision_score(gold, probabilities, average="macro"))


def test_a_class_that_no_item_has_is_left_out_of_the_mean():
    gold, probabilities = np.array([0, 1, 0]), np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.8, 0.1]])
    assert one_against_rest(area_under_roc, gold, probabilities) == pytest.approx(0.5)
    assert math.isnan(one_against_rest(area_under_roc, np.zeros(3, int), probabilities))


@pytest.mark.parametrize("positive", [np.zeros(3, bool), np.ones(3, bool)])
def test_without_items_to_tell_apart_there_is_no_area_and_no_average_precision(positive):
    assert math.isnan(area_under_roc(positive, np.arange(3.0)))
    assert math.isnan(average_precision(positive, np.arange(3.0)))


@pytest.mark.parametrize("workload", [0.1, 0.25, 1.0])
def test_precision_at_a_workload_is_that_of_the_items_above_the_threshold(workload):
    positive, scores = drawn(3, items=60)
    looked_at = scores >= np.sort(scores)[-round(workload * 60)]
    assert precision_at(positive, scores, workload) == pytest.approx(precision_score(positive, looked_at))


def test_equal_scores_are_looked_at_in_random_order():
    positive, scores = np.array([True, True, False, False, False]), np.array([5.0, 1.0, 1.0, 1.0, 0.0])
    assert precision_at(positive, scores, 0.4) == pytest.approx((1 + 1 / 3) / 2)
    assert precision_at(positive, np.zeros(5), 0.4) == pytest.approx(0.4)
    assert precision_at(positive, scores, 0.3) == precision_at(positive, scores, 0.4)  # one and a half texts are two


@given(st.integers(0, 10_000), st.integers(0, 2))
def test_neither_order_nor_scale_matters(seed, decimals):
    positive, scores = drawn(seed, 25, decimals)
    order = np.random.default_rng(seed).permutation(25)
    for measure in MEASURES:
        expected = measure(positive, scores)
        assert measure(positive[order], scores[order]) == pytest.approx(expected)
        assert measure(positive, np.exp(scores / 2) - 3) == pytest.approx(expected)
        assert 0 <= expected <= 1


@pytest.mark.parametrize("workload", [0.0, 1.2, math.nan])
def test_a_workload_that_is_no_share_is_refused(workload):
    with pytest.raises(ValueError, match="share above 0"):
        precision_at(np.array([True]), np.array([1.0]), workload)
