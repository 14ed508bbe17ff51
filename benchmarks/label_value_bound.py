"""The most that a label is worth where texts may be chosen: bounds on what any sampling design can reach.

One text adds d to the difference of two rungs: 1, 0 or -1 (the mean over their runs). The mean of n texts drawn evenly
has the variance var(d) / n; the ratio of it to that of another design at as many labels is what one of its labels is
worth. Two designs bound the others, for an estimate that is unbiased whatever the labels are:

* known: |d| is known of each text before its label is, the sign of d is not. Texts are drawn in proportion to |d|,
  which makes the variance ((E|d|)² - (E d)²) / n least (Sawade, Landwehr and Scheffer 2012, theorem 1). With two
  classes and rungs whose runs agree, the rungs' answers tell |d|.
* learned: the sign is foreseen too, as well as the rungs' probabilities foretell it: those of a logistic regression on
  them, which learned from the labels of four fifths of all texts, many times those that a user has. With m = E d and
  v = var(d) by it, texts are drawn in proportion to the root of v, and the difference estimate (Cassel, Särndal and
  Wretman 1976) has the variance E (d - m)² / p / n. A design that learns from the labels at hand falls short of it.

A finite pool of N texts adds var(m) / N, with m the part of d that is foreseen: the pool is itself drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

from wordworth.measures.weighted_sums import Floats, floats

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from wordworth.studies.worth.planning.sampling_by_disagreement import Contrast, RungAnswers

_EVEN_SHARE = 0.02
"""Share of the texts that the learned design draws evenly, as a text that it takes to be certain may not be."""
_LEAST_PROBABILITY = 1e-4


def bounds(
    contrast: Contrast, adds: Floats, answers: Mapping[str, RungAnswers], gold: NDArray[np.int64], share: float
) -> dict[str, float]:
    """Return what a chosen label is worth at most, in labels drawn evenly, with a pool without end and a finite one.

    Args:
        contrast: the pair of rungs.
        adds: float64 [texts], d of each text.
        answers: rung -> its answers.
        gold: int64 [texts], the true classes.
        share: the share of a finite pool that is labelled.
    """
    even, size, gap = float(adds.var()), float(np.abs(adds).mean()), float(adds.mean())
    known, explained = size**2 - gap**2, gap**2 / size - gap**2
    learned, foreseen = _learned_design(contrast, adds, answers, gold)
    return {
        "known": even / known,
        "known, finite pool": even / (known + share * explained),
        "learned": even / learned,
        "learned, finite pool": even / (learned + share * foreseen),
    }


def _learned_design(
    contrast: Contrast, adds: Floats, answers: Mapping[str, RungAnswers], gold: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the variance of the learned design, times the number of labels, and that of what it foresees."""
    likely = _learned_probabilities(answers, gold)
    moved = answers[contrast.contextual].shares - answers[contrast.cheap].shares
    foreseen, squares = (likely * moved).sum(axis=1), (likely * moved**2).sum(axis=1)
    root = np.sqrt(np.maximum(squares - foreseen**2, 0.0))
    drawn = _EVEN_SHARE + (1 - _EVEN_SHARE) * root / root.mean()
    return float(((adds - foreseen) ** 2 / drawn).mean()), float(foreseen.var())


def _learned_probabilities(answers: Mapping[str, RungAnswers], gold: NDArray[np.int64]) -> Floats:
    """Return the probability of each class by a regression on all rungs' answers, float64 [texts, classes]."""
    logs = [np.log(np.maximum(each.probabilities, _LEAST_PROBABILITY)) for each in answers.values()]
    features = np.hstack([*logs, *(each.shares for each in answers.values())])
    model, parts = LogisticRegression(C=0.1, max_iter=1_000), KFold(5, shuffle=True, random_state=0)
    predicted = cross_val_predict(model, features, gold, cv=parts, method="predict_proba")
    likely = np.zeros((len(gold), next(iter(answers.values())).shares.shape[1]))
    likely[:, np.unique(gold)] = predicted
    return floats(likely)
