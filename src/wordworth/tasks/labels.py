"""Labels as read from label columns, and operations on them: order of class names, rows with their classes, strata."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks.examples import Labels, Rows

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of all rows of a file, the names of their classes, and a phrase that says how they were read.

    Labels have the form of `Task.labels`.
    """

    labels: Labels
    classes: tuple[str, ...]
    description: str


def in_order(names: set[str]) -> tuple[str, ...]:
    """Return class names in order: numbers by size, then names alphabetically.

    >>> in_order({"10", "9", "b", "a"})
    ('9', '10', 'a', 'b')
    """

    def key(name: str) -> tuple[bool, float, str]:
        try:
            return False, float(name), name
        except ValueError:
            return True, 0.0, name

    return tuple(sorted(names, key=key))


def take(labels: Labels, rows: Rows) -> Labels:
    """Return the labels of some rows, in the order of `rows`.

    Args:
        labels: the labels of all rows, in the shape that `Task.labels` describes.
        rows: int64 [n], indices of rows.
    """
    return tuple(labels[row] for row in rows) if isinstance(labels, tuple) else labels[rows]


def occurrences(labels: Labels) -> tuple[Integers, Integers]:
    """Return (row indices, class indices), int64 [occurrences] each, of every occurrence of a class in a row.

    In tagging every word is an occurrence of its tag, so that a class may occur several times in a row. In regression
    there are no occurrences. In every other task each class that a row has occurs once in the row.

    Args:
        labels: the labels of all rows, in the shape that `Task.labels` describes.
    """
    if isinstance(labels, tuple):
        return np.repeat(np.arange(len(labels)), [len(tags) for tags in labels]), np.concatenate(labels)
    return memberships(labels)


def memberships(labels: Labels) -> tuple[Integers, Integers]:
    """Return (row indices, class indices), int64 [pairs] each, of every pair of a row and a class that the row has.

    In tagging, a class that several words of a sentence have gives one pair; in regression there are no pairs.
    """
    if isinstance(labels, tuple):
        pairs = np.unique(np.stack(occurrences(labels), axis=1), axis=0)
        return pairs[:, 0], pairs[:, 1]
    if labels.dtype == np.bool_:
        pairs = np.argwhere(labels)
        return pairs[:, 0], pairs[:, 1]
    if np.issubdtype(labels.dtype, np.floating):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.arange(len(labels)), labels


def strata(labels: Labels, bins: int = 10) -> Integers:
    """Return the stratum of each row for stratified splits, int64 [n]; rows with equal numbers are in one stratum.

    The stratum of a row is its class; of several classes (multilabel, tagging) it is the rarest. In regression the
    values are divided into quantile bins, and the stratum is the bin of the row's value.

    Args:
        labels: the labels of the rows.
        bins: number of quantile bins in regression.
    """
    if not isinstance(labels, tuple) and np.issubdtype(labels.dtype, np.floating):
        edges = np.quantile(labels, np.linspace(0, 1, bins + 1)[1:-1])
        return np.searchsorted(edges, labels).astype(np.int64)
    rows, classes = memberships(labels)
    counts = np.bincount(classes)
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    rarest = np.full(len(labels), len(counts), dtype=np.int64)
    np.minimum.at(rarest, rows, rank[classes])
    return rarest
