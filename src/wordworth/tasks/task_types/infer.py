"""Infer which kind of task a file holds, or check the kind that the user named."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.errors import BadInput
from wordworth.tasks.reading.labelled_rows import LabelledRows, values, words
from wordworth.tasks.reading.parse_numbers_with_units import amounts, are_amounts
from wordworth.tasks.task_types import TaskType, get
from wordworth.tasks.task_types.classification import CLASSIFICATION, PAIR_CLASSIFICATION
from wordworth.tasks.task_types.multilabel import MULTILABEL, separator
from wordworth.tasks.task_types.regression import REGRESSION
from wordworth.tasks.task_types.tagging import TAGGING, is_scheme

_LEAST_GRADES = 3
"""Fewest different numbers that may be grades; two are the usual names of two classes."""


def named(kind: str, rows: LabelledRows, text_b: str | None = None) -> tuple[TaskType, str]:
    """Check that a file suits the kind of task that the user named; return (kind of task, reason for a report).

    Args:
        kind: the name of the kind.
        rows: the rows of the file.
        text_b: the column of second texts, if the user named it.

    Raises:
        BadInput: there is no such kind, the kind is one that only fine-tuning learns, or the file has more texts or
            label columns than the kind takes.
    """
    task_type, path = get(kind), rows.tables[0].path
    name = task_type.name
    if not task_type.in_ladder:
        mend = f"fine-tune a model on it: `wordworth finetune --data FILE --kind {name}`"
        raise BadInput(f"no rung of the ladder can learn a task of kind {name}", where="--kind", mend=mend)
    if rows.columns.text_b is not None and not task_type.takes_pairs:
        first, second = rows.columns.texts
        if text_b is None:  # a command whose kind is that of its model has no --kind
            what = f"a task of kind {name} takes one text, and the columns {first!r} and {second!r} look like a pair"
            raise BadInput(what, where=path, mend=f"name the one to read, such as --text {first}")
        mend = f"leave out --text-b, or use --kind {PAIR_CLASSIFICATION.name}"
        raise BadInput(f"a task of kind {name} takes one text", where=path, mend=mend)
    if len(rows.columns.labels) > 1 and not task_type.takes_label_columns:
        mend = f"name one --label, or use --kind {MULTILABEL.name}"
        raise BadInput(f"a task of kind {name} has one label column", where=path, mend=mend)
    if task_type.label_form == "class" and _in_words_and_tags(rows) and all(map(values, rows.label)):
        what = f"each row holds a tag for each word, and a task of kind {name} has one label a row"
        raise BadInput(what, where=path, mend="give rows of a text and its label")
    return task_type, "the kind was given"


def infer(rows: LabelledRows) -> tuple[TaskType, str]:
    """Infer the kind of task from the labels and columns of a file; return (kind of task, reason for a report).

    Numbers are amounts (regression) if more than ten of them differ, and some number has a fraction that Python reads,
    a unit, or both separated thousands and a fraction. Other numbers are classes.

    Raises:
        BadInput: labels such as `4,5` may be numbers with a decimal comma, or several labels.
    """
    if len(rows.columns.labels) > 1:
        return MULTILABEL, "there are several label columns"
    cells = rows.label
    if are_amounts(cells):
        return REGRESSION, f"labels are amounts, {len(set(cells))} different ones"
    if rows.columns.text_b is not None:
        return PAIR_CLASSIFICATION, "there are two texts"
    if _tagged(rows, cells):
        return TAGGING, "every label holds a tag for each word"
    mark = separator(cells, rows.columns.labels[0])
    if mark == ",":
        _refuse_decimal_commas(rows)
    if mark is not None:
        return MULTILABEL, "cells hold several labels"
    numbers = ", a number that counts as a class (the kind regression reads it as an amount)" if _graded(cells) else ""
    return CLASSIFICATION, f"every row has one label{numbers}"


def _refuse_decimal_commas(rows: LabelledRows) -> None:
    """Refuse to guess whether labels such as `4,5` are numbers with a decimal comma, or several labels.

    Args:
        rows: the rows of a file whose labels hold commas.

    Raises:
        BadInput: every label can be read as one number.
    """
    if amounts([cell for cell in rows.label if cell]) is not None:
        row = next(number for number, cell in enumerate(rows.label) if "," in cell)
        what = f"{rows.label[row]!r} may be one number with a decimal comma, or several labels"
        kinds = f"{REGRESSION.name} for amounts, {CLASSIFICATION.name} for grades, {MULTILABEL.name} for several labels"
        raise BadInput(what, where=rows.where(row), mend=f"say which with --kind: {kinds}")


def _graded(cells: Sequence[str]) -> bool:
    """Return whether all labels are numbers, at least `_LEAST_GRADES` of them different: they may be grades."""
    parsed = amounts([cell for cell in dict.fromkeys(cells) if cell])
    return parsed is not None and len(set(parsed.values)) >= _LEAST_GRADES


def _tagged(rows: LabelledRows, cells: Sequence[str]) -> bool:
    if _in_words_and_tags(rows):
        return True
    if not is_scheme({tag for cell in cells for tag in words(cell)}):
        return False
    same = sum(len(words(text)) == len(words(cell)) for text, cell in zip(rows.first, cells, strict=True))
    return 2 * same > len(cells)


def _in_words_and_tags(rows: LabelledRows) -> bool:
    """Return whether the columns of texts and labels are `words` and `tags`, as in a table read from a CoNLL file."""
    return {rows.columns.text, *rows.columns.labels} == {"words", "tags"}
