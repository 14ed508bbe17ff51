"""Measures of how well scores rank the items of one class before the others, whatever the scores' scale.

No measure depends on the order of the items. Equal scores count half in the area under the ROC curve and form one step
of average precision. Precision among the items with the highest scores (`precision_at`) is the expected value if items
of equal score are taken in random order.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from wordworth.measures.difficulty_concordance import areas
from wordworth.measures.weighted_sums import Flags, Floats, Integers


def area_under_roc(positive: Flags, scores: Floats) -> float:
    """Return how often a random positive item scores higher than a random other item (Hanley and McNeil 1982).

    The result is the area under the ROC curve (scikit-learn `roc_auc_score`); NaN if no item is positive, or all are.

    Args:
        positive: bool [n], whether each item is positive.
        scores: float64 [n], larger is more likely positive.
    """
    won = positive[None].astype(np.float64)
    return float(areas(scores, won, 1.0 - won, np.ones((1, len(scores))))[0, 0])


def average_precision(positive: Flags, scores: Floats) -> float:
    """Return the mean, over positive items, of the precision among the items that score at least as high.

    The curve is not interpolated (scikit-learn `average_precision_score`); NaN if no item is positive, or all are.

    Args:
        positive: bool [n], whether each item is positive.
        scores: float64 [n], larger is more likely positive.
    """
    if positive.all() or not positive.any():
        return math.nan
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    num_positive = np.cumsum(positive[order])[ends]
    return float((np.diff(num_positive, prepend=0) * num_positive / (ends + 1)).sum() / num_positive[-1])


def precision_at(positive: Flags, scores: Floats, workload: float) -> float:
    """Return the expected precision among the items with the highest scores, a share `workload` of all items.

    Args:
        positive: bool [n], whether each item is positive.
        scores: float64 [n], larger is more likely positive.
        workload: the share of items that somebody looks at, above 0 and at most 1; their number is rounded up.

    Raises:
        ValueError: there are no items, or the workload is not above 0 and at most 1.
    """
    if not len(scores) or not 0 < workload <= 1:
        raise ValueError(f"precision at a workload needs items and a share above 0, not {len(scores)} and {workload}")
    looked_at = share_count(workload, len(scores))
    last = np.sort(scores)[-looked_at]
    above, level = scores > last, scores == last
    return float((positive[above].sum() + (looked_at - above.sum()) * positive[level].mean()) / looked_at)


def share_count(share: float, items: int) -> int:
    """Return the number of items that make up a share of a whole, rounded up.

    The product is first rounded to nine decimals: 0.07 * 100 is a float above 7, but the result is 7.

    Args:
        share: the share, from 0 to 1.
        items: number of items in the whole.

    >>> share_count(0.07, 100), share_count(0.071, 100)
    (7, 8)
    """
    return math.ceil(round(share * items, 9))


def one_against_rest(measure: Callable[[Flags, Floats], float], gold: Integers, scores: Floats) -> float:
    """Return the mean over classes of a ranking measure of each class against all other classes.

    Classes for which the measure is undefined are left out; the mean is NaN if no class is left.

    Args:
        measure: function that measures one class; its arguments are whether each item is of the class, bool [n], and
            the items' scores for the class, float64 [n].
        gold: int64 [n], the class of each item.
        scores: float64 [n, classes], the score of each item for each class.
    """
    values = np.array([measure(gold == number, of_class) for number, of_class in enumerate(scores.T)])
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan
