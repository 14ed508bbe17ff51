"""Which texts to label next for the verdict: those on which its rungs disagree, drawn with known probabilities.

A text on which two rungs answer alike adds nothing to their difference, whatever its label. Texts are therefore drawn
with probabilities in proportion to how much they may add, which makes the variance of the weighted difference least
(Sawade, Landwehr and Scheffer 2012, "Active comparison of prediction models", theorem 1), and a share of them evenly,
so that no weight is large and the scores themselves can be told. Weights are the inverse of these probabilities, and
keep every estimate unbiased (Horvitz and Thompson 1952).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, floats

EVEN_SHARE = 0.1
"""Share of the texts that are drawn evenly: no text weighs more than 10 times as much as one drawn evenly."""


@dataclass(frozen=True, slots=True)
class RungAnswers:
    """How a rung answers the texts of a pool, over the runs on all labels so far.

    Attributes:
        shares: float64 [texts, classes], the share of its runs that answer with each class.
        probabilities: float64 [texts, classes], the mean over the runs of the probability of each class.
    """

    shares: Floats
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two rungs whose difference matters to the verdict.

    Attributes:
        cheap: name of the rung without context.
        contextual: name of the rung with context.
        distance: how far apart they seem by the labels so far, at least the standard error of that, on the metric's
            scale: the farther apart, the fewer labels show it.
    """

    cheap: str
    contextual: str
    distance: float

    def expected_squares(self, answers: Mapping[str, RungAnswers]) -> Floats:
        """Return the expected square of what each text adds to the difference, float64 [texts].

        It is sum_c p(c) (a_c - b_c)², with a_c and b_c the share of each rung's runs that answer c, and p(c) the mean
        of the probabilities that both give to c.
        """
        contextual, cheap = answers[self.contextual], answers[self.cheap]
        likely = (contextual.probabilities + cheap.probabilities) / 2
        return floats((likely * (contextual.shares - cheap.shares) ** 2).sum(axis=1))


def inclusion_probabilities(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers], number: int) -> Floats:
    """Return the probability with which each text of the pool is drawn, float64 [texts]; they add up to `number`.

    Args:
        contrasts: the pairs of rungs; the variance of each counts by the inverse square of its distance.
        answers: rung -> its answers.
        number: how many texts are drawn, at most all of them.
    """
    squares = np.sum([contrast.expected_squares(answers) / contrast.distance**2 for contrast in contrasts], axis=0)
    importance, texts = np.sqrt(squares), len(squares)
    total = float(importance.sum())
    aimed = importance / total if total else np.full(texts, 1 / texts)
    return _capped(number, EVEN_SHARE / texts + (1 - EVEN_SHARE) * aimed)


def _capped(number: int, shares: Floats) -> Floats:
    """Return `shares` scaled to the sum `number`, with none above 1: what one would have more goes to the others."""
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
    """Return the texts drawn, each with its own probability and as many as these add up to, in a random order.

    Systematic sampling from a random order (Madow 1949): a step of 1 along the cumulated probabilities.

    Args:
        probabilities: float64 [texts], each in 0..1; their sum is a whole number.
        rng: source of randomness.
    """
    order = rng.permutation(len(probabilities))
    cumulated = np.cumsum(probabilities[order])
    count = round(float(cumulated[-1]))
    marks = (np.arange(count) + rng.random()) * (cumulated[-1] / count)
    return rng.permutation(order[np.searchsorted(cumulated, marks)])


def even_labels(contrast: Contrast, answers: Mapping[str, RungAnswers], probabilities: Floats) -> float:
    """Return how many texts drawn evenly would say as much about a difference as those drawn with `probabilities`."""
    squares = contrast.expected_squares(answers)
    if not squares.any():
        return float(probabilities.sum())
    return float(len(squares) * squares.sum() / (squares / probabilities).sum())
