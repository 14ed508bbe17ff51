"""Decisions at the least expected cost, held to sums written out and to scikit-learn's confusion matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from wordworth.measures.expected_cost import cost_metric, least_cost_classes, probability_threshold


def drawn(seed, classes, items=40):
    """Probabilities, and costs of which each right answer is the cheapest of its class."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 50, (classes, classes)).astype(float)
    np.fill_diagonal(costs, 0)
    return rng.dirichlet(np.ones(classes), items), costs


def clear(probabilities, costs):
    """Whether the two least expected costs of every item differ by more than a rounding error."""
    expected = np.sort(probabilities @ costs, axis=1)
    return bool((expected[:, 1] - expected[:, 0] > 1e-6).all())


sets = given(st.integers(0, 10_000), st.integers(2, 6))


@sets
def test_the_decision_is_that_of_the_sums_written_out(seed, classes):
    probabilities, costs = drawn(seed, classes)
    assume(clear(probabilities, costs))
    for item, answer in zip(probabilities, least_cost_classes(probabilities, costs), strict=True):
        expected = [sum(item[true] * costs[true, given] for true in range(classes)) for given in range(classes)]
        assert answer == expected.index(min(expected))


@sets
def test_where_all_errors_cost_one_the_decision_is_the_most_probable_class(seed, classes):
    probabilities, _ = drawn(seed, classes)
    costs = 1 - np.eye(classes)
    assume(clear(probabilities, costs))
    assert np.array_equal(least_cost_classes(probabilities, costs), probabilities.argmax(axis=1))


@sets
def test_what_is_added_to_all_costs_of_a_true_class_changes_no_decision(seed, classes):
    probabilities, costs = drawn(seed, classes)
    assume(clear(probabilities, costs))
    added = np.random.default_rng(seed + 1).uniform(0, 100, (classes, 1))
    before, after = (least_cost_classes(probabilities, each) for each in (costs, costs + added))
    assert np.array_equal(before, after)


@given(st.lists(st.integers(0, 100), min_size=4, max_size=4), st.sampled_from([0, 1]))
def test_the_threshold_parts_the_probabilities_at_which_the_class_is_decided_for(cells, positive):
    costs = np.array(cells, dtype=float).reshape(2, 2)
    threshold = probability_threshold(costs, positive)
    right, wrong = costs.diagonal(), costs[[0, 1], [1, 0]]
    if threshold is None:
        assert (wrong < right).any() or (wrong == right).all()
        return
    shares = np.linspace(0, 1, 101)
    shares = shares[np.abs(shares - threshold) > 1e-9]
    probabilities = np.zeros((len(shares), 2))
    probabilities[:, positive], probabilities[:, 1 - positive] = shares, 1 - shares
    assert np.array_equal(least_cost_classes(probabilities, costs) == positive, shares > threshold)


def test_the_threshold_is_the_share_of_elkan():
    costs = np.array([[0.0, 1.0], [20.0, 0.0]])  # a false alarm costs 1, a miss 20
    assert probability_threshold(costs, 1) == pytest.approx(1 / 21)
    assert probability_threshold(costs, 0) == pytest.approx(20 / 21)
    assert probability_threshold(np.array([[5.0, 1.0], [20.0, 0.0]]), 1) is None  # an error is better than being right


@sets
def test_the_mean_cost_is_that_of_the_confusion_matrix_of_scikit_learn(seed, classes):
    probabilities, costs = drawn(seed, classes)
    rng = np.random.default_rng(seed)
    gold, weights = rng.integers(classes, size=len(probabilities)), rng.integers(0, 4, (3, len(probabilities)))
    weights[:, 0] = 1
    predicted, every = probabilities.argmax(axis=1), list(range(classes))
    whole = confusion_matrix(gold, predicted, labels=every)
    assert -cost_metric(costs).score(gold, probabilities) == pytest.approx((whole * costs).sum() / whole.sum())
    resampled = cost_metric(costs).score(gold, probabilities, weights.astype(float))
    for score, weight in zip(resampled, weights, strict=True):
        part = confusion_matrix(gold, predicted, labels=every, sample_weight=weight)
        assert -score == pytest.approx((part * costs).sum() / part.sum())


def test_the_metric_knows_its_worst_score_and_the_worst_answer_to_each_class():
    metric = cost_metric(np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [20.0, 4.0, 0.0]]))
    assert (metric.least, metric.worst) == (-20.0, (2, 0, 0))
