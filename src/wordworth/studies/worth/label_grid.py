"""The label grid: nested random subsets of the labelled examples, of doubling sizes, from which every rung learns.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A run is one rung fitted on one subset of the labelled examples.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.tasks.group_split import shuffled_groups
from wordworth.tasks.stratified_split import split_groups

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Rows, Task

LEAST_LABELS = 16
MOST_SIZES = 8
QUICK_SIZES = 4
TAG_SIZES = 4
DECISIVE_SEEDS = 3
"""Number of runs on all labelled examples of a slow rung on which the verdict depends."""
_SLOW_STEP = 3
_QUICK_TAGGERS, _FEW_SUBSETS = 3, 2
_MANY_SCORES = 50_000
"""Labels times classes above which a linear fit takes seconds."""
_LEAST_GROUPS = 4
"""Fewest groups of a subset, on average, where the user names groups: fewer cannot be divided into folds for tuning."""
MOST_TESTED = 2_500
"""Most test items of a run on a smaller subset than all labels: more would not narrow the verdict's intervals."""


@dataclass(frozen=True, slots=True)
class LabelGrid:
    """The numbers of labelled examples from which rungs learn, and for each seed nested subsets of the training rows.

    Attributes:
        sizes: numbers of labelled examples, smallest first, each about twice the one before; the last is the number of
            all training rows.
        subsets: for each seed int64 [n], the indices of the training rows in a random order; a subset of k labels is
            the first k of them.
        quick: whether the user asks for a quick study (`--quick`).
        few_runs: whether a slow rung has only one run, which is on all labelled examples.
        tagging: whether the task is tagging.
        classes: the number of classes that a linear model scores.
        folds: for each seed int64 [n], the indices of the rows of the fold that the subsets of this seed leave out;
            empty if the task has a test part.
        groups: int64 [rows], the group of each row of the task, every group lying in one fold; None without folds.
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
        """The number of all labelled examples, the largest size of the grid."""
        return self.sizes[-1]

    def rows(self, labels: int, seed: int) -> Rows:
        """Return the indices of the training rows of one subset of the labelled examples.

        Every larger subset of the same seed contains these rows.

        Args:
            labels: number of labelled examples in the subset.
            seed: seed of the subset.
        """
        return self.subsets[seed][:labels]

    def items(self, labels: int, seed: int) -> Rows | None:
        """Return the test items that a run predicts, as indices into the test part; None stands for all test items.

        With folds, every row is a test item. A run on all labelled examples predicts the fold that it did not learn
        from, so that the runs of all seeds together predict every item once. A run on fewer labelled examples predicts
        that fold and further rows, up to `MOST_TESTED` items in all, so that runs of several seeds share test items. A
        further row is never of a group (rows that stay in one part, such as an author's) from which the run learned.

        Args:
            labels: number of labelled examples of the run.
            seed: seed of the run's subset.
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
        """Return an approximation of the grid that a study of a share of the rows has, to forecast that study's time.

        Only the sizes are scaled; the subsets are still of all rows.

        Args:
            share: the share of the rows, above 0 and at most 1.
            few_runs: whether a slow rung has only one run, which is on all labelled examples.
        """
        return replace(self, sizes=tuple(max(1, round(share * labels)) for labels in self.sizes), few_runs=few_runs)

    def runs(self, rung: Rung | None = None) -> list[tuple[int, int]]:
        """Return the subsets of the labelled examples on which a rung is fitted, each as (number of examples, seed).

        A rung whose fits are quick learns from the subset of every seed at every size, the largest size first. There
        are three exceptions, which make intervals wider and which the record states:

        * a slow rung (fine-tuning takes minutes a fit) has `DECISIVE_SEEDS` runs on all labelled examples, the last of
          which `run_ladder` skips if the verdict does not depend on the rung, and one run at every third size below;
        * a tagging head, which takes seconds a fit, has fewer seeds in a quick study;
        * rungs have fewer seeds at the smaller sizes if many labels have many classes (`has_few_subsets`).

        Args:
            rung: the rung; None stands for any rung whose fits are quick.
        """
        if rung is not None and rung.slow:
            return self._slow_runs()
        return [(labels, seed) for labels in self.sizes[::-1] for seed in range(self._draws(labels, rung))]

    def _draws(self, labels: int, rung: Rung | None) -> int:
        """Return from how many subsets of `labels` labelled examples a rung with quick fits learns.

        Args:
            labels: number of labelled examples.
            rung: the rung; None stands for any rung with quick fits.
        """
        every = len(self.subsets)
        if rung is not None and rung.is_baseline:
            return every
        if self.quick and self.tagging:
            return min(every, len(self.folds) or _QUICK_TAGGERS) if labels == self.top else min(every, _FEW_SUBSETS)
        return min(every, _FEW_SUBSETS) if self.has_few_subsets(labels) else every

    def has_few_subsets(self, labels: int) -> bool:
        """Return True if rungs learn from only a few subsets of `labels` labelled examples.

        Few subsets are used for fewer than all labels if `labels` times the number of classes exceeds `_MANY_SCORES`.
        """
        return labels < self.top and labels * self.classes > _MANY_SCORES

    def _slow_runs(self) -> list[tuple[int, int]]:
        if self.few_runs:
            return [(self.top, 0)]
        decisive = [(self.top, seed) for seed in range(min(DECISIVE_SEEDS, len(self.subsets)))]
        return decisive + [(labels, 0) for labels in self.sizes[::-1][_SLOW_STEP::_SLOW_STEP]]


def doubling_sizes(labels: int, classes: int, most: int, least: int = LEAST_LABELS) -> tuple[int, ...]:
    """Return numbers of labelled examples, each about twice the one before, that end at `labels`.

    Args:
        labels: the number of all labelled examples, always the last size.
        classes: the number of classes; all sizes but the last are at least twice this number.
        most: the largest number of sizes.
        least: the smallest size allowed, except for the last; it is raised to 16 if lower.

    >>> doubling_sizes(1000, 2, 4)
    (125, 250, 500, 1000)
    """
    least = max(least, LEAST_LABELS, 2 * classes)
    sizes = [labels]
    while len(sizes) < most and sizes[-1] // 2 >= least:
        sizes.append(sizes[-1] // 2)
    return tuple(sizes[::-1])


def label_grid(task: Task, settings: WorthSettings, *, few_runs: bool = False) -> LabelGrid:
    """Return the label grid of a study: sizes of subsets, and a random order of the training rows for each seed.

    Args:
        task: the task.
        settings: the study's settings.
        few_runs: whether a slow rung has only one run, which is on all labelled examples; always so in a quick study.
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
    """Return the rows `pool` in a random order, all rows of a group together if the user names groups.

    Subsets then consist of whole groups, and differ from each other as new groups would; the intervals of scores on all
    labelled examples assume this.
    """
    groups = task.examples.groups
    return rng.permutation(pool) if groups is None else shuffled_groups(pool, np.array(groups), rng)


def _least_in_groups(task: Task) -> int:
    """Return the number of labelled examples in `_LEAST_GROUPS` groups of mean size; 0 if the user names no groups."""
    groups = task.examples.groups
    return 0 if groups is None else _LEAST_GROUPS * len(groups) // len(set(groups))


def _fold_groups(task: Task) -> Rows:
    """Return each row's group, int64 [rows]: the first grouping of `split_groups` in which no group is in two folds."""
    fold_of = np.zeros(len(task.examples), dtype=np.int64)
    for number, fold in enumerate(task.folds):
        fold_of[fold] = number
    for _, group in split_groups(task.examples):
        pairs = np.unique(np.stack([group, fold_of]), axis=1)
        if pairs.shape[1] == len(np.unique(group)):
            break
    return group
