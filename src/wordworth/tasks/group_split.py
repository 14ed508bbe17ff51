"""Split rows that come in groups (the texts of an author, of a patient), so that each group is whole in one part.

Groups differ in size and hold rows of several classes, so that assigning them to the parts in turn would give parts of
unequal size. They are assigned greedily instead, the largest first. Each group goes to the part that leaves all parts
nearest to the shares that they should have of all rows and of each stratum. scikit-learn's `StratifiedGroupKFold` does
the same, but balances the strata alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.tasks.labels import Integers
from wordworth.tasks.stratified_split import move_missing_classes_to_training
from wordworth.tasks.task import Labels, Rows


def balanced_parts(group: Integers, strata: Integers, shares: Sequence[float], rng: np.random.Generator) -> Integers:
    """Distribute rows over parts without dividing a group; return the index of each row's part in `shares`, int64 [n].

    Each part gets about its share of the rows of every stratum. If there are at least as many groups as parts, no part
    is empty.

    Args:
        group: int64 [n], the group of each row.
        strata: int64 [n], the stratum of each row.
        shares: share of the rows that each part should have; they sum to 1.
        rng: source of randomness, which orders groups of equal size.
    """
    counts, group_of = _counts(group, strata)
    sizes = counts[:, -1]
    shares_of = counts / counts.sum(axis=0)  # of all rows in each stratum, and of all rows
    held, wanted = np.zeros((len(shares), counts.shape[1])), np.array(shares)
    part_of = np.empty(len(counts), dtype=np.int64)
    mixed = rng.permutation(len(counts))
    ordered = mixed[np.argsort(-sizes[mixed], kind="stable")]
    for number, index in enumerate(ordered.tolist()):
        added = shares_of[index]
        unevenness = (2 * held @ added + added @ added) / wanted
        empty = np.flatnonzero(held[:, -1] == 0)
        if len(ordered) - number <= len(empty):
            unevenness[held[:, -1] > 0] = np.inf
        part_of[index] = part = int(np.argmin(unevenness))
        held[part] += added
    return part_of[group_of]


def hold_out_groups(
    group: Integers, labels: Labels, strata: Integers, share: float, rng: np.random.Generator
) -> tuple[Rows, Rows]:
    """Hold out about a share of the rows, and of each stratum, such that no group of rows is divided.

    Every class has at least one row that is not held out.

    Args:
        group: int64 [n], the group of each row.
        labels: the labels of the rows.
        strata: int64 [n], the stratum of each row.
        share: the approximate share of the rows to hold out.
        rng: source of randomness.

    Returns:
        (training rows, held-out rows), row indices, int64 each.
    """
    _, first, group_of = np.unique(group, return_index=True, return_inverse=True)
    held_out = balanced_parts(group, strata, [1 - share, share], rng)[first] == 1
    move_missing_classes_to_training(held_out, group_of, labels)
    return np.flatnonzero(~held_out[group_of]), np.flatnonzero(held_out[group_of])


def _counts(group: Integers, strata: Integers) -> tuple[np.ndarray, Integers]:
    """Return (number of rows of each group in each stratum, index of each row's group, int64 [n]).

    The numbers are float64 [groups, strata + 1]; the last column has each group's number of rows in all strata.
    """
    names, group_of = np.unique(group, return_inverse=True)
    kinds, stratum = np.unique(strata, return_inverse=True)
    counts = np.zeros((len(names), len(kinds) + 1))
    np.add.at(counts, (group_of, stratum), 1.0)
    counts[:, -1] = counts.sum(axis=1)
    return counts, group_of


def shuffled_groups(rows: Rows, group: Integers, rng: np.random.Generator) -> Rows:
    """Return row indices in a random order in which the rows of each group follow each other, int64 [m].

    Args:
        rows: int64 [m], indices of rows.
        group: int64 [all rows], the group of each row, also of the rows that are not in `rows`.
        rng: source of randomness.
    """
    mixed = rng.permutation(rows)
    _, number = np.unique(group[mixed], return_inverse=True)
    place_of = rng.permutation(int(number.max(initial=-1)) + 1)
    return mixed[np.argsort(place_of[number], kind="stable")]
