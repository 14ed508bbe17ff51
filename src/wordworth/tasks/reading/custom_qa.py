"""Read a user's own questions: with answers that stand in a text (`span`), or with options to choose from (`choice`).

The files have the layouts of published data sets of these kinds, or are rows with the same columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.measures.metrics import require_metric
from wordworth.records import Finding
from wordworth.tasks.checks.duplicates import groups
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.tasks.formats.part import Part, joined
from wordworth.tasks.formats.squad import learnable, read_questions
from wordworth.tasks.reading.read_task import LEAST_ROWS, ReadSettings, part_to_test
from wordworth.tasks.reading.split import dev_shared, shared_with_train_warning
from wordworth.tasks.split import rows_to_test, sample, split
from wordworth.tasks.task import Kind, Rows, Task
from wordworth.text.file_formats.read import read_table
from wordworth.text.raw_file import RawFile, read_raw

CONTEXTS = ("context", "prompt", "text", "passage")
OPTIONS = ("options", "choices", "endings")
_LABELS = ("label", "answer", "gold", "target")
_USUAL = {"span": "span_f1", "choice": "accuracy"}


def read_own_questions(path: Path | str, kind: Kind, settings: ReadSettings, dev: str | None = None) -> Task:
    """Read a file of questions as a task; without a test file, no context is in both the training and the test part.

    `span`: a SQuAD `.json`, or rows of question, context, answers and perhaps id. `choice`: rows of context, options (a
    list), label (the number of the right option, from 0) and perhaps question.

    Args:
        path: the file.
        kind: `span` or `choice`.
        settings: columns, test part, metric and seed.
        dev: a separate file for model selection.

    Raises:
        BadInput: the file or its rows cannot be used; says what, where and how to mend it.
    """
    _refuse(kind, settings)
    test_file, share = part_to_test(settings)
    files = [read_raw(file) for file in (path, test_file, dev) if file is not None]
    parts = [_part(stored, kind, settings) for stored in files]
    whole, first = joined(parts), len(parts[0])
    _check_size(whole, path)
    labelled_count = len(whole) - (len(parts[-1]) if dev else 0)
    rows = _sample(labelled_count, settings)
    train, test = (rows[rows < first], rows[rows >= first]) if test_file else _split(whole, kind, rows, share, settings)
    split = Finding("method.split", f"{len(train):,} questions for training and {len(test):,} for testing.")
    shared = _shared_contexts(whole, kind, train, test) if test_file else ()
    task = Task(
        name=Path(path).name,
        kind=kind,
        examples=whole.examples,
        labels=whole.labels,
        classes=(),
        train=_learnable(whole, kind, train),
        test=test,
        metric=_USUAL[kind],
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
    require_metric(settings.metric, task.kind, task.classes, task.origins[0].path)
    return replace(task, metric=settings.metric)


def _refuse(kind: Kind, settings: ReadSettings) -> None:
    taken = () if kind == "choice" else ("text", "text_b", "label")
    for name in (*taken, "format"):
        if getattr(settings, name) is not None:
            columns = "question, context and answers" if kind == "span" else "context, options and label"
            mend = f"leave it out; the columns must be named {columns}, and the file's suffix decides the format"
            raise BadInput(
                f"a file of kind {kind} does not take this option", where=f"--{name.replace('_', '-')}", mend=mend
            )


def _part(stored: RawFile, kind: Kind, settings: ReadSettings) -> Part:
    if kind == "span":
        return read_questions(stored)
    if not isinstance(settings.label, str | None):
        raise BadInput("a task of kind choice has one label column", where=stored.path, mend="name one --label")
    columns = list(read_table(stored).columns)
    label = settings.label or _column(stored, columns, _LABELS)
    first = settings.text or _column(stored, columns, CONTEXTS)
    second = settings.text_b or ("question" if "question" in columns else None)
    return Choices(first=first, second=second, options=(_column(stored, columns, OPTIONS),), label=label)(stored)


def _column(stored: RawFile, columns: Sequence[str], names: Sequence[str]) -> str:
    column = next((name for name in names if name in columns), None)
    if column is None:
        what = f"no column {' or '.join(map(repr, names))}"
        raise BadInput(what, where=stored.path, mend=f"rename a column; {nearest(names[0], columns)}")
    return column


def _check_size(whole: Part, path: Path | str) -> None:
    if len(whole) < LEAST_ROWS:
        what = f"{len(whole)} questions are too few for training and testing"
        raise BadInput(what, where=str(path), mend=f"give {LEAST_ROWS} or more; some hundreds are better")


def _sample(count: int, settings: ReadSettings) -> Rows:
    """Draw rows up to the limit of the settings."""
    one_stratum = np.zeros(count, np.int64)
    return sample(np.arange(count), one_stratum, settings.limit or count, seeds.child(settings.seed, "sample"))


def _split(whole: Part, kind: Kind, rows: Rows, share: float | None, settings: ReadSettings) -> tuple[Rows, Rows]:
    """Split rows into a training and a test part that share no context."""
    contexts = _contexts(whole, kind)
    count = round(share * len(rows)) if share else rows_to_test(len(rows), settings.test_share)
    one_stratum, rng = np.zeros(len(rows), np.int64), seeds.child(settings.seed, "split")
    train, test = split(groups([contexts[row] for row in rows]), one_stratum, one_stratum, count, rng)
    return rows[train], rows[test]


def _contexts(whole: Part, kind: Kind) -> Sequence[str]:
    second = whole.examples.second
    return whole.examples.first if kind == "choice" or second is None else second


def _shared_contexts(whole: Part, kind: Kind, train: Rows, test: Rows) -> Sequence[Finding]:
    """Warn where test questions are about contexts of the training part."""
    wording = ("contexts", "questions", "are on texts that are")
    return shared_with_train_warning(groups(_contexts(whole, kind)), train, test, wording)


def _learnable(whole: Part, kind: Kind, train: Rows) -> Rows:
    """The training rows without questions whose answer positions are unknown."""
    known = [kind == "choice" or learnable(whole.labels[row]) for row in train]
    return train[np.array(known, dtype=np.bool_)]
