"""Read a user's own file of questions whose answers are spans of a text, or options to choose from, as a `Task`.

The files have the layouts of published data sets, or are tables with the same columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.settings_validation import flag_of
from wordworth.tasks import task_types
from wordworth.tasks.check_metric import require_metric
from wordworth.tasks.checks.duplicates import groups
from wordworth.tasks.formats.dataset_part import Part, joined
from wordworth.tasks.reading.settings import LEAST_ROWS, ReadSettings, part_to_test
from wordworth.tasks.reading.split import SharedWording, dev_shared, shared_with_train_warning
from wordworth.tasks.stratified_split import rows_to_test, sample, stratified_group_split
from wordworth.tasks.task import Rows, Task
from wordworth.tasks.task_types import TaskType
from wordworth.text.read_compressed_file import read_raw


def read_own_questions(path: Path | str, kind: str, settings: ReadSettings, dev: str | None = None) -> Task:
    """Read a file of questions as a task; without a test file, training and test part share no context.

    Args:
        path: the file.
        kind: the name of a kind of task whose examples are questions; its `TaskType` reads the file.
        settings: the columns, the test part, the metric and the seed.
        dev: a separate file for model selection.

    Raises:
        BadInput: the file or its rows cannot be used; the error says what is wrong, where, and how to mend it.
    """
    task_type = task_types.get(kind)
    _refuse(task_type, settings)
    test_file, share = part_to_test(settings)
    files = [read_raw(file) for file in (path, test_file, dev) if file is not None]
    named = {name: getattr(settings, name) for name in ("text", "text_b", "label")}
    parts = [task_type.read_part(stored, named) for stored in files]
    whole, first = joined(parts), len(parts[0])
    _check_size(whole, path)
    labelled_count = len(whole) - (len(parts[-1]) if dev else 0)
    rows = _sample(labelled_count, settings)
    train, test = (
        (rows[rows < first], rows[rows >= first]) if test_file else _split(whole, task_type, rows, share, settings)
    )
    split = Finding("method.split", f"{len(train):,} questions for training and {len(test):,} for testing.")
    shared = _shared_contexts(whole, task_type, train, test) if test_file else ()
    task = Task(
        name=Path(path).name,
        kind=task_type.name,
        examples=whole.examples,
        labels=whole.labels,
        classes=(),
        train=train[task_type.learnable(whole.labels)[train]],
        test=test,
        metric=task_type.metrics[0],
        origins=whole.origins,
        dev=np.arange(labelled_count, len(whole)) if dev else None,
        warnings=(split, *shared, *whole.notes),
    )
    task = replace(task, warnings=(*task.warnings, *dev_shared(task)))
    if not (len(task.train) and len(test)):
        mend = "add questions on other texts, or choose another --test"
        raise BadInput("no questions are left for training or for testing", where=str(path), mend=mend)
    if settings.metric is None:
        return task
    require_metric(settings.metric, task.type, task.classes, task.origins[0].path)
    return replace(task, metric=settings.metric)


def _refuse(task_type: TaskType, settings: ReadSettings) -> None:
    for name in ("group", "time"):
        if getattr(settings, name) is not None:
            what = f"questions of kind {task_type.name} are split by their texts alone"
            raise BadInput(what, where=f"--{name}", mend="leave it out")
    for name in ("text", "text_b", "label", "second_label", "format"):
        if name not in task_type.renamable and getattr(settings, name) is not None:
            columns = f"the columns must be named {task_type.file_columns}"
            mend = f"leave it out; {columns}, and the file's suffix decides the format"
            what = f"a file of kind {task_type.name} does not take this option"
            raise BadInput(what, where=flag_of(name), mend=mend)


def _check_size(whole: Part, path: Path | str) -> None:
    if len(whole) < LEAST_ROWS:
        what = f"{count_of(len(whole), 'question is', 'questions are')} too few for training and testing"
        raise BadInput(what, where=str(path), mend=f"give {LEAST_ROWS} or more; some hundreds are better")


def _sample(count: int, settings: ReadSettings) -> Rows:
    """Draw at most `settings.limit` of `count` rows at random, and return their indices, int64, ascending."""
    one_stratum = np.zeros(count, np.int64)
    return sample(np.arange(count), one_stratum, settings.limit or count, seeds.child(settings.seed, "sample"))


def _split(
    whole: Part, task_type: TaskType, rows: Rows, share: float | None, settings: ReadSettings
) -> tuple[Rows, Rows]:
    """Split rows into (training rows, test rows), row indices, such that no context has rows in both.

    Args:
        whole: all examples of the file.
        task_type: the kind of task.
        rows: int64 [n], the indices of the rows to split.
        share: the share of test rows; None is the usual share.
        settings: the settings of reading, which give the seed and the usual share.
    """
    contexts = task_type.clusters(whole.examples)
    count = round(share * len(rows)) if share else rows_to_test(len(rows), settings.test_share)
    one_stratum, rng = np.zeros(len(rows), np.int64), seeds.child(settings.seed, "split")
    train, test = stratified_group_split(groups([contexts[row] for row in rows]), one_stratum, one_stratum, count, rng)
    return rows[train], rows[test]


def _shared_contexts(whole: Part, task_type: TaskType, train: Rows, test: Rows) -> Sequence[Finding]:
    """Return a warning if test questions are about contexts of the training part; else nothing."""
    wording = SharedWording(
        "contexts", "questions", "test questions is on texts that are", "test questions are on texts that are"
    )
    return shared_with_train_warning(groups(task_type.clusters(whole.examples)), [(train, test)], wording)
