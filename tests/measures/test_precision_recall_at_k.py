"""Precision, recall and F1 at k: counted by hand, over all orders of equal scores, and at their ceiling."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.measures.precision_recall_at_k import hits_at, metrics_to_report

NAMES = ("art", "law", "tax", "war")
GOLD = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]], dtype=bool)
SCORES = np.array([[0.9, -0.5, 0.1, -2.0], [0.3, 0.2, -0.1, -0.7], [1.0, 2.0, 3.0, 4.0]])


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("precision@1", 1 / 3),
        ("precision@2", 1 / 6),
        ("precision@3", 3 / 9),
        ("recall@1", 1 / 3),
        ("recall@3", 3 / 3),
        ("f1@1", 2 / 6),
        ("f1@3", 2 * 3 / (9 + 3)),
        ("precision@4", 3 / 12),
    ],
)
def test_the_highest_scores_are_counted_whether_or_not_they_are_above_zero(name, score):
    assert metric(name, NAMES).score(GOLD, SCORES) == pytest.approx(score)


def test_for_one_class_a_text_recall_at_k_is_the_share_of_texts_whose_class_is_among_the_k_best():
    assert metric("recall@2", NAMES).score(np.array([0, 1, 0]), SCORES) == pytest.approx(2 / 3)


@given(st.data(), st.integers(1, 4))
def test_among_equal_scores_the_hits_are_the_mean_over_their_orders(data, k):
    scores = np.array(data.draw(st.lists(st.integers(0, 2), min_size=4, max_size=4)), dtype=float)
    truth = np.array(data.draw(st.lists(st.booleans(), min_size=4, max_size=4)))
    orders = [sorted(order, key=lambda label: -scores[label]) for order in permutations(range(4))]
    expected = np.mean([truth[order[:k]].sum() for order in orders])
    assert hits_at(truth[None], scores[None], k)[0] == pytest.approx(expected)


def test_resampled_sets_score_as_sets_that_hold_their_items_so_often():
    weights = np.array([[2.0, 0.0, 1.0], [1.0, 3.0, 0.0]])
    for name in ("precision@2", "recall@2", "f1@2"):
        rule = metric(name, NAMES)
        again = [rule.score(GOLD[rows], SCORES[rows]) for rows in ([0, 0, 2], [0, 1, 1, 1])]
        assert rule.score(GOLD, SCORES, weights) == pytest.approx(again)


@pytest.mark.parametrize("name", ["precision@0", "precision@5", "precision@two", "recall@-1", "f1@", "hits@3"])
def test_a_number_of_labels_that_there_is_not_is_refused(name):
    with pytest.raises(BadInput, match=r"needs a number of labels, 1 to 4|no metric"):
        metric(name, NAMES)


def test_beside_a_metric_of_many_labels_stand_those_of_five_and_of_as_many():
    assert metrics_to_report("f1@30")[-3:] == ["precision@30", "recall@30", "f1@30"]
    assert len(metrics_to_report("f1@30")) == 3 * 6
    assert len(metrics_to_report("f1@5")) == 3 * 5
    assert metrics_to_report("f1:me@home") == [] == metrics_to_report("micro_f1")
