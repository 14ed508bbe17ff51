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

import numpy as np

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
from wordworth.tasks.task import Rows, Task

DRAWS = 1_000


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
    task, rows = tagging_task(name), rows_of(name, part)
    gold, weights = task.gold(task.test)[rows], _weights(name, part)
    rule = metric("entity_f1", task.classes)
    said = [said_by(result, task, task.test)[rows] for result in results]
    point = np.array([rule.score(gold, one) for one in said])  # type: ignore[arg-type]  # tags, as the kind has it
    return Scored(point, np.array([rule.score(gold, one, weights) for one in said]))  # type: ignore[arg-type]  # likewise


def said_by(result: Result, task: Task, rows: Rows) -> tuple[np.ndarray, ...]:
    """The tags of every word; all outside where the run failed."""
    if result.test is None:
        outside = task.classes.index("O")
        return tuple(np.full_like(gold, outside) for gold in task.gold(rows))
    return tuple(result.test)  # type: ignore[arg-type]  # tags


def _weights(name: str, part: str) -> Floats:
    """How often each sentence of a part is drawn, the same whoever tags it; documents are drawn whole where marked."""
    task, rows = tagging_task(name), rows_of(name, part)
    places = task.test[rows]
    documents = task.examples.documents
    marked = None if documents is None else np.array(documents)[places]
    groups = marked if marked is not None and len(np.unique(marked)) > 1 else None
    return item_weights(len(places), DRAWS, child(0, "items", name, part), groups)
