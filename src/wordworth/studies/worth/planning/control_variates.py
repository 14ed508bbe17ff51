"""Control variates of the texts to label: the predicted effect of each text on the differences between rungs.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

Before a text of a pool is labelled, the rungs' probabilities predict how much it moves the difference of two rungs, and
in which direction. The mean of these predictions over the pool is known, and the study corrects its scores for the
distance between that mean and the mean over the drawn texts (`measures.calibrated_sampling_weights`). The predictions
need not be right: the better they are, the more error they remove.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.planning.sampling_by_disagreement import Contrast, RungAnswers, weighted_squares

_LEAST_SHARE = 1e-9
"""Columns with a smaller share of the variance are left out."""


def control_variates(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers]) -> Floats:
    """Return the control variates of each text of a pool of unlabelled texts, float64 [texts, variates].

    The most useful variates come first. Each has a mean of 0 and a variance of 1 over the pool. The first is the
    expected square of what a text adds to the rungs' differences; the others are the principal components of the
    expected differences.

    Args:
        contrasts: the pairs of rungs; each is weighted by the inverse of `Contrast.absolute_difference`.
        answers: name of each rung -> its predictions for the pool.
    """
    expected = _expected_correct(contrasts, answers)
    differences = [(expected[each.contextual] - expected[each.cheap]) / each.absolute_difference for each in contrasts]
    centred = _centred(np.stack(differences, axis=1))
    components = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    squares = weighted_squares(contrasts, answers)[:, None]
    return np.concatenate([_scaled(_centred(squares), float(np.square(squares).mean())), _scaled(components)], axis=1)


def _centred(columns: Floats) -> Floats:
    return floats(columns - columns.mean(axis=0))


def _scaled(columns: Floats, scale: float | None = None) -> Floats:
    """Return columns scaled to a variance of 1, without the columns that hardly vary, float64 [texts, columns kept].

    Args:
        columns: float64 [texts, columns], each with a mean of 0.
        scale: columns whose variance is at most `_LEAST_SHARE` of this number are left out; None for the sum of all
            variances.
    """
    variances = columns.var(axis=0)
    varies = variances > _LEAST_SHARE * (variances.sum() if scale is None else scale)
    return floats(columns[:, varies] / np.sqrt(variances[varies]))


def _expected_correct(contrasts: Sequence[Contrast], answers: Mapping[str, RungAnswers]) -> dict[str, Floats]:
    """Return name of each rung -> the probability that its predicted class of each text is right, float64 [texts].

    The probability of a class is the mean of the probabilities that all rungs in `contrasts` give to the class.
    """
    names = dict.fromkeys(name for each in contrasts for name in (each.cheap, each.contextual))
    likely = np.mean([answers[name].probabilities for name in names], axis=0)
    return {name: floats((likely * answers[name].shares).sum(axis=1)) for name in names}
