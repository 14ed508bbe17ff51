"""Prediction sets: sets of classes for each text, of which nine in ten contain the right class.

A class is in a text's set if its probability is at least 1 - t. The threshold t is a quantile of the values 1 -
(probability of the right class) of n held-out items of the training labels, the ceil(.9 (n + 1))-th smallest. This is
split conformal prediction with the scores of Sadinle, Lei and Wasserman 2019, "Least ambiguous set-valued classifiers
with bounded error levels"; it is applied to the folds of a cross-validation as in Vovk 2015, "Cross-conformal
predictors". For new texts of the same distribution as the held-out items, nine in ten sets contain the right class
however bad the probabilities are: bad probabilities only make the sets larger. The most probable class is always in the
set, so that no set is empty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.temperature_scaling import Calibration, fit_temperature

LEVEL = 0.9
"""The share of sets that should contain the right class."""


def fit_calibration(
    scores: Sequence[NDArray[np.float64]], gold: Sequence[NDArray[np.int64]], shift: Sequence[float] = ()
) -> Calibration:
    """Fit the temperature and the threshold of prediction sets on held-out items.

    Args:
        scores: for each fold float64 [items, classes], the scores as they are after `shift` was added; -inf for a class
            without items in the training part of the fold.
        gold: for each fold int64 [items], the classes.
        shift: stored as `Calibration.shift`: it is added to the scores of new items, to take back their logit
            adjustment. It is not added to `scores`.
    """
    calibration = fit_temperature(scores, gold, shift)
    if not calibration.held_out:
        return calibration
    every, classes = np.concatenate(scores), np.concatenate(gold)
    of_gold = replace(calibration, shift=()).probabilities(every)[np.arange(len(classes)), classes]
    return replace(calibration, set_threshold=conformal_quantile(1 - of_gold))


def conformal_quantile(values: NDArray[np.float64], level: float = LEVEL) -> float:
    """Return a bound for a new value: with a probability of at least `level`, the value is no larger than the bound.

    Args:
        values: float64 [n], from 0 to 1, exchangeable with the new value.
        level: the probability.

    Returns:
        The ceil(level (n + 1))-th smallest value; 1, the largest possible value, if there are too few values for this
        rank.
    """
    rank = math.ceil(round(level * (len(values) + 1), 9))
    return float(np.sort(values)[rank - 1]) if rank <= len(values) else 1.0


def prediction_sets(calibration: Calibration, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether each class is in the set of each item, bool [n, classes]; all True without a threshold.

    Args:
        calibration: the temperature and shift by which scores become probabilities, and the threshold of the sets.
        scores: float64 [n, classes].
    """
    probabilities = calibration.probabilities(scores)
    threshold = 1.0 if calibration.set_threshold is None else calibration.set_threshold
    sets = 1 - probabilities <= threshold
    sets[np.arange(len(sets)), probabilities.argmax(axis=1)] = True
    return np.asarray(sets)
