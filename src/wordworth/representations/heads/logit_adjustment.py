"""Logit adjustment: class scores shifted by class frequency.

    adjusted score of a class = its score - tau * log(its frequency in the training labels)

See Menon et al. 2021, "Long-tail learning via logit adjustment" (equation 9). With tau = 1 all classes are equally
likely a priori, as with class weights; with tau = 0 nothing changes; tau is selected like every other setting.

The adjustment serves metrics that depend on rare classes, and regularised models under any metric: the penalty shrinks
the weights of a class but not its offset, which holds its frequency, so that frequent classes are predicted too often.
A tau between 0 and 1 corrects this: to rank classes by `(1 - tau) * log frequency + evidence` is to rank them by
`log frequency + evidence / (1 - tau)`.

In multilabel tasks each label's log-odds take the place of the log frequency. For micro F1, the log-odds of all labels
together take its place, since the optimum of micro F1 has one threshold for all labels (Lipton et al. 2014, "Optimal
thresholding of classifiers to maximize F1 measure").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import Target

NONE = (0.0,)
TAUS = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Negative values are for the F1 of a class that most items have: it rises if still more items are predicted so."""
REGULARISED_TAUS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""For a regularised linear model and a metric of all classes, such as accuracy or macro F1: from the classes' own
frequencies to equal ones."""
_EQUAL_WEIGHT_METRICS = frozenset({"accuracy", "token_accuracy", "spearman", "pearson", "r2"})
"""Metrics that weigh all items equally, for which the most likely class is the best prediction."""
_HALF_AN_ITEM = 0.5


@dataclass(frozen=True, slots=True)
class LogitAdjustment:
    """A shift of every class's score.

    Attributes:
        tau: the strength of the adjustment.
        shift: float64 [classes], subtracted from the scores.
    """

    tau: float
    shift: NDArray[np.float64]

    @classmethod
    def of(cls, target: Target, tau: float) -> LogitAdjustment:
        """Return the logit adjustment for the class frequencies of the training labels.

        Args:
            target: the training labels.
            tau: the strength of the adjustment; 0 adjusts nothing.
        """
        return cls(tau, tau * log_frequencies(target) if tau else np.zeros(1))

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return adjusted scores [rows, classes]; unchanged if tau is 0."""
        return scores - self.shift if self.tau else scores


def taus_for(target: Target) -> tuple[float, ...]:
    """Return the candidate strengths (tau) of the logit adjustment for a fine-tuned model, which has no penalty.

    If no adjustment can raise the metric, the only candidate is 0.
    """
    fixed = weighs_items_equally(target) or target.type.numeric or target.type.labels_words
    return NONE if fixed else TAUS


def regularised_taus_for(target: Target) -> tuple[float, ...]:
    """Return the candidate strengths (tau) of the logit adjustment for a regularised linear model.

    For regression and tagging the only candidate is 0.

    For the F1 of one class, and for tasks with several labels per item, the function returns what `taus_for` returns,
    since the best threshold may lie anywhere.
    """
    if target.metric.startswith("f1:") or not target.type.multiclass:
        return taus_for(target)
    return REGULARISED_TAUS


def weighs_items_equally(target: Target) -> bool:
    """Return whether the metric of a target gives every item the same weight, as accuracy does."""
    return target.metric in _EQUAL_WEIGHT_METRICS


def log_frequencies(target: Target) -> NDArray[np.float64]:
    """Return the log frequency of each class (log-odds of each label), float64 [classes].

    Half an item is added to each class, so that all are finite.
    """
    labels = np.asarray(target.labels)
    if labels.dtype == np.bool_:
        shares = (labels.sum(0) + _HALF_AN_ITEM) / (len(labels) + 2 * _HALF_AN_ITEM)
        if target.metric == "micro_f1":
            shares = np.full(len(shares), shares.mean())
        return np.asarray(np.log(shares / (1 - shares)))
    counts = np.bincount(labels, minlength=len(target.classes)) + _HALF_AN_ITEM
    return np.asarray(np.log(counts / counts.sum()))
