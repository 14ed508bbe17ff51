"""The label grid: which rung learns from which labels, nested subsets on a doubling grid, the same for every rung."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.tasks.group_split import shuffled_groups
from wordworth.tasks.split import split_groups

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Rows, Task

LEAST_LABELS = 16
MOST_SIZES = 8
QUICK_SIZES = 4
TAG_SIZES = 4
DECISIVE_SEEDS = 3
"""Runs of a slow rung on all labels where the verdict hangs on it."""
_SLOW_STEP = 3
_QUICK_TAGGERS, _FEW_DRAWS = 3, 2
_MANY_SCORES = 50_000
"""Labels times classes above which a linear fit takes seconds."""
_LEAST_GROUPS = 4
"""Fewest groups of a subset, on average, where the user names groups: fewer hold no fold to choose settings by."""
MOST_TESTED = 2_500
"""Most test items of a run on fewer labels than all: more would narrow no interval that the verdict reads."""


@dataclass(frozen=True, slots=True)
class LabelGrid:
    """The numbers of labels of a study, and the subsets of each seed.

    Attributes:
        sizes: numbers of labels, smallest first, each about twice the one before; the last is every training row.
        subsets: per seed, the training rows in a random order; a subset of n labels is the first n of them.
        quick: whether the study is a quick one.
        few_runs: whether a slow rung has one run, on all labels.
        tagging: whether the task is tagging.
        classes: the number of classes that a linear model scores.
        folds: per seed, the rows that its subsets leave out; empty where the task has a test part.
        groups: int64 [rows], the group of each row, no group being in two folds; None without folds.
    """

    sizes: tuple[int, ...]
    subsets: tuple[Rows, ...]
    _: KW_ONLY
    quick: bool = False
    few_runs: bool = False
    tagging: bool = False
    classes: int = 1
    folds: tuple[Rows, ...] = ()
    groups: Rows | None = None

    @property
    def top(self) -> int:
        """The number of all labels, the largest size of the grid."""
        return self.sizes[-1]

    def rows(self, labels: int, seed: int) -> Rows:
        """Return the training rows of one subset; every larger subset of the same seed contains them."""
        return self.subsets[seed][:labels]

    def items(self, labels: int, seed: int) -> Rows | None:
        """Return the test items that a run predicts, indices into the test part; None for all of them.

        With folds, a run on all labels predicts the fold that it left out, so that the runs of all seeds together
        predict every item once. A run on fewer labels also predicts rows that it did not learn from, `MOST_TESTED` in
        all: the runs then share items, and differ by their subsets.
        """
        if self.groups is None:
            return None
        fold = self.folds[seed]
        if labels == self.top:
            return fold
        learned, rest = self.rows(labels, seed), self.subsets[seed][labels:]
        unseen = rest[~np.isin(self.groups[rest], self.groups[learned])]
        return np.sort(np.concatenate([fold, unseen[: max(0, MOST_TESTED - len(fold))]]))

    def scaled(self, share: float, *, few_runs: bool) -> LabelGrid:
        """Return about what the grid is for a share of the rows, for a forecast: its subsets stay those of all rows."""
        return replace(self, sizes=tuple(max(1, round(share * labels)) for labels in self.sizes), few_runs=few_runs)

    def runs(self, rung: Rung | None = None) -> list[tuple[int, int]]:
        """Return the (labels, seed) pairs at which a rung is fitted, the largest size first.

        Without a `rung`, the pairs of a rung whose fits are quick. A rung that takes minutes to fit, as in fine-tuning,
        has its runs where the verdict is: `DECISIVE_SEEDS` of them on all labels, the last for a rung on which the
        verdict hangs, and one at every third size below. A tagger takes seconds, so a quick study draws fewer subsets
        for it, and so does any study where many labels have many classes, below the largest size. The record says so,
        and the intervals are wider.
        """
        if rung is not None and rung.slow:
            return self._slow_runs()
        return [(labels, seed) for labels in self.sizes[::-1] for seed in range(self._draws(labels, rung))]

    def _draws(self, labels: int, rung: Rung | None) -> int:
        """Return how many subsets of `labels` a rung whose fits are quick learns from."""
        every = len(self.subsets)
        if rung is not None and rung.is_baseline:
            return every
        if self.quick and self.tagging:
            return min(every, len(self.folds) or _QUICK_TAGGERS) if labels == self.top else min(every, _FEW_DRAWS)
        return min(every, _FEW_DRAWS) if self.has_few_draws(labels) else every

    def has_few_draws(self, labels: int) -> bool:
        """Return whether there are so many classes that only a few subsets of this size are learned from."""
        return labels < self.top and labels * self.classes > _MANY_SCORES

    def _slow_runs(self) -> list[tuple[int, int]]:
        if self.few_runs:
            return [(self.top, 0)]
        decisive = [(self.top, seed) for seed in range(min(DECISIVE_SEEDS, len(self.subsets)))]
        return decisive + [(labels, 0) for labels in self.sizes[::-1][_SLOW_STEP::_SLOW_STEP]]


def doubling_sizes(labels: int, classes: int, most: int, least: int = LEAST_LABELS) -> tuple[int, ...]:
    """Return a doubling grid that ends at `labels`.

    Args:
        labels: the number of all labels.
        classes: the number of classes; no size is under twice as many.
        most: most sizes.
        least: no size is under it, nor under 16.

    >>> doubling_sizes(1000, 2, 4)
    (125, 250, 500, 1000)
    """
    least = max(least, LEAST_LABELS, 2 * classes)
    sizes = [labels]
    while len(sizes) < most and sizes[-1] // 2 >= least:
        sizes.append(sizes[-1] // 2)
    return tuple(sizes[::-1])


def label_grid(task: Task, settings: WorthSettings, *, few_runs: bool = False) -> LabelGrid:
    """Return the study's label grid for this task: its sizes, and a random order of the training rows for each seed.

    Args:
        task: the task.
        settings: the study's settings.
        few_runs: whether a slow rung has one run, on all labels; so it is in a quick study.
    """
    most = QUICK_SIZES if settings.quick else TAG_SIZES if task.type.labels_words else MOST_SIZES
    pools = [train for train, _ in task.splits] if task.folds else [task.train] * settings.seeds
    orders = tuple(_order(task, pool, seeds.child(settings.seed, "subset", seed)) for seed, pool in enumerate(pools))
    sizes = doubling_sizes(min(map(len, pools)), len(task.classes), most, _least_in_groups(task))
    groups = _fold_groups(task) if task.folds else None
    tagging = task.type.labels_words
    return LabelGrid(
        sizes,
        orders,
        quick=settings.quick,
        few_runs=few_runs or settings.quick,
        tagging=tagging,
        classes=len(task.classes),
        folds=task.folds,
        groups=groups,
    )


def _order(task: Task, pool: Rows, rng: np.random.Generator) -> Rows:
    """Return the rows of a pool in a random order, group after group where the user names groups.

    Subsets of whole groups differ as other draws of groups would, which the intervals on all labels count on.
    """
    groups = task.examples.groups
    return rng.permutation(pool) if groups is None else shuffled_groups(pool, np.array(groups), rng)


def _least_in_groups(task: Task) -> int:
    """Return the least number of labels that hold a few groups on average; 0 where the user names none."""
    groups = task.examples.groups
    return 0 if groups is None else _LEAST_GROUPS * len(groups) // len(set(groups))


def _fold_groups(task: Task) -> Rows:
    """Return the group of each row by the most important grouping that no two folds share, int64 [rows]."""
    fold_of = np.zeros(len(task.examples), dtype=np.int64)
    for number, fold in enumerate(task.folds):
        fold_of[fold] = number
    for _, group in split_groups(task.examples):
        pairs = np.unique(np.stack([group, fold_of]), axis=1)
        if pairs.shape[1] == len(np.unique(group)):
            break
    return group
