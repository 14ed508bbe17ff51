"""The split of a task into training, dev and test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.tasks.group_split import hold_out_groups
from wordworth.tasks.labels import Integers, strata
from wordworth.tasks.stratified_split import cluster_ids, stratified_group_split

if TYPE_CHECKING:
    from wordworth.tasks.task import Rows, Task

_MOST_DEV = 1_000
LEAST_DEV = 20


@dataclass(frozen=True, slots=True)
class Split:
    """The training, dev and test parts of a task, each as the indices of its rows, int64 [rows].

    The parts do not overlap; the dev part may be empty.
    """

    train: Rows
    dev: Rows
    test: Rows


def dev_split(task: Task, share: float | None, seed: int) -> Split:
    """Split a task into training, dev and test rows, the same for every run.

    The test part is the task's. The dev part is the task's own, or else a share of its training part, stratified by
    class, of at most about 1,000 examples. A dev part that would have fewer than 20 examples is left empty.

    Rows of a group that the user named always stay in one part. So do questions on a paragraph, hypotheses of a
    premise, sentences of a document and equal texts, unless such groups are too large for the dev part.

    Args:
        task: the task.
        share: the share of the training part that becomes the dev part, 0 to 1; 0 or None makes no dev part.
        seed: decides the dev part.
    """
    if task.dev is not None:
        return Split(np.sort(task.train), task.dev, task.test)
    count = min(_MOST_DEV, round((share or 0.0) * len(task.train)))
    if count < LEAST_DEV:
        return Split(np.sort(task.train), task.train[:0], task.test)
    groups = cluster_ids(task.kind, task.examples.take(task.train))
    train, dev = _draw_dev(task, groups, count, seed)
    if task.examples.groups is None and not count / 2 <= len(dev) <= 2 * count:
        train, dev = _draw_dev(task, np.arange(len(task.train)), count, seed)
    return Split(np.sort(task.train[train]), np.sort(task.train[dev]), task.test)


def _draw_dev(task: Task, groups: Integers, count: int, seed: int) -> tuple[Rows, Rows]:
    """Split a task's training part at random; return (training rows, dev rows) as indices into `task.train`.

    Args:
        task: the task.
        groups: int64 [training rows], the group of each row; a group stays in one part.
        count: approximate number of dev rows.
        seed: decides the dev rows.
    """
    labels = task.gold(task.train) if task.type.stratified else np.zeros(len(task.train), dtype=np.int64)
    if task.examples.groups is not None:
        return hold_out_groups(groups, labels, strata(labels), count / len(labels), seeds.child(seed, "dev"))
    return stratified_group_split(groups, labels, strata(labels), count, seeds.child(seed, "dev"))
