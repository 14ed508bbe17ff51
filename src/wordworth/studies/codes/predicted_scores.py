"""`Answers`: the scores that a system predicts for the target codes of validation and test visits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.set_overlap import jaccard
from wordworth.measures.weighted_sums import Flags, Floats

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
"""Scores above which a code may be recommended; validation visits choose one."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The scores, 0 to 1, that a system predicts for every target code of validation and test visits.

    Attributes:
        system: name of the system.
        valid: float64 [runs, validation visits, codes], the scores of validation visits.
        test: float64 [runs, test visits, codes], the scores of test visits.
        chosen: for each run, in words, what validation visits decided: the round of training whose weights are used, or
            the setting of a baseline.
    """

    system: str
    valid: Floats
    test: Floats
    chosen: tuple[str, ...]


def best_threshold(truth: Flags, scores: Floats) -> float:
    """Return the score above which codes are best recommended, by the mean Jaccard index over visits.

    The thresholds in `THRESHOLDS` are tried; of several thresholds with the highest index, the lowest is returned.

    Args:
        truth: bool [visits, codes], the codes that each visit has.
        scores: float64 [visits, codes], the predicted scores.
    """
    means = [float(jaccard(truth, scores > threshold).mean()) for threshold in THRESHOLDS]
    return THRESHOLDS[int(np.argmax(means))]
