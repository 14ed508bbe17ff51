"""What is learned from, what choices are made on, and what is tested on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wordworth import seeds
from wordworth.tasks.labels import strata

if TYPE_CHECKING:
    from wordworth.tasks.task import Rows, Task

_MOST_DEV = 1_000
LEAST_DEV = 20


@dataclass(frozen=True, slots=True)
class Parts:
    """Disjoint rows of a task; `dev` may be empty."""

    learned: Rows
    dev: Rows
    test: Rows


def parts(task: Task, share: float, seed: int) -> Parts:
    """The task's test part as it is, and `share` of its training part to choose on: the same rows for every run.

    The dev part has every class in its share, at most 1,000 examples, and is left out where it would have under 20.
    """
    order = seeds.child(seed, "dev").permutation(task.train)
    if task.kind not in {"choice", "span"}:
        order = order[np.argsort(strata(task.gold(order)), kind="stable")]
    count = min(_MOST_DEV, round(share * len(order)))
    if count < LEAST_DEV:
        return Parts(np.sort(order), order[:0], task.test)
    places = np.linspace(0, len(order) - 1, count).round().astype(np.int64)
    held = np.zeros(len(order), dtype=bool)
    held[places] = True
    return Parts(np.sort(order[~held]), np.sort(order[held]), task.test)
