"""Read a file as a `Task`: used by `wordworth worth` and by Python callers alike."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.tasks import task_types
from wordworth.tasks.checks import checks
from wordworth.tasks.metric_choice import require_metric
from wordworth.tasks.reading.cell_values import absent
from wordworth.tasks.reading.infer_columns import choose
from wordworth.tasks.reading.labelled_rows import LabelledRows, labelled_rows
from wordworth.tasks.reading.split import SplitSpec, make_task
from wordworth.tasks.task import Examples, Task
from wordworth.tasks.task_types import TaskType
from wordworth.tasks.task_types.infer import infer, named
from wordworth.text.file_formats.read import read_rows

LEAST_ROWS = 20
LONGEST_TEXT = 1_000_000
"""Most characters of a text: more than most novels have."""
_NEARLY_A_SHARE = re.compile(r"\d*[.,]?\d+\s*\D?")


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadSettings:
    """How to read a file as a task.

    Attributes:
        text: the column of texts; guessed from the header if not named.
        label: the column of labels, or several columns of 0 and 1; guessed likewise.
        text_b: the column of second texts.
        kind: the name of a `TaskType`, such as `regression`; inferred from the labels if not named. Questions
            (`multiple_choice`, `question_answering`) are read by `custom_qa`.
        test: a separate test file, or the share of rows to test on (0.3).
        test_share: the share if `test` names none; kept between 200 and 10,000 rows and under two fifths.
        metric: the metric, such as `accuracy` or `f1:refund`; chosen by kind and class shares if not named.
        limit: use at most this many rows, drawn by class; with a test file, learn from at most this many.
        skip_unusable: skip rows without a label, and test rows of a class that training lacks, and report how many,
            instead of refusing the file.
        format: the file's format where its suffix does not tell.
        seed: seed of the run; it decides the split and the sample.
    """

    text: str | None = None
    label: str | tuple[str, ...] | None = None
    text_b: str | None = None
    kind: str | None = None
    test: str | float | Path | None = None
    test_share: float = 0.25
    metric: str | None = None
    limit: int | None = None
    skip_unusable: bool = False
    format: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        task_type = None if self.kind is None else task_types.get(self.kind)
        if self.metric is not None:
            require_metric(self.metric, task_type)
        if not 0 < self.test_share < 1:
            raise BadInput(
                f"a share of {self.test_share} is out of range", where="test_share", mend="give one between 0 and 1"
            )
        if self.limit is not None and not _is_whole(self.limit):
            raise BadInput(f"{self.limit!r} is not a number of rows", where="--limit", mend="give a whole number")
        if self.limit is not None and self.limit < LEAST_ROWS:
            raise BadInput(f"{self.limit} rows are too few", where="--limit", mend=f"give {LEAST_ROWS} or more")


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral)


def read_task(path: Path | str, settings: ReadSettings | None = None, dev: str | None = None) -> Task:
    """Read the task in a file of labelled text, with warnings about its data.

    Where one file is split, no document of its sentences and no first text of its pairs is in both parts, nor any
    duplicate text (but for case and white space), except sentences that occur in several documents. The classes are
    those of the training part.

    Args:
        path: the file.
        settings: how to read it.
        dev: a separate file for model selection, with the same columns; its rows are neither trained nor tested on.

    Raises:
        BadInput: the file or its rows cannot be used; says what, where and how to mend it.
    """
    chosen = settings or ReadSettings()
    test_file, share = part_to_test(chosen)
    train = read_rows(path, chosen.format)
    columns, guessed = choose(train, chosen.text, chosen.label, chosen.text_b)
    test = None if test_file is None else read_rows(test_file, chosen.format)
    rows = labelled_rows(train, test, columns, None if dev is None else read_rows(dev, chosen.format))
    task_type, why = named(chosen.kind, rows) if chosen.kind else infer(rows)
    rows, skipped = _drop_unlabelled(rows, task_type) if chosen.skip_unusable else (rows, ())
    _check_size(rows)
    examples = task_type.examples(rows)
    _check_texts(rows, examples)
    labelled = task_type.read(rows)
    how = (share, chosen.test_share, chosen.limit, chosen.seed, chosen.skip_unusable)
    parts = SplitSpec(rows, examples, labelled, *how, dev=dev is not None)
    draft, split_notes = make_task(Path(path).name, task_type, parts)
    name, reason = _metric(draft.task, chosen.metric)
    task = replace(draft.task, metric=name)
    choices = (
        Finding(
            "method.task",
            f"Read as {labelled.description}{_class_count(task)}: {why}.",
            {"kind": task_type.legacy_name},
        ),
        Finding("method.metric", f"Measured by {metric(name, task.classes).title}: {reason}.", {"metric": name}),
    )
    notes = tuple(note for table in rows.tables for note in table.notes)
    warnings = checks(replace(draft, task=task), chosen.seed)
    return replace(task, warnings=(*choices, *skipped, *split_notes, *guessed, *notes, *warnings))


def _drop_unlabelled(rows: LabelledRows, task_type: TaskType) -> tuple[LabelledRows, tuple[Finding, ...]]:
    """Drop rows without a label and report them; an empty label may mean that none applies."""
    missing = [] if task_type.labels_may_be_empty else absent(rows.label)
    if not missing:
        return rows, ()
    path, locations = rows.listed(missing)
    text = f"{len(missing):,} of {len(rows):,} rows have no label and are left out ({Path(path).name}, {locations})."
    finding = Finding("warning.unlabelled", text, {"rows": len(missing), "of": len(rows)})
    return rows.without(missing), (finding,)


def _class_count(task: Task) -> str:
    return f", {len(task.classes)} classes" if task.classes else ""


def part_to_test(settings: ReadSettings) -> tuple[str | None, float | None]:
    """The test file, or the share of rows that the user wants to test on.

    Raises:
        BadInput: the share is not between 0 and 1.
    """
    if settings.test is None:
        return None, None
    share = share_or_file(settings.test)
    if isinstance(share, str):
        return share, None
    if not 0 < share < 1:
        mend = "give a share between 0 and 1, such as 0.2, or a file"
        raise BadInput(f"a test part of {settings.test} is not a share of the rows", where="--test", mend=mend)
    return None, share


def share_or_file(named: str | float | Path) -> float | str:
    """The share that a user wrote, else the name of a file; NaN if it is neither.

    >>> share_or_file("0.2"), share_or_file("dev.csv"), share_or_file("20%")
    (0.2, 'dev.csv', nan)
    """
    try:
        return float(str(named))
    except ValueError:
        return math.nan if _NEARLY_A_SHARE.fullmatch(str(named)) and not Path(str(named)).exists() else str(named)


def _metric(task: Task, wanted: str | None) -> tuple[str, str]:
    if wanted is None:
        return task.type.default_metric(task.labels, task.classes, task.train)
    require_metric(wanted, task.type, task.classes, task.origins[0].path)
    return wanted, "as named"


def _check_size(rows: LabelledRows) -> None:
    if len(rows) < LEAST_ROWS:
        what = f"{len(rows)} rows are too few for training and testing"
        raise BadInput(what, where=rows.tables[0].path, mend=f"label {LEAST_ROWS} or more; some hundreds are better")


def _check_texts(rows: LabelledRows, examples: Examples) -> None:
    texts = {text.strip() for text in examples.first}
    where, name = rows.tables[0].path, rows.columns.text
    if texts == {""}:
        raise BadInput(f"every text in column {name!r} is empty", where=where, mend="choose another --text")
    if len(texts) == 1 and examples.second is None:
        raise BadInput(f"every text in column {name!r} is the same", where=where, mend="choose another --text")
    for side in filter(None, (examples.first, examples.second)):
        _check_longest(rows, side)


def _check_longest(rows: LabelledRows, texts: Sequence[str]) -> None:
    """Refuse a text that none of our models reads within minutes."""
    longest = max(range(len(texts)), key=lambda row: len(texts[row]))
    if len(texts[longest]) > LONGEST_TEXT:
        what = f"a text of {len(texts[longest]):,} characters: at most {LONGEST_TEXT:,} are read"
        raise BadInput(what, where=rows.where(longest), mend="is this one text? cut it, or leave the row out")
