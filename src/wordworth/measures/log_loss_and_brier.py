"""Proper scores of predicted probabilities, whose expectation is best where the probabilities are the true ones.

Gneiting and Raftery 2007, "Strictly proper scoring rules, prediction, and estimation". Each function returns the loss
of every item, so that a mean over items, or over a thousand resamples of them, is the score.
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers, floats

LEAST_PROBABILITY = float(np.finfo(np.float64).eps)
"""Lower bound of a probability in the log loss (as in scikit-learn), so that the loss of a text is at most 36."""


def log_losses(gold: Integers, probabilities: Floats) -> Floats:
    """Return minus the natural log of the probability of each item's class, float64 [n] (scikit-learn `log_loss`).

    Args:
        gold: int64 [n], the class of each item.
        probabilities: float64 [n, classes], each row summing to 1.

    Raises:
        ValueError: a probability is not a number, or below 0 or above 1.
    """
    of_gold = _checked(probabilities)[np.arange(len(gold)), gold]
    return floats(-np.log(np.clip(of_gold, LEAST_PROBABILITY, 1.0)))


def brier_scores(gold: Integers, probabilities: Floats) -> Floats:
    """Return half the squared distance of each item's probabilities from its one-hot gold label, float64 [n].

    Brier 1950, halved: with two classes it is (probability - outcome)², and with any number it lies between 0 and 1
    (scikit-learn `brier_score_loss(scale_by_half=True)`).

    Args:
        gold: int64 [n], the class of each item.
        probabilities: float64 [n, classes], each row summing to 1.

    Raises:
        ValueError: a probability is not a number, or below 0 or above 1.
    """
    outcome = np.eye(probabilities.shape[1])[gold]
    return floats(((_checked(probabilities) - outcome) ** 2).sum(axis=1) / 2)


def _checked(probabilities: Floats) -> Floats:
    inside = (probabilities >= 0) & (probabilities <= 1)
    if not inside.all():
        raise ValueError(f"{int((~inside).sum())} of {inside.size} probabilities are not numbers from 0 to 1")
    return probabilities
