"""Draw stratified samples of rows, find groups of rows that belong together, and split rows between groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks import task_types
from wordworth.tasks.checks.duplicates import groups, plain
from wordworth.tasks.labels import Integers, memberships
from wordworth.tasks.task import Examples, Labels, Rows

LEAST_TEST, MOST_TEST, MOST_SHARE = 200, 10_000, 0.4
USUAL_SHARE = 0.25


def rows_to_test(rows: int, share: float | None = None) -> int:
    """Return the number of test rows to hold out: a share of the rows, at least 200 and at most 10,000.

    However few rows there are, at most two fifths of them are test rows.

    Args:
        rows: number of rows in all.
        share: the share; None is a quarter.
    """
    return int(min(max(round((share or USUAL_SHARE) * rows), LEAST_TEST), MOST_TEST, MOST_SHARE * rows))


def sample(rows: Rows, strata: Integers, count: int, rng: np.random.Generator) -> Rows:
    """Draw a stratified sample of rows and return their indices, ascending, int64.

    Each stratum has its share of the sample, to within one row.

    Args:
        rows: int64 [n], the indices of the rows to draw from; all are returned if there are no more than `count`.
        strata: int64 [all rows], the stratum of every row of the file.
        count: number of rows to draw.
        rng: source of randomness.
    """
    if len(rows) <= count:
        return np.sort(rows)
    mixed = rng.permutation(rows)
    return np.sort(mixed[np.argsort(strata[mixed], kind="stable")][_evenly_spaced(len(rows), count, rng)])


def stratified_group_split(
    group: Integers, labels: Labels, strata: Integers, count: int, rng: np.random.Generator
) -> tuple[Rows, Rows]:
    """Split rows into (training rows, test rows), int64 indices, by strata, such that no group of rows is divided.

    A group has the stratum of its first row. About the same share of the groups of each stratum, and of each size
    within a stratum, become test groups. The training part has every class: the only group with a class is always a
    training group.

    Args:
        group: int64 [n], the group of each row.
        labels: the labels of all rows.
        strata: int64 [n], the stratum of each row.
        count: the approximate number of test rows.
        rng: source of randomness.
    """
    group_of, sizes, ordered = _ordered_groups(group, strata, rng)
    drawn = round(count * len(sizes) / len(group))
    in_test = np.zeros(len(sizes), dtype=np.bool_)
    in_test[ordered[_evenly_spaced(len(sizes), drawn, rng)]] = True
    move_missing_classes_to_training(in_test, group_of, labels)
    return np.flatnonzero(~in_test[group_of]), np.flatnonzero(in_test[group_of])


def fold(group: Integers, strata: Integers, count: int, rng: np.random.Generator) -> tuple[Rows, ...]:
    """Divide rows, but no group, into stratified folds of about equal size; return the row indices of each fold.

    Args:
        group: int64 [n], the group of each row.
        strata: int64 [n], the stratum of each row; a group has the stratum of its first row.
        count: number of folds.
        rng: source of randomness.
    """
    group_of, sizes, ordered = _ordered_groups(group, strata, rng)
    fold_of = np.empty(len(sizes), dtype=np.int64)
    fold_of[ordered] = np.arange(len(sizes)) % count
    return tuple(np.flatnonzero(fold_of[group_of] == number) for number in range(count))


def _ordered_groups(group: Integers, strata: Integers, rng: np.random.Generator) -> tuple[Integers, Integers, Integers]:
    """Return (index of each row's group, number of rows of each group, group indices in order), int64 each.

    The order is by stratum, then by size; groups of equal stratum and size are in random order.
    """
    _, first, group_of, sizes = np.unique(group, return_index=True, return_inverse=True, return_counts=True)
    mixed = rng.permutation(len(sizes))
    return group_of, sizes, mixed[np.lexsort((sizes[mixed], strata[first][mixed]))]


def _evenly_spaced(total: int, count: int, rng: np.random.Generator) -> Integers:
    """Return `count` of the indices from 0 to `total` - 1, evenly spaced from a random start, int64, ascending."""
    return np.floor((np.arange(count) + rng.random()) * total / max(count, 1)).astype(np.int64)


def move_missing_classes_to_training(in_test: NDArray[np.bool_], group_of: Integers, labels: Labels) -> None:
    """Move groups from the test part to the training part until the training part has every class.

    For each missing class, the first group with this class is moved.

    Args:
        in_test: bool [groups], whether each group is in the test part; changed in place.
        group_of: int64 [n], the group of each row.
        labels: the labels of the rows.
    """
    rows, classes = memberships(labels)
    if not len(classes):
        return
    trained = np.unique(classes[~in_test[group_of[rows]]])
    for missing in np.setdiff1d(classes, trained):
        in_test[group_of[rows[np.argmax(classes == missing)]]] = False


def cluster_ids(kind: str, examples: Examples) -> Integers:
    """Return the index of each example's cluster, int64 [n]; the examples of a cluster are resampled together.

    A cluster is a group that the user names. If the user names no groups, a cluster is all questions on one paragraph,
    all hypotheses for one premise or all sentences of one document. If there are no such clusters, or only one, each
    example is a cluster of its own.

    Args:
        kind: the name of the kind of task.
        examples: the examples.
    """
    clusters = groups(task_types.get(kind).clusters(examples) if examples.groups is None else examples.groups)
    return clusters if len(np.unique(clusters)) > 1 else groups(range(len(examples)))


def split_groups(examples: Examples) -> tuple[tuple[str, Integers], ...]:
    """Return the groupings of examples whose groups a split must not divide, the most important grouping first.

    A grouping is (name, index of each example's group, int64 [n]). The first is by the groups that the user names; if
    the user names no groups, by document or, for pairs of texts, by first text. The last is by text: texts that are
    equal but for case and white space are a group.
    """
    texts = ("text" if examples.second is None else "pair of texts", groups(plain(examples)))
    if examples.groups is not None:
        return ("group", groups(examples.groups)), texts
    if examples.documents is not None:
        return ("document", groups(examples.documents)), texts
    if examples.second is not None:
        return ("first text", groups(plain(replace(examples, second=None)))), texts
    return (texts,)
