"""How many labelled rows would settle whether context is worth it, and how likely."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from wordworth.studies.worth.decision_rule import Levels, Verdict
from wordworth.studies.worth.scores import Scores

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
    error shrinks with the root of the rows, the runs' part does not.

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
    measured, error = -scores.gap(*pair, labels), scores.gap_error(*pair, labels)
    point, by_draw = scores.differences(*pair, labels)
    items = float(by_draw.mean(axis=0).var())
    runs = max(0.0, min(error**2 - items, float(point.var(ddof=1)) / len(point) if len(point) > 1 else math.inf))
    power = float(ndtri(POWER))
    quantiles = Levels.of(verdict.look + 1, len(verdict.cheap), len(verdict.contextual)).quantiles
    to_suffice, to_lead = (quantile + power for quantile in quantiles)

    def needed(true_lead: float) -> float:
        allowed = max((verdict.margin - true_lead) / to_suffice, true_lead / to_lead) ** 2 - runs
        return max(float(rows), rows * items / allowed) if allowed > 0 else math.inf

    half_width = float(ndtri(0.75)) * error
    true_leads = np.linspace(measured - half_width, measured + half_width, _LEADS)
    return RowsToDecide(needed(measured), max(needed(float(true_lead)) for true_lead in true_leads))
