"""The design effect: by how much grouping of the rows raises the variance of a difference between systems.

The design effect is the variance of the mean over rows of groups that are drawn whole, divided by the variance of the
mean over as many rows drawn one by one (Kish 1965, section 8.2). With the centred value d of each row, and the sum D of
these values in each group, it is

    sum of D² over groups / sum of d² over rows,

which is 1 where rows of a group are no more alike than other rows, and the group's size where they are equal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from wordworth.measures.weighted_sums import Floats

_TAIL = 0.975


def design_effect(errors: Floats, groups: NDArray[np.generic], prior_rows: float = 0.0) -> float:
    """Return the design effect of the differences between systems, pooled over all pairs of systems; at least 1.

    The design effect is the factor by which grouping the rows raises the variance of the mean (Kish 1965, section 8.2).
    If no two systems differ on any row, it cannot be estimated, and the mean size of a group is returned.

    Args:
        errors: float64 [systems, rows], the error of each system on each row.
        groups: [rows], the name of each row's group.
        prior_rows: number of further rows on which two systems differ, in groups of the mean size whose rows are
            equal. A few of them keep the estimate near the mean size while hardly any row differs.
    """
    _, member = np.unique(groups, return_inverse=True)
    differences = errors - errors.mean(axis=0)  # whose squares sum up to those of all pairs, but for a factor
    centred = differences - differences.mean(axis=1, keepdims=True)
    independent, further = float((centred**2).sum()), prior_rows / 2
    mean_size = len(member) / (int(member.max()) + 1)
    if independent + further == 0:
        return mean_size
    sums = np.stack([np.bincount(member, row) for row in centred])
    return max(1.0, (float((sums**2).sum()) + further * mean_size) / (independent + further))


def few_groups_stretch(groups: int) -> float:
    """Return the factor by which the distance of bootstrap draws from the score is multiplied where groups are few.

    The factor corrects two faults of a bootstrap over G groups (Cameron, Gelbach and Miller 2008). The variance of its
    draws is (G - 1) / G of the variance of the score. Its percentiles follow a normal distribution, where Student's t
    with G - 1 degrees of freedom would be right. The factor is exact for 95 % intervals.

    Args:
        groups: number of groups, two or more.
    """
    return float(np.sqrt(groups / (groups - 1)) * stdtrit(groups - 1, _TAIL) / ndtri(_TAIL))


def effective_groups(groups: NDArray[np.generic]) -> float:
    """Return the number of equally large groups that hold as much information as the given, unequal groups.

    The number is (sum of sizes)² / (sum of squared sizes).

    Args:
        groups: [rows], the name of each row's group.
    """
    _, sizes = np.unique(groups, return_counts=True)
    return float(sizes.sum() ** 2 / (sizes.astype(np.float64) ** 2).sum())
