"""A user's own questions: answers that stand in a text (`span`), or one of several options (`choice`).

They are read from the files that the published data sets of these kinds have, and from rows of the same columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.records import Finding
from wordworth.tasks.checks.duplicates import groups
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.tasks.formats.part import Part, joined
from wordworth.tasks.formats.squad import learnable, read_questions
from wordworth.tasks.reading.read_task import LEAST_ROWS, ReadSettings, checked_metric, part_to_test
from wordworth.tasks.reading.split import dev_shared, shared_with_train_warning
from wordworth.tasks.split import rows_to_test, sample, split
from wordworth.tasks.task import Kind, Rows, Task
from wordworth.text.raw_file import RawFile, read_stored
from wordworth.text.tables.read import read_stored_rows

CONTEXTS = ("context", "prompt", "text", "passage")
OPTIONS = ("options", "choices", "endings")
_LABELS = ("label", "answer", "gold", "target")
_USUAL = {"span": "span_f1", "choice": "accuracy"}


def read_own_questions(path: Path | str, kind: Kind, settings: ReadSettings, dev: str | None = None) -> Task:
    """The task of a file of questions; where no test file is given, no context stands in both parts.

    Spans: a SQuAD `.json`, or rows of question, context, answers and perhaps id. Choices: rows of context, options (a
    list), label (the number of the right one, from 0) and perhaps question. `dev` is a file of its own to choose on.

    Raises:
        BadInput: the file or its rows cannot be used; says what, where and how to mend it.
    """
    _refuse(kind, settings)
    own, share = part_to_test(settings)
    files = [read_stored(file) for file in (path, own, dev) if file is not None]
    parts = [_part(stored, kind, settings) for stored in files]
    whole, first = joined(parts), len(parts[0])
    _check_size(whole, path)
    parted = len(whole) - (len(parts[-1]) if dev else 0)
    rows = _used(parted, settings)
    train, test = (rows[rows < first], rows[rows >= first]) if own else _parted(whole, kind, rows, share, settings)
    split = Finding("method.split", f"{len(train):,} questions to learn from and {len(test):,} to test on.")
    shared = _shared(whole, kind, train, test) if own else ()
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
        dev=np.arange(parted, len(whole)) if dev else None,
        warnings=(split, *shared, *whole.notes),
    )
    task = replace(task, warnings=(*task.warnings, *dev_shared(task)))
    if not (len(task.train) and len(test)):
        mend = "add questions on other texts, or choose another --test"
        raise BadInput("nothing is left to learn from, or to test on", where=str(path), mend=mend)
    return task if settings.metric is None else replace(task, metric=checked_metric(task, settings.metric))


def _refuse(kind: Kind, settings: ReadSettings) -> None:
    taken = () if kind == "choice" else ("text", "text_b", "label")
    for name in (*taken, "format"):
        if getattr(settings, name) is not None:
            columns = "question, context and answers" if kind == "span" else "context, options and label"
            mend = f"leave it out; columns are called {columns}, and the format is told by the file's name"
            raise BadInput(
                f"a file of kind {kind} takes no such choice", where=f"--{name.replace('_', '-')}", mend=mend
            )


def _part(stored: RawFile, kind: Kind, settings: ReadSettings) -> Part:
    if kind == "span":
        return read_questions(stored)
    if not isinstance(settings.label, str | None):
        raise BadInput("a task of kind choice has one label column", where=stored.path, mend="name one --label")
    columns = list(read_stored_rows(stored).columns)
    label = settings.label or _column(stored, columns, _LABELS)
    first = settings.text or _column(stored, columns, CONTEXTS)
    second = settings.text_b or ("question" if "question" in columns else None)
    return Choices(first=first, second=second, options=(_column(stored, columns, OPTIONS),), label=label)(stored)


def _column(stored: RawFile, columns: Sequence[str], names: Sequence[str]) -> str:
    found = next((name for name in names if name in columns), None)
    if found is None:
        what = f"no column {' or '.join(map(repr, names))}"
        raise BadInput(what, where=stored.path, mend=f"name one so; {nearest(names[0], columns)}")
    return found


def _check_size(whole: Part, path: Path | str) -> None:
    if len(whole) < LEAST_ROWS:
        what = f"{len(whole)} questions are too few to learn and to test on"
        raise BadInput(what, where=str(path), mend=f"give {LEAST_ROWS} or more; some hundreds tell more")


def _used(count: int, settings: ReadSettings) -> Rows:
    """As many rows as are wanted at most."""
    alike = np.zeros(count, np.int64)
    return sample(np.arange(count), alike, settings.limit or count, seeds.child(settings.seed, "sample"))


def _parted(whole: Part, kind: Kind, rows: Rows, share: float | None, settings: ReadSettings) -> tuple[Rows, Rows]:
    """Rows to learn from and to test on that share no context."""
    contexts = _contexts(whole, kind)
    count = round(share * len(rows)) if share else rows_to_test(len(rows), settings.test_share)
    alike, rng = np.zeros(len(rows), np.int64), seeds.child(settings.seed, "split")
    train, test = split(groups([contexts[row] for row in rows]), alike, alike, count, rng)
    return rows[train], rows[test]


def _contexts(whole: Part, kind: Kind) -> Sequence[str]:
    second = whole.examples.second
    return whole.examples.first if kind == "choice" or second is None else second


def _shared(whole: Part, kind: Kind, train: Rows, test: Rows) -> Sequence[Finding]:
    """A warning where questions of a test file are on texts that are learned from."""
    said = ("contexts", "questions", "are on texts that are")
    return shared_with_train_warning(groups(_contexts(whole, kind)), train, test, said)


def _learnable(whole: Part, kind: Kind, train: Rows) -> Rows:
    """Without the questions whose answers' places are unknown."""
    known = [kind == "choice" or learnable(whole.labels[row]) for row in train]
    return train[np.array(known, dtype=np.bool_)]
