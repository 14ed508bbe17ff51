"""`Answers`: the scores that a system gives the targets of held-out visits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.set_overlap import jaccard
from wordworth.measures.weighted_sums import Flags, Floats

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
"""Scores above which a code may be recommended; validation visits choose one."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The scores of a system.

    Attributes:
        system: its name.
        valid: float64 [runs, validation visits, codes].
        test: float64 [runs, test visits, codes].
        chosen: what validation visits chose in each run.
    """

    system: str
    valid: Floats
    test: Floats
    chosen: tuple[str, ...]


def best_threshold(truth: Flags, scores: Floats) -> float:
    """Return the threshold with the highest mean Jaccard; the lowest of equals.

    Args:
        truth: bool [visits, codes].
        scores: float64 [visits, codes].
    """
    means = [float(jaccard(truth, scores > threshold).mean()) for threshold in THRESHOLDS]
    return THRESHOLDS[int(np.argmax(means))]
