"""Read the texts of a plan: the unlabelled texts, and the rows that are labelled so far."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.studies.worth.planning.settings import LEAST_LABELS, require_covered
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study import read
from wordworth.tasks.checks.duplicates import plain
from wordworth.tasks.examples import Examples, Origin
from wordworth.tasks.reading.infer_columns import unknown_texts
from wordworth.tasks.reading.read_task import require_readable
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.tasks.usual_columns import TEXTS, usual_column
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

LEAST_TEXTS, MOST_TEXTS = 100, 1_000
"""Fewest and most unlabelled texts on which a plan measures disagreement: with 1,000 texts, the standard error of a
disagreement of 20 % is 1.3 points."""
MOST_TO_DRAW_FROM = 10_000
"""Most texts in the pool from which those to label next are drawn: models disagree on more texts of a larger pool."""


def labels_so_far(path: Path, reading: ReadSettings, settings: WorthSettings) -> Task:
    """Read the rows that are labelled so far as a task, with as many folds as the study would have.

    Args:
        path: the file of the labels so far.
        reading: how the file is read.
        settings: the settings of the study.

    Raises:
        BadInput: the file cannot be used, holds fewer than `LEAST_LABELS` labels, or its rows do not have one class
            each.
    """
    task = read(path, replace(reading, folds=settings.seeds), settings)
    require_covered(task.kind, str(path))
    if len(task.used) < LEAST_LABELS:
        mend = f"label {LEAST_LABELS} or more, or leave --labels-so-far out"
        raise BadInput(f"{len(task.used)} labels are too few for a plan", where=str(path), mend=mend)
    return task


def read_texts(path: Path, reading: ReadSettings, columns: tuple[str, ...] = ()) -> tuple[Examples, Origin]:
    """Read the texts of a file; its labels, if it has any, are ignored.

    Args:
        path: the file.
        reading: how the file is read.
        columns: names of the columns of texts; () for the columns that `reading` names, or one guessed column.

    Returns:
        The texts, whose ids are row numbers from 1, and the origin of the file, with its hash.

    Raises:
        BadInput: the file or a column cannot be used, or a text is too long to be read.
    """
    table = read_rows(path, reading.format)
    names = columns or tuple(filter(None, (reading.text or _guessed(table), reading.text_b)))
    sides = [table.column(name, "text") for name in names]
    for side in sides:
        require_readable(side, table.where)
    origin = Origin(table.path, table.sha256, table.rows_in_file)
    numbers = tuple(map(str, range(1, len(sides[0]) + 1)))
    return Examples(tuple(sides[0]), tuple(sides[1]) if sides[1:] else None, ids=numbers), origin


def _guessed(table: TextTable) -> str:
    names = list(table.columns)
    guess = usual_column(names, TEXTS) or (names[0] if len(names) == 1 else None)
    if guess is None:
        raise unknown_texts(table)
    return guess


def unlabelled(texts: Examples, task: Task, most: int, seed: int, where: str) -> Examples:
    """Return a random sample of distinct texts that have no label yet; empty texts are left out.

    Args:
        texts: all texts of the file, labelled ones among them.
        task: the rows labelled so far, whose texts are left out.
        most: largest number of texts; a larger sample with the same seed contains the smaller one.
        seed: seed of the study.
        where: the path of the file, for the error message.

    Raises:
        BadInput: fewer than `LEAST_TEXTS` texts remain.
    """
    labelled, rows = set(plain(task.examples)), {text: row for row, text in reversed([*enumerate(plain(texts))])}
    left = np.sort([row for text, row in rows.items() if text.strip() and text not in labelled]).astype(np.int64)
    if len(left) < LEAST_TEXTS:
        what = f"{len(left)} different texts without a label are too few to see how often rungs disagree"
        raise BadInput(what, where=where, mend=f"give {LEAST_TEXTS} or more, or leave --labels-so-far out")
    drawn = seeds.child(seed, "unlabelled texts").permutation(left)[:most]
    return texts.take(np.sort(drawn))
