"""Entity F1 of encoders on tagging tasks, run by run, and what it says of one encoder against another.

Each run learns from nine tenths of a task's training part, keeps the best of eight looks at the other tenth, and then
tags the official dev and test parts, which decide nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.intervals import Interval, crossed_interval, item_weights, run_picks
from wordworth.measures.metrics import metric
from wordworth.measures.sums import Floats
from wordworth.seeds import child
from wordworth.studies.finetune.bench import Bench
from wordworth.studies.finetune.configurations import configurations
from wordworth.studies.finetune.parts import parts
from wordworth.studies.finetune.results import Result
from wordworth.studies.finetune.settings import FinetuneSettings
from wordworth.studies.finetune.sitting import Assignment, sit
from wordworth.tasks.layouts.assembly import assemble
from wordworth.tasks.layouts.part import joined
from wordworth.tasks.named import named
from wordworth.tasks.task import Task

DRAWS = 1_000
Tags: TypeAlias = tuple[NDArray[np.int64], ...]


@dataclass(frozen=True)
class Scored:
    """A system's scores over r runs.

    Attributes:
        point: float64 [r], of each run.
        draws: float64 [r, draws], on resampled items, the same for every system of one test set.
    """

    point: Floats
    draws: Floats

    def minus(self, other: Scored) -> Scored:
        """The paired differences, run by run."""
        return Scored(self.point - other.point, self.draws - other.draws)

    @property
    def mean(self) -> float:
        """Over runs."""
        return float(self.point.mean())

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the mean, over runs and items."""
        runs = len(self.point)
        return crossed_interval(self.point, self.draws, run_picks(runs, DRAWS, child(0, "runs", runs)))


@cache
def tagging_task(name: str) -> Task:
    """The named task; its test rows are those of the official dev part, then those of the test part."""
    chosen = named(name)
    found = chosen.parts(("train", "dev", "test"))
    both = joined([found["dev"], found["test"]])
    return assemble(chosen, found["train"], both, f"{name}'s dev and test parts, one after the other.")


@cache
def rows_of(name: str, part: str) -> slice:
    """Where an official part, `dev` or `test`, stands among the test rows of `tagging_task`."""
    middle = len(named(name).parts(("dev",))["dev"])
    return slice(0, middle) if part == "dev" else slice(middle, None)


def tune(settings: FinetuneSettings, name: str, seed: int, made: Path) -> None:
    """One run, kept in `made`; taken up where it was stopped. Its weights are not kept.

    Args:
        settings: the model, and how it learns.
        name: of the task.
        seed: number of the run.
        made: the file its result goes to.
    """
    task = tagging_task(name)
    bench = Bench.open(settings, task, parts(task, settings.dev, settings.seed))
    (point,) = configurations(settings, bench.encoder.model.width, len(bench.parts.learned))
    folder = made.with_suffix(".run")
    result = sit(bench, Assignment(point, seed), folder, lambda _: None)
    replace(result, dev=None).save(made)
    shutil.rmtree(folder)


def f1(results: Sequence[Result], name: str, part: str) -> Scored:
    """Entity F1 of runs on an official part; one that failed has named nothing, and counts as such."""
    task, weights = tagging_task(name), _weights(name, part)
    rule, (gold, said) = metric("entity_f1", task.classes), _asked(results, name, part)
    return Scored(points(results, name, part), np.array([rule.score(gold, one, weights) for one in said]))


def points(results: Sequence[Result], name: str, part: str) -> Floats:
    """The same of each run alone, float64 [runs]."""
    rule, (gold, said) = metric("entity_f1", tagging_task(name).classes), _asked(results, name, part)
    return np.array([rule.score(gold, one) for one in said], dtype=np.float64)


def said_by(result: Result, task: Task) -> Tags:
    """The tags of every word of the test rows; all outside where the run failed."""
    if result.test is None:
        return tuple(np.full_like(gold, task.classes.index("O")) for gold in task.gold(task.test))
    return cast("Tags", result.test)


def _asked(results: Sequence[Result], name: str, part: str) -> tuple[Tags, list[Tags]]:
    """The right tags of an official part, and those of each run."""
    task, rows = tagging_task(name), rows_of(name, part)
    return cast("Tags", task.gold(task.test))[rows], [said_by(result, task)[rows] for result in results]


def _weights(name: str, part: str) -> Floats:
    """How often each sentence of a part is drawn, the same whoever tags it; documents are drawn whole where marked."""
    task, rows = tagging_task(name), rows_of(name, part)
    places = task.test[rows]
    documents = task.examples.documents
    marked = None if documents is None else np.array(documents)[places]
    groups = marked if marked is not None and len(np.unique(marked)) > 1 else None
    return item_weights(len(places), DRAWS, child(0, "items", name, part), groups)
