"""The tasks on which models of a domain are compared: two published ones of biomedical names, or the user's own."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parts import tuning
from parts.scored import Scored
from parts.tagging import rows_of, tagging_task
from parts.text_arms import task_of
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.measures.metrics import metric
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_result import Result

PUBLISHED = ("ncbi_disease", "bc5cdr")


@dataclass(frozen=True, slots=True)
class DomainTask:
    """A task and the parts of its test rows that are scored apart.

    Attributes:
        name: name in the tables.
        task: the task.
        parts: name of a part -> its slice of the test rows.
    """

    name: str
    task: Task
    parts: Mapping[str, slice]

    @property
    def measure(self) -> str:
        """The title of the task's metric."""
        return metric(self.task.metric, self.task.classes).title

    @property
    def tested(self) -> Iterator[str]:
        """The texts of the test rows, first and second ones."""
        examples = self.task.examples.take(self.task.test)
        yield from (*examples.first, *(examples.second or ()))

    def scores(self, results: Sequence[Result], part: str) -> Scored:
        """Return the metric of runs on a part; a failed run predicts what needs no learning."""
        return tuning.scored_on(results, self.task, self.parts[part], self.name, part)


def tasks_of(options: argparse.Namespace) -> dict[str, DomainTask]:
    """Return name -> task: that of the files --train and --test, or else the published ones.

    Raises:
        BadInput: one of both files is missing, or the rows cannot be used.
    """
    if (options.train is None) != (options.test is None):
        named, missing = ("--train", "--test") if options.test is None else ("--test", "--train")
        raise BadInput(f"{named} without {missing}", mend="give both files, or neither for the published tasks")
    if options.train is None:
        return {name: _published(name) for name in PUBLISHED}
    name = options.test.name.split(".")[0]
    return {name: DomainTask(name, task_of(options), {"test": slice(None)})}


def _published(name: str) -> DomainTask:
    return DomainTask(name, tagging_task(name), {part: rows_of(name, part) for part in ("dev", "test")})


def deciding_files(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a task of the user's own that decide its runs; none for the published tasks."""
    if options.train is None:
        return {}
    return {"train": sha256(options.train), "test": sha256(options.test), "metric": options.metric}
