"""How many labelled rows would settle whether context is worth it, and how likely."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from wordworth.studies.worth.decision_rule import Levels, Verdict
from wordworth.studies.worth.scores import GapVariance, Scores

POWER = 0.8
"""Probability of a definite answer that the number of rows stands for."""
_LEADS = 101
"""Leads that are tried between the ends of an interval."""


@dataclass(frozen=True, slots=True)
class RowsToDecide:
    """Numbers of labelled rows with which a new study would answer with probability `POWER`; infinite where none would.

    Attributes:
        as_measured: if the lead of the contextual rung is as measured.
        at_worst: if it is the one hardest to decide of those in its 50 % interval.
    """

    as_measured: float
    at_worst: float


def rows_to_decide(verdict: Verdict, scores: Scores, labels: int, rows: int) -> RowsToDecide:
    """Estimate how many labelled rows would settle a `cannot tell yet`.

    The best undecided cheap rung is decided once the standard error of its difference to the contextual rung is so
    small that the levels of the next look are reached with probability `POWER`: for a true lead L of the contextual
    rung, once it is below (margin - L) / (z_suffices + z_power) or L / (z_behind + z_power). The items' part of the
    variance shrinks with the rows, that of the added items with their square, the runs' part not at all.

    Args:
        verdict: the verdict, at `labels` labels.
        scores: every rung's scores.
        labels: the number of labels of the verdict.
        rows: number of labelled rows of the study, whose test part grows with them.
    """
    contender = verdict.cheap_contender
    if contender is None or contender.contextual_rival == contender.name:
        return RowsToDecide(math.inf, math.inf)
    pair = contender.name, contender.contextual_rival
    measured, variance = -scores.gap(*pair, labels), scores.gap_variance(*pair, labels)
    power = float(ndtri(POWER))
    quantiles = Levels.of(verdict.look + 1, len(verdict.cheap), len(verdict.contextual)).quantiles
    to_suffice, to_lead = (quantile + power for quantile in quantiles)

    def needed(true_lead: float) -> float:
        allowed = max((verdict.margin - true_lead) / to_suffice, true_lead / to_lead) ** 2 - variance.runs
        return max(float(rows), rows * _times(variance, allowed)) if allowed > 0 else math.inf

    half_width = float(ndtri(0.75)) * variance.error
    true_leads = np.linspace(measured - half_width, measured + half_width, _LEADS)
    return RowsToDecide(needed(measured), max(needed(float(true_lead)) for true_lead in true_leads))


def _times(variance: GapVariance, allowed: float) -> float:
    """Return how many times the rows bring the variance of items, and of those added, down to `allowed`."""
    root = math.sqrt(variance.items**2 + 4 * allowed * variance.added)
    return (variance.items + root) / (2 * allowed)
