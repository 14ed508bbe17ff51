"""Warn of a few numbers among the labels that lie far from all others, such as a code for a missing value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.records import Finding
from wordworth.sentence_formatting import some_of

if TYPE_CHECKING:
    from wordworth.tasks.reading.labelled_rows import LabelledRows
    from wordworth.tasks.task import Task

_MOST, _SHARE, _TIMES = 0.05, 0.9, 3.0
"""A few labels are at most `_MOST` of all, have at least `_SHARE` of the sum of squared distances from the median, and
each is at least `_TIMES` as far from it as any other label."""


def extreme_labels(task: Task, rows: LabelledRows) -> Iterator[Finding]:
    """Yield a warning if a few labels are so far from the others that they decide what is learned.

    Numbers are learned by squared error, in which such labels outweigh all others.

    Args:
        task: the task; other tasks than regression have no such labels.
        rows: the rows of the task's files; example i of the task is row i.
    """
    if not task.type.numeric:
        return
    values = np.asarray(task.gold(task.used), dtype=np.float64)
    few = _few_extremes(values)
    if not len(few):
        return
    others, furthest = np.delete(values, few), int(few[0])
    where = rows.name_and_line(int(task.used[furthest]))
    many = some_of(len(few), len(values), "labels is", "labels are")
    text = (
        f"{many} far from all others, which lie between {_number(others.min())} and {_number(others.max())}: "
        f"{'it is' if len(few) == 1 else 'the furthest is'} {_number(values[furthest])} ({where}). Errors are squared, "
        "so that such labels outweigh the rest: leave out those that are mistakes or stand for a missing value."
    )
    numbers = {"rows": len(few), "of": len(values), "furthest": float(values[furthest])}
    yield Finding("warning.extreme_labels", text, numbers)


def _number(value: float) -> str:
    """Return a label as text: all digits, thousands separators and a true minus sign."""
    return f"{value:,.12g}".replace("-", "−")


def _few_extremes(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the indices of the few values far from all others, furthest first; empty if there are no such values."""
    distance = np.abs(values - np.median(values))
    order = np.argsort(-distance, kind="stable")
    sorted_distance = distance[order]
    share = np.cumsum(sorted_distance**2) / max(float((distance**2).sum()), np.finfo(float).tiny)
    for count in range(1, int(_MOST * len(values)) + 1):
        next_one = sorted_distance[count]
        if share[count - 1] >= _SHARE and 0 < _TIMES * next_one <= sorted_distance[count - 1]:
            return order[:count]
    return order[:0]
