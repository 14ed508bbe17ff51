"""The label grid: which rung learns from which labels, nested subsets on a doubling grid, the same for every rung."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wordworth import seeds

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Rows, Task

LEAST_LABELS = 16
MOST_SIZES = 8
QUICK_SIZES = 4
TAG_SIZES = 4
_EXPENSIVE_SEEDS = 2
_EXPENSIVE_STEP = 3
_QUICK_TAGGERS = 3


@dataclass(frozen=True, slots=True)
class LabelGrid:
    """The numbers of labels of a study, and the subsets of each seed.

    Attributes:
        sizes: numbers of labels, smallest first, each about twice the one before; the last is every training row.
        subsets: per seed, the training rows in a random order; a subset of n labels is the first n of them.
        quick: whether the study is a quick one.
        tagging: whether the task is tagging.
    """

    sizes: tuple[int, ...]
    subsets: tuple[Rows, ...]
    quick: bool = False
    tagging: bool = False

    @property
    def top(self) -> int:
        """The number of all labels, the largest size of the grid."""
        return self.sizes[-1]

    def rows(self, labels: int, seed: int) -> Rows:
        """Return the training rows of one subset; every larger subset of the same seed contains them."""
        return self.subsets[seed][:labels]

    def runs(self, rung: Rung | None = None) -> list[tuple[int, int]]:
        """Return the (labels, seed) pairs at which a rung is fitted, the largest size first.

        Without a `rung`, the pairs of a rung whose fits are quick. A rung that takes minutes to fit, as in fine-tuning,
        is fitted at every third size and with fewer seeds. A tagger takes seconds, so a quick study draws fewer subsets
        for it. The record says so, and the intervals are wider.
        """
        if self.quick and self.tagging and not (rung and (rung.is_baseline or rung.slow)):
            draws = {labels: _QUICK_TAGGERS if labels == self.top else _EXPENSIVE_SEEDS for labels in self.sizes}
            return [
                (labels, seed) for labels in self.sizes[::-1] for seed in range(min(draws[labels], len(self.subsets)))
            ]
        slow = rung is not None and rung.slow
        sizes = self.sizes[::-1][:: _EXPENSIVE_STEP if slow else 1]
        count = len(self.subsets)
        if slow:
            sizes, count = (sizes[:1], 1) if self.quick else (sizes, min(count, _EXPENSIVE_SEEDS))
        return [(labels, seed) for labels in sizes for seed in range(count)]


def doubling_sizes(labels: int, classes: int, most: int) -> tuple[int, ...]:
    """Return a doubling grid that ends at `labels`: at most `most` sizes, none under 16 or twice `classes`.

    >>> doubling_sizes(1000, 2, 4)
    (125, 250, 500, 1000)
    """
    least = max(LEAST_LABELS, 2 * classes)
    sizes = [labels]
    while len(sizes) < most and sizes[-1] // 2 >= least:
        sizes.append(sizes[-1] // 2)
    return tuple(sizes[::-1])


def label_grid(task: Task, settings: WorthSettings) -> LabelGrid:
    """Return the study's label grid for this task: its sizes, and a random order of the training rows for each seed."""
    most = QUICK_SIZES if settings.quick else TAG_SIZES if task.type.labels_words else MOST_SIZES
    orders = tuple(seeds.child(settings.seed, "subset", seed).permutation(task.train) for seed in range(settings.seeds))
    sizes = doubling_sizes(len(task.train), len(task.classes), most)
    return LabelGrid(sizes, orders, settings.quick, task.type.labels_words)
