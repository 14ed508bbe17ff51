"""What is learned from, what choices are made on, and what is tested on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.tasks.labels import Integers, strata
from wordworth.tasks.reading.example_groups import group_ids
from wordworth.tasks.split import split

if TYPE_CHECKING:
    from wordworth.tasks.task import Rows, Task

_MOST_DEV = 1_000
LEAST_DEV = 20


@dataclass(frozen=True, slots=True)
class Split:
    """Disjoint rows of a task; `dev` may be empty."""

    train: Rows
    dev: Rows
    test: Rows


def parts(task: Task, share: float | None, seed: int) -> Split:
    """The task's test part as it is, and what to choose on: the same rows for every run.

    That is the task's own dev part where it has one, else `share` of its training part.

    The dev part has every class in its share, at most 1,000 examples or so, and is left out where it would have under
    20. A paragraph's questions, a premise's hypotheses, a document's sentences and equal texts stay together, unless
    they are so many that a part of that size cannot be drawn of them.
    """
    if task.dev is not None:
        return Split(np.sort(task.train), task.dev, task.test)
    count = min(_MOST_DEV, round((share or 0.0) * len(task.train)))
    if count < LEAST_DEV:
        return Split(np.sort(task.train), task.train[:0], task.test)
    together = group_ids(task.kind, task.examples.take(task.train))
    learned, dev = _parted(task, together, count, seed)
    if not count / 2 <= len(dev) <= 2 * count:
        learned, dev = _parted(task, np.arange(len(task.train)), count, seed)
    return Split(np.sort(task.train[learned]), np.sort(task.train[dev]), task.test)


def _parted(task: Task, together: Integers, count: int, seed: int) -> tuple[Rows, Rows]:
    """Places in the training part to learn from and to choose on."""
    unclassed = task.kind in {"choice", "span"}
    labels = np.zeros(len(task.train), dtype=np.int64) if unclassed else task.gold(task.train)
    return split(together, labels, strata(labels), count, seeds.child(seed, "dev"))
