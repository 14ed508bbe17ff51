"""Read a file as a `Task`: used by `wordworth worth` and by Python callers alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures import precision_recall_at_k
from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, some_of
from wordworth.tasks.check_metric import require_metric
from wordworth.tasks.checks import checks
from wordworth.tasks.reading.group_column import unnamed_groups, with_groups
from wordworth.tasks.reading.infer_columns import choose
from wordworth.tasks.reading.labelled_rows import LabelledRows, absent, labelled_rows
from wordworth.tasks.reading.row_categories import with_categories
from wordworth.tasks.reading.sampling_weights import weight_finding, with_weights
from wordworth.tasks.reading.second_labels import second_label_findings
from wordworth.tasks.reading.settings import LEAST_ROWS, ReadSettings, part_to_test
from wordworth.tasks.reading.split import split_task
from wordworth.tasks.task import Examples, Task
from wordworth.tasks.task_types import TaskType
from wordworth.tasks.task_types.infer import infer, named
from wordworth.text.file_formats.read import read_rows

__all__ = ["ReadSettings", "read_files", "read_task"]

LONGEST_TEXT = 1_000_000
"""Maximal number of characters in a text, more than most novels have."""


def read_task(path: Path | str, settings: ReadSettings | None = None, dev: str | None = None) -> Task:
    """Read a file of labelled texts and return its task, with warnings about the data.

    Where one file is split, the training and the test part share no document (of sentences), no first text (of pairs)
    and no text that is equal but for case and white space; only a sentence that occurs in several documents may be in
    both. The classes of the task are the classes of the training part. If the user names groups, the parts share no
    group instead: a text of two groups may then be in both parts, and a warning counts such texts.

    Args:
        path: the file.
        settings: how to read the file.
        dev: a separate file for model selection, with the same columns; its rows are neither trained nor tested on.

    Raises:
        BadInput: the file or its rows cannot be used; the error says what is wrong, where, and how to mend it.
    """
    chosen = settings or ReadSettings()
    rows, guessed = read_files(path, chosen, dev)
    task_type, why = named(chosen.kind, rows, chosen.text_b) if chosen.kind else infer(rows)
    rows, skipped = _drop_unusable(rows, task_type) if chosen.skip_unusable else (rows, ())
    whole, description = _whole_task(Path(path).name, task_type, rows)
    whole = with_categories(with_weights(with_groups(whole, rows), rows, chosen.test_weight), rows)
    task, used_rows = split_task(whole, rows, chosen)
    name, reason = _metric(task, chosen.metric)
    task = replace(task, metric=name)
    read_as = f"Read as {description}{_class_count(task)}: {why}."
    choices = (
        # the number of a finding stays as it was: records of all versions are compared by them
        Finding("method.task", read_as, {"kind": task_type.legacy_name}),
        _metric_finding(task, reason),
    )
    agreed = second_label_findings(whole, rows, name, chosen.seed)
    notes = tuple(note for table in rows.tables for note in table.notes)
    warnings = checks(task, used_rows, chosen.seed)
    return replace(
        task,
        warnings=(
            *choices,
            *skipped,
            *task.warnings,
            *unnamed_groups(rows),
            *weight_finding(task, chosen.test_weight),
            *agreed,
            *guessed,
            *notes,
            *warnings,
        ),
    )


def read_files(
    path: Path | str, settings: ReadSettings, dev: str | None = None
) -> tuple[LabelledRows, tuple[Finding, ...]]:
    """Return the rows of the training, test and dev file, and findings about the columns that were guessed.

    Args:
        path: the training file.
        settings: how to read the files; they also name the test file, if there is one.
        dev: a separate file for model selection; None reads no such file.

    Raises:
        BadInput: a file cannot be read, or lacks a column.
    """
    test_file, _ = part_to_test(settings)
    train = read_rows(path, settings.format)
    columns, guessed = choose(train, settings)
    test, selection = (None if file is None else read_rows(file, settings.format) for file in (test_file, dev))
    return labelled_rows(train, test, columns, selection), guessed


def _whole_task(name: str, task_type: TaskType, rows: LabelledRows) -> tuple[Task, str]:
    """Return (task over all rows, still without a split and a metric; a phrase on how the labels were read)."""
    _check_size(rows)
    examples = task_type.examples(rows)
    _check_texts(rows, examples)
    labelled, none = task_type.read(rows), np.zeros(0, dtype=np.int64)
    task = Task(
        name=name,
        kind=task_type.name,
        examples=examples,
        labels=labelled.labels,
        classes=labelled.classes,
        train=none,
        test=none,
        metric="",
        origins=rows.origins,
        numbers=rows.numbers,
        columns=rows.columns.texts,
        label_columns=tuple(rows.columns.labels),
    )
    return task, labelled.description


def _drop_unusable(rows: LabelledRows, task_type: TaskType) -> tuple[LabelledRows, tuple[Finding, ...]]:
    """Drop rows whose label, group or time is missing, and return (remaining rows, findings on the dropped rows).

    An empty label is not missing where the kind of task takes it as "no label".
    """
    columns, findings = rows.columns, list[Finding]()
    needed = {
        "unlabelled": ("label", None if task_type.labels_may_be_empty else columns.labels[0]),
        "ungrouped": (repr(columns.group), columns.group),
        "untimed": (repr(columns.time), columns.time),
    }
    for name, (noun, column) in needed.items():
        missing = [] if column is None else absent(rows.cells(column))
        if missing:
            path, locations = rows.locations(missing)
            left_out = (f"rows has no {noun} and is left out", f"rows have no {noun} and are left out")
            text = f"{some_of(len(missing), len(rows), *left_out)} ({Path(path).name}, {locations})."
            findings.append(Finding(f"warning.{name}", text, {"rows": len(missing), "of": len(rows)}))
            rows = rows.without(missing)
    return rows, tuple(findings)


def _class_count(task: Task) -> str:
    return f", {len(task.classes)} classes" if task.classes else ""


def _metric(task: Task, wanted: str | None) -> tuple[str, str]:
    if wanted is None:
        return task.type.default_metric(task.labels, task.classes, task.train)
    require_metric(wanted, task.type, task.classes, task.origins[0].path)
    return wanted, "the metric was given"


def _metric_finding(task: Task, reason: str) -> Finding:
    """Return the finding that names the metric, and the best score that any predictions can have if it is below 1."""
    rule = metric(task.metric, task.classes)
    text, numbers = f"Measured by {rule.title}: {reason}.", {"metric": task.metric}
    ceiling = task.ceiling(task.metric)
    if ceiling is None:
        return Finding("method.metric", text, numbers)
    gold = np.asarray(task.gold(task.test))
    labels = float(precision_recall_at_k.flags_of(gold, len(task.classes)).sum(axis=1).mean())
    limit = f"With {labels:.1f} labels a test text, no predictions can score above {100 * ceiling:.1f} points."
    return Finding("method.metric", f"{text} {limit}", numbers | {"ceiling": ceiling, "labels": labels})


def _check_size(rows: LabelledRows) -> None:
    if len(rows) < LEAST_ROWS:
        what = f"{count_of(len(rows), 'row is', 'rows are')} too few for training and testing"
        raise BadInput(what, where=rows.tables[0].path, mend=f"label {LEAST_ROWS} or more; some hundreds are better")


def _check_texts(rows: LabelledRows, examples: Examples) -> None:
    texts = {text.strip() for text in examples.first}
    where, name = rows.tables[0].path, rows.columns.text
    if texts == {""}:
        raise BadInput(f"every text in column {name!r} is empty", where=where, mend="choose another --text")
    if len(texts) == 1 and examples.second is None:
        raise BadInput(f"every text in column {name!r} is the same", where=where, mend="choose another --text")
    for side in filter(None, (examples.first, examples.second)):
        require_readable(side, rows.where)


def require_readable(texts: Sequence[str], where: Callable[[int], str]) -> None:
    """Refuse texts longer than `LONGEST_TEXT` characters, which no model reads within minutes.

    Args:
        texts: one or more texts.
        where: index of a text -> its location (file and line), for the error.

    Raises:
        BadInput: a text is too long.
    """
    longest = max(range(len(texts)), key=lambda row: len(texts[row]))
    if len(texts[longest]) > LONGEST_TEXT:
        what = f"a text of {len(texts[longest]):,} characters: at most {LONGEST_TEXT:,} are read"
        raise BadInput(what, where=where(longest), mend="is this one text? cut it, or leave the row out")
