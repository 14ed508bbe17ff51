"""Concordance: whether a contextual system wins the harder items; a rank version of `gain_by_difficulty`.

Take two items on which two systems differ: one that only the contextual system gets right, one that only its rival gets
right. The concordance is how often the first of these items is the harder one by a measure of difficulty. It equals the
area under the ROC curve of this measure (Hanley and McNeil 1982): 0.5 where difficulty is unrelated to which system
wins. The concordance needs no split at the median and handles ties. Items on which both systems are right or both wrong
are left out. Therefore an advantage that is the same everywhere in log-odds has no effect, although it makes the gap in
accuracy wider on items where both systems err more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from wordworth.measures.bootstrap import Interval
from wordworth.measures.gain_by_difficulty import Resampling
from wordworth.measures.weighted_sums import Floats, floats, ratio

_DECIMALS = 6
"""Decimals of a rank's residual; smaller differences are rounding."""


@dataclass(frozen=True, slots=True)
class Concordance:
    """How often an item that the contextual system wins against its rival is harder than an item that it loses.

    A won item is one on which the contextual system's error is below the rival's error; a lost item, one on which it is
    above.

    Attributes:
        value: the share of all pairs of a won and a lost item in which the won item is the harder, averaged over runs;
            0.5 if difficulty and winning are unrelated.
        span: 95 % interval of `value`.
    """

    value: float
    span: Interval


def concordance(difficulty: Floats, rival: Floats, own: Floats, resampling: Resampling) -> Concordance | None:
    """Return how often an item that the contextual system wins is harder than an item that it loses.

    The system wins an item if its error is below the rival's error, and loses an item if its error is above. The result
    is None if the contextual system wins no item, or loses none, in one of the runs.

    Args:
        difficulty: float64 [items], the difficulty of each item, larger for harder items; items with NaN are left out.
        rival: float64 [runs, items], each item's error in [0, 1] in each run of the rival.
        own: float64 [runs, items], each item's error in [0, 1] in each run of the contextual system, paired with the
            rival's runs.
        resampling: the resampled test items and runs; its strata are not used.
    """
    items = np.flatnonzero(~np.isnan(difficulty) & (rival != own).any(axis=0))
    gain = (rival - own)[:, items]
    won, lost = np.maximum(gain, 0), np.maximum(-gain, 0)
    point = areas(difficulty[items], won, lost, np.ones((1, len(items))))[:, 0]
    if np.isnan(point).any():
        return None
    columns = items if resampling.groups is None else resampling.groups[items]
    by_draw = areas(difficulty[items], won, lost, resampling.weights[:, columns])
    return Concordance(float(point.mean()), resampling.interval(point, by_draw).within(0.0, 1.0))


def areas(difficulty: Floats, won: Floats, lost: Floats, weights: Floats) -> Floats:
    """Return the share of (won, lost) pairs of items whose won item is the harder, float64 [runs, draws].

    Pairs of equal difficulty count half.

    Args:
        difficulty: float64 [items], the difficulty of each item.
        won: float64 [runs, items], by how much the contextual system's error is below the rival's; 0 if it is not.
        lost: float64 [runs, items], by how much the contextual system's error is above the rival's; 0 if it is not.
        weights: float64 [draws, items], how often each item is in each bootstrap resample (draw).

    Returns:
        The shares; NaN if no drawn item was won, or none of the drawn items was lost.
    """
    order = np.argsort(difficulty, kind="stable")
    values = difficulty[order]
    firsts, ends = (np.searchsorted(values, values, side=side) for side in ("left", "right"))
    drawn = weights[:, order]
    runs = zip(won[:, order], lost[:, order], strict=True)
    return np.stack([_area(drawn * up, drawn * down, firsts, ends) for up, down in runs])


def _area(won: Floats, lost: Floats, firsts: np.ndarray, ends: np.ndarray) -> Floats:
    """Return the result of `areas` for one run, float64 [draws], from items sorted by difficulty.

    Args:
        won: float64 [draws, items], the item's weight in each draw times by how much the item is won.
        lost: float64 [draws, items], the item's weight in each draw times by how much the item is lost.
        firsts: int [items], the index of the first item of the same difficulty.
        ends: int [items], the index after the last item of the same difficulty.
    """
    below = np.concatenate([np.zeros((len(lost), 1)), lost.cumsum(axis=1)], axis=1)
    pairs = (won * (below[:, firsts] + below[:, ends]) / 2).sum(axis=1)
    return ratio(pairs, won.sum(axis=1) * lost.sum(axis=1), otherwise=np.nan)


def rank_residuals(measure: Floats, covariates: Floats) -> Floats:
    """Return what is left of a measure's ranks when the ranks of covariates are regressed out, float64 [items].

    The ranks left are the residuals of a least-squares fit. NaN stays NaN; all residuals are NaN if the covariates
    explain the order of the items completely.

    Args:
        measure: float64 [items], the values whose ranks are explained.
        covariates: float64 [covariates, items] without NaN, such as lengths and word frequencies.
    """
    defined = ~np.isnan(measure)
    residuals = np.full(len(measure), np.nan)
    if not defined.any():
        return residuals
    ranks = rankdata(measure[defined])
    design = np.stack([np.ones(len(ranks)), *(rankdata(covariate[defined]) for covariate in covariates)], axis=1)
    residual = np.round(ranks - design @ np.linalg.lstsq(design, ranks, rcond=None)[0], _DECIMALS)
    if residual.any():
        residuals[defined] = residual
    return floats(residuals)
