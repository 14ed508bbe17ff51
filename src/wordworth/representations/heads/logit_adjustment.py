"""Logit adjustment: scores shifted by how common each class is, where the metric cares for rare ones.

    adjusted score of a class = its score - tau * log(its share of the training labels)

Menon et al. 2021, "Long-tail learning via logit adjustment" (equation 9), tau chosen like every other setting. With
tau = 1 all classes are equally likely beforehand, as class weights make them; with tau = 0 nothing is changed. Of many
labels each has its own log-odds for the logarithm of a share; for micro F1, which one threshold for all labels makes
best (Lipton et al. 2014, "Optimal thresholding of classifiers to maximize F1 measure"), the log-odds of all together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import Target

NONE = (0.0,)
TAUS = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Below 0 for the F1 of a class that most items have: it gains where still more items are given it."""
_ALIKE = frozenset({"accuracy", "token_accuracy", "spearman", "pearson", "r2"})
"""Metrics that weigh every item alike: the likeliest class is the best answer."""
_HALF_AN_ITEM = 0.5


@dataclass(frozen=True, slots=True)
class LogitAdjustment:
    """A shift of every class's score.

    Attributes:
        tau: as it was chosen.
        shift: float64 [classes], taken from the scores.
    """

    tau: float
    shift: NDArray[np.float64]

    @classmethod
    def of(cls, target: Target, tau: float) -> LogitAdjustment:
        """The adjustment by the shares of a target's classes; none of them is needed where tau is 0."""
        return cls(tau, tau * log_shares(target) if tau else np.zeros(1))

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores [rows, classes] adjusted; the same where tau is 0."""
        return scores - self.shift if self.tau else scores


def taus_for(target: Target) -> tuple[float, ...]:
    """The values of tau to choose among: 0 alone where no adjustment can gain."""
    return NONE if target.metric in _ALIKE or target.kind in {"regression", "tags"} else TAUS


def log_shares(target: Target) -> NDArray[np.float64]:
    """float64 [classes], what tau is multiplied by; half an item more of each class, so that every one is finite."""
    labels = np.asarray(target.labels)
    if target.kind == "multilabel":
        shares = (labels.sum(0) + _HALF_AN_ITEM) / (len(labels) + 2 * _HALF_AN_ITEM)
        if target.metric == "micro_f1":
            shares = np.full(len(shares), shares.mean())
        return np.asarray(np.log(shares / (1 - shares)))
    counts = np.bincount(labels, minlength=len(target.classes)) + _HALF_AN_ITEM
    return np.asarray(np.log(counts / counts.sum()))
