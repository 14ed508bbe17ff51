"""Entity F1 of encoders on tagging tasks, run by run, and what it says of one encoder against another.

Each run learns from nine tenths of a task's training part, keeps the best of eight looks at the other tenth, and then
tags the official dev and test parts, which decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from parts import tuning
from parts.scored import Scored
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Floats
from wordworth.tasks.datasets import find_dataset_spec
from wordworth.tasks.formats.dataset_spec import assemble
from wordworth.tasks.formats.part import joined
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings

Tags: TypeAlias = tuple[NDArray[np.int64], ...]


@cache
def tagging_task(name: str) -> Task:
    """The named task; its test rows are those of the official dev part, then those of the test part."""
    chosen = find_dataset_spec(name)
    found = chosen.parts(("train", "dev", "test"))
    both = joined([found["dev"], found["test"]])
    return assemble(chosen, found["train"], both, f"{name}'s dev and test parts, one after the other.")


@cache
def rows_of(name: str, part: str) -> slice:
    """Where an official part, `dev` or `test`, stands among the test rows of `tagging_task`."""
    middle = len(find_dataset_spec(name).parts(("dev",))["dev"])
    return slice(0, middle) if part == "dev" else slice(middle, None)


def tune(settings: FinetuneSettings, name: str, seed: int, made: Path) -> None:
    """A run on the task of that name, kept in `made`."""
    tuning.tune(settings, tagging_task(name), seed, made)


def f1(results: Sequence[Result], name: str, part: str) -> Scored:
    """Entity F1 of runs on an official part; one that failed has named nothing, and counts as such."""
    task = tagging_task(name)
    weights = tuning.resampled(task, rows_of(name, part), name, part)
    rule, (gold, said) = metric("entity_f1", task.classes), _asked(results, name, part)
    return Scored(points(results, name, part), np.array([rule.score(gold, one, weights) for one in said]))


def points(results: Sequence[Result], name: str, part: str) -> Floats:
    """The same of each run alone, float64 [runs]."""
    rule, (gold, said) = metric("entity_f1", tagging_task(name).classes), _asked(results, name, part)
    return np.array([rule.score(gold, one) for one in said], dtype=np.float64)


def said_by(result: Result, task: Task) -> Tags:
    """The tags of every word of the test rows; all outside where the run failed."""
    if result.test is None:
        return cast("Tags", tuning.usual(task))
    return cast("Tags", result.test)


def _asked(results: Sequence[Result], name: str, part: str) -> tuple[Tags, list[Tags]]:
    """The right tags of an official part, and those of each run."""
    task, rows = tagging_task(name), rows_of(name, part)
    return cast("Tags", task.gold(task.test))[rows], [said_by(result, task)[rows] for result in results]
