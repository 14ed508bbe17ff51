"""Parting rows: a stratified sample, and a training and a test part that share no text."""

from __future__ import annotations

import numpy as np

from wordworth.tasks.labels import Integers, memberships
from wordworth.tasks.task import Labels, Rows

LEAST_TEST, MOST_TEST, MOST_SHARE = 200, 10_000, 0.4


def rows_to_test(rows: int, share: float) -> int:
    """How many of so many rows to test on: the share, at least 200 for an interval of use, at most 10,000.

    The training part keeps three rows in five, however few there are.
    """
    return int(min(max(round(share * rows), LEAST_TEST), MOST_TEST, MOST_SHARE * rows))


def sample(rows: Rows, strata: Integers, count: int, rng: np.random.Generator) -> Rows:
    """`count` of `rows`, each stratum by its share (within one row), in the file's order.

    `strata` int64 [all rows]; all rows come back where there are no more than `count`.
    """
    if len(rows) <= count:
        return np.sort(rows)
    mixed = rng.permutation(rows)
    return np.sort(mixed[np.argsort(strata[mixed], kind="stable")][_every(len(rows), count, rng)])


def split(
    groups: Integers, labels: Labels, strata: Integers, count: int, rng: np.random.Generator
) -> tuple[Rows, Rows]:
    """Training and test rows, about `count` of them for testing: stratified, and no group in both parts.

    A group has the stratum of its first row; groups are drawn evenly by stratum and size. Each class keeps a row in
    training: a class of one group stays there whole.
    """
    _, first, of, sizes = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    drawn = round(count * len(sizes) / len(groups))
    mixed = rng.permutation(len(sizes))
    ordered = mixed[np.lexsort((sizes[mixed], strata[first][mixed]))]
    in_test = np.zeros(len(sizes), dtype=np.bool_)
    in_test[ordered[_every(len(sizes), drawn, rng)]] = True
    _return_lone_classes(in_test, of, labels)
    return np.flatnonzero(~in_test[of]), np.flatnonzero(in_test[of])


def _every(total: int, count: int, rng: np.random.Generator) -> Integers:
    """`count` places spread evenly over `total`, from a random start."""
    return np.floor((np.arange(count) + rng.random()) * total / max(count, 1)).astype(np.int64)


def _return_lone_classes(in_test: np.ndarray, of: Integers, labels: Labels) -> None:
    """Move to training the first group of each class that has none there."""
    rows, classes = memberships(labels)
    if not len(classes):
        return
    trained = np.unique(classes[~in_test[of[rows]]])
    for missing in np.setdiff1d(classes, trained):
        in_test[of[rows[np.argmax(classes == missing)]]] = False
