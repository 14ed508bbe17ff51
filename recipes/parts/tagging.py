"""Entity F1 of encoders on tagging tasks, run by run, and what it says of one encoder against another.

Each run learns from nine tenths of a task's training part, keeps the best of eight evaluations on the other tenth, and
then tags the official dev and test parts, which decide nothing.
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
from wordworth.tasks.formats.dataset_part import joined
from wordworth.tasks.formats.dataset_spec import assemble
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings

Tags: TypeAlias = tuple[NDArray[np.int64], ...]


@cache
def tagging_task(name: str) -> Task:
    """Return the named task; its test rows are those of the official dev part, then those of the test part."""
    chosen = find_dataset_spec(name)
    parts = chosen.parts(("train", "dev", "test"))
    both = joined([parts["dev"], parts["test"]])
    return assemble(chosen, parts["train"], both, f"{name}'s dev and test parts, one after the other.")


@cache
def rows_of(name: str, part: str) -> slice:
    """Return the slice of an official part, `dev` or `test`, among the test rows of `tagging_task`."""
    middle = len(find_dataset_spec(name).parts(("dev",))["dev"])
    return slice(0, middle) if part == "dev" else slice(middle, None)


def tune(settings: FinetuneSettings, name: str, seed: int, made: Path) -> None:
    """Fine-tune on the task of that name and write the result to `made`.

    Args:
        settings: the model, and how it learns.
        name: of the task.
        seed: number of the run.
        made: the file of the result.
    """
    tuning.tune(settings, tagging_task(name), seed, made)


def f1(results: Sequence[Result], name: str, part: str) -> Scored:
    """Return the entity F1 of runs on an official part; a failed run counts as one that found no entity."""
    return tuning.scored_on(results, tagging_task(name), rows_of(name, part), name, part)


def points(results: Sequence[Result], name: str, part: str) -> Floats:
    """Return the entity F1 of each run, float64 [runs]."""
    rule, (gold, predictions) = (
        metric("entity_f1", tagging_task(name).classes),
        _gold_and_predictions(results, name, part),
    )
    return np.array([rule.score(gold, tags) for tags in predictions], dtype=np.float64)


def tags_of(result: Result, task: Task) -> Tags:
    """Return the tags of every word of the test rows; all `O` if the run failed."""
    if result.test is None:
        return cast("Tags", tuning.usual(task))
    return cast("Tags", result.test)


def _gold_and_predictions(results: Sequence[Result], name: str, part: str) -> tuple[Tags, list[Tags]]:
    """Return the gold tags of an official part, and those of each run."""
    task, rows = tagging_task(name), rows_of(name, part)
    return cast("Tags", task.gold(task.test))[rows], [tags_of(result, task)[rows] for result in results]
