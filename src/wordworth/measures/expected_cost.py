"""Decisions of least expected cost, where kinds of errors have different costs.

If class k of a text has the probability p[k], predicting class j has the expected cost sum over k of p[k] x costs[k,
j]; the class with the smallest such sum is the Bayes decision (Elkan 2001, "The foundations of cost-sensitive
learning", equation 1). Adding the same amount to all costs of one true class changes no decision.
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.metrics import Metric
from wordworth.measures.weighted_sums import Floats, Gold, Integers, Predicted, ratio, weighted


def least_cost_classes(probabilities: Floats, costs: Floats) -> Integers:
    """Return the class of least expected cost for each item, int64 [n]; among equal costs the first class.

    Args:
        probabilities: float64 [n, classes], each row summing to 1.
        costs: float64 [classes, classes], the cost of predicting each class (column) for each true class (row).
    """
    return np.asarray((probabilities @ costs).argmin(axis=1), dtype=np.int64)


def probability_threshold(costs: Floats, positive: int) -> float | None:
    """Return the least probability of one of two classes at which predicting this class costs no more than the other.

    The formula is equation 2 of Elkan (2001) for two classes.

    Args:
        costs: float64 [2, 2], the cost of predicting each class (column) for each true class (row).
        positive: the index of the class, 0 or 1.

    Returns:
        A number from 0 to 1; None if an error costs less than the right prediction, or neither error costs more.
    """
    negative = 1 - positive
    false_positive = float(costs[negative, positive] - costs[negative, negative])
    false_negative = float(costs[positive, negative] - costs[positive, positive])
    if min(false_positive, false_negative) < 0 or false_positive + false_negative == 0:
        return None
    return false_positive / (false_positive + false_negative)


def cost_metric(costs: Floats) -> Metric:
    """Return the metric that is minus the mean cost of the predicted classes, so that higher is better.

    The metric takes scores, float64 [n, classes]; the predicted class is the one with the highest score, or in a tie
    the first of them.

    Args:
        costs: float64 [classes, classes], the cost of predicting each class (column) for each true class (row).
    """

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        of_items = costs[np.asarray(gold), np.asarray(predicted).argmax(axis=1)]
        return ratio(-weighted(of_items, weights)[0], weights.sum(axis=1))

    worst = tuple(costs.argmax(axis=1).tolist())
    return Metric("cost", "cost", frozenset(), rule, -float(costs.max()), worst=worst)
