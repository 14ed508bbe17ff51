"""Join the parts of published data sets into a `Task`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.tasks import task_types
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.formats.part import Part, joined
from wordworth.tasks.task import Task


def assemble(of: DatasetSpec, train: Part, test: Part, said: str) -> Task:
    """One task that learns from one part and is measured on another.

    Questions whose answer positions are unknown are left out of the training part.

    Args:
        of: the data set, which gives kind, classes and metrics.
        train: the part to learn from.
        test: the part to test on.
        said: a sentence that names both parts, for the record.
    """
    whole = joined([train, test])
    rows = np.arange(len(train), dtype=np.int64)
    task = Task(
        name=of.name,
        kind=task_types.get(of.kind).legacy_name,
        examples=whole.examples,
        labels=whole.labels,
        classes=of.classes,
        train=rows,
        test=np.arange(len(train), len(whole), dtype=np.int64),
        metric=of.metrics[0],
        metrics=of.metrics,
        origins=whole.origins,
        warnings=(Finding("method.parts", said, {"train": len(train), "test": len(test)}), *whole.notes),
    )
    return replace(task, train=rows[task.type.learnable(train.labels)])


def check_match(of: DatasetSpec, other: DatasetSpec) -> None:
    """Refuse to learn from a data set of another task.

    Raises:
        BadInput: the kinds or the classes differ.
    """
    if of.kind != other.kind:
        what = f"{other.name} is of kind {other.kind}, {of.name} of kind {of.kind}"
        raise BadInput(what, mend="learn from a task of the same kind")
    if of.classes != other.classes:
        what = f"{other.name} has the classes {', '.join(other.classes)}, {of.name} {', '.join(of.classes)}"
        raise BadInput(what, mend="learn from a task with the same classes")
