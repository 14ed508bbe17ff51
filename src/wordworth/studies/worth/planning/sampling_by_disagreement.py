"""Draw the texts to label next, with higher probabilities for those on which rungs disagree.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

A text on which two rungs predict the same class adds nothing to their difference, whatever its label. Texts are
therefore drawn with probabilities in proportion to the size of what they may add, which minimises the variance of the
weighted difference (Sawade, Landwehr and Scheffer 2012, "Active comparison of prediction models", theorem 1). A share
of the texts is drawn evenly, so that no weight is large and the scores of single rungs can be estimated too. Weights
are the inverse of the probabilities, which makes every estimate unbiased (Horvitz and Thompson 1952).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats

EVEN_SHARE = 0.2
"""Share of the texts drawn evenly, by which no text weighs more than 5 times as much as if all were drawn evenly."""


@dataclass(frozen=True, slots=True)
class RungAnswers:
    """The predictions of a rung for a pool of unlabelled texts, over its runs on all labelled examples so far.

    Attributes:
        shares: float64 [texts, classes], the share of the runs that predict each class.
        probabilities: float64 [texts, classes], the mean over the runs of the probability of each class.
    """

    shares: Floats
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class Contrast:
    """A cheap and a contextual rung on whose difference in score the verdict depends.

    Attributes:
        cheap: name of the cheap rung.
        contextual: name of the contextual rung.
        absolute_difference: absolute difference of the two rungs' scores on the labels so far, on the metric's scale,
            but at least the standard error of this difference, and at least half a point. A larger difference needs
            fewer labels to be detected.
    """

    cheap: str
    contextual: str
    absolute_difference: float

    def expected_squares(self, answers: Mapping[str, RungAnswers]) -> Floats:
        """Return for each text the expected square of what it adds to the difference of the two rungs, float64 [texts].

        The square is sum_c p(c) (a_c - b_c)², where a_c and b_c are the shares of the two rungs' runs that predict
        class c. p(c) is the mean of the probabilities that both rungs give to c.
        """
        contextual, cheap = answers[self.contextual], answers[self.cheap]
        likely = (contextual.probabilities + cheap.probabilities) / 2
        return floats((likely * (contextual.shares - cheap.shares) ** 2).sum(axis=1))


def inclusion_probabilities(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers], number: int) -> Floats:
    """Return the probability with which each text of the pool is drawn, float64 [texts], with the sum `number`.

    Args:
        contrasts: the pairs of rungs; each is weighted by the inverse square of `Contrast.absolute_difference`.
        answers: name of each rung -> its predictions for the pool.
        number: number of texts to draw; if the pool has fewer, every probability is 1.
    """
    importance = np.sqrt(weighted_squares(contrasts, answers))
    texts = len(importance)
    total = float(importance.sum())
    aimed = importance / total if total else np.full(texts, 1 / texts)
    return _capped(number, EVEN_SHARE / texts + (1 - EVEN_SHARE) * aimed)


def weighted_squares(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers]) -> Floats:
    """Return how informative each text of a pool is expected to be on differences between rungs, float64 [texts].

    The value is the sum over contrasts of `Contrast.expected_squares`, each divided by the square of
    `Contrast.absolute_difference`.

    Args:
        contrasts: the pairs of rungs.
        answers: name of each rung -> its predictions for the pool.
    """
    return floats(np.sum([each.expected_squares(answers) / each.absolute_difference**2 for each in contrasts], axis=0))


def _capped(number: int, shares: Floats) -> Floats:
    """Return `shares`, float64 [texts], scaled to the sum `number` and capped at 1; the excess goes to the others."""
    if number >= len(shares):
        return np.ones(len(shares))
    certain = np.zeros(len(shares), dtype=np.bool_)
    while True:
        rest = (number - certain.sum()) / shares[~certain].sum()
        beyond = ~certain & (shares * rest >= 1)
        if not beyond.any():
            return floats(np.where(certain, 1.0, shares * rest))
        certain |= beyond


def draw(probabilities: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw texts with unequal probabilities; return their indices in a random order, int64 [drawn].

    The method is systematic sampling (Madow 1949): texts are put in a random order, and drawn in steps of 1 along their
    cumulated probabilities.

    Args:
        probabilities: float64 [texts], the probability of each text to be drawn, 0 to 1. Their sum is a whole number:
            the number of texts drawn.
        rng: source of randomness.
    """
    order = rng.permutation(len(probabilities))
    cumulated = np.cumsum(probabilities[order])
    count = round(float(cumulated[-1]))
    marks = (np.arange(count) + rng.random()) * (cumulated[-1] / count)
    return rng.permutation(order[np.searchsorted(cumulated, marks)])


def even_labels(contrast: Contrast, answers: Mapping[str, RungAnswers], probabilities: Floats) -> float:
    """Return how many texts drawn with equal probabilities are as informative as those drawn with `probabilities`.

    As informative means that the difference of the two rungs is estimated with the same variance.

    Args:
        contrast: the two rungs of the difference.
        answers: name of each rung -> its predictions for the pool.
        probabilities: float64 [texts], the probability of each text to be drawn.
    """
    squares = contrast.expected_squares(answers)
    if not squares.any():
        return float(probabilities.sum())
    return float(len(squares) * squares.sum() / (squares / probabilities).sum())
