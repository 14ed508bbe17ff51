"""Infer which kind of task a file holds; one module reads each kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from wordworth.errors import BadInput, nearest
from wordworth.tasks.labels import Labelled
from wordworth.tasks.reading.cell_values import words
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.reading.numeric_labels import amounts
from wordworth.tasks.task import Examples, Kind, Labels, Rows
from wordworth.tasks.task_types import classification, multilabel, pair, regression, tagging

_FEW_VALUES = 10
_NAMED_ONLY = ("choice", "span")


class TaskKind(Protocol):
    """The interface of a kind of task; each module of this package implements it."""

    def examples(self, sheet: LabelledRows) -> Examples:
        """The inputs."""
        ...

    def read(self, sheet: LabelledRows) -> Labelled:
        """The labels of all rows; raises BadInput if they do not fit this kind."""
        ...

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """The metric that a practitioner expects, and the reason."""
        ...


KINDS: dict[Kind, TaskKind] = {
    "single": classification,
    "pair": pair,
    "regression": regression,
    "multilabel": multilabel,
    "tags": tagging,
}


def require_kind(name: str) -> None:
    """Refuse an unknown kind of task.

    Raises:
        BadInput: no kind has this name.
    """
    known = (*KINDS, *_NAMED_ONLY)
    if name not in known:
        raise BadInput(f"no kind of task {name!r}", where="--kind", mend=nearest(name, known))


def given(name: str, sheet: LabelledRows) -> tuple[Kind, str]:
    """The kind that the user named.

    Raises:
        BadInput: there is no such kind, or it does not fit the columns.
    """
    if name in _NAMED_ONLY:
        mend = f"fine-tune a model on it: wordworth finetune --data FILE --kind {name}"
        raise BadInput(f"no rung of the ladder can learn a task of kind {name}", where="--kind", mend=mend)
    require_kind(name)
    kind = next(known for known in KINDS if known == name)
    if sheet.columns.text_b is not None and kind not in {"pair", "regression"}:
        mend = "leave out --text-b, or use --kind pair"
        raise BadInput(f"a task of kind {kind} takes one text", where=sheet.tables[0].path, mend=mend)
    if len(sheet.columns.labels) > 1 and kind != "multilabel":
        mend = "name one --label, or use --kind multilabel"
        raise BadInput(f"a task of kind {kind} has one label column", where=sheet.tables[0].path, mend=mend)
    return kind, "as named"


def infer(sheet: LabelledRows) -> tuple[Kind, str]:
    """The kind that the labels suggest, and the reason.

    Numbers with decimals, a unit or separated thousands are amounts (regression) if there are more than ten different
    ones; whole numbers are classes.
    """
    if len(sheet.columns.labels) > 1:
        return "multilabel", "there are several label columns"
    cells = sheet.label
    if _amounts(cells):
        return "regression", f"labels are amounts, {len(set(cells))} different ones"
    if sheet.columns.text_b is not None:
        return "pair", "there are two texts"
    if _tagged(sheet, cells):
        return "tags", "every label holds a tag for each word"
    if multilabel.separator(cells, sheet.columns.labels[0]) is not None:
        return "multilabel", "cells hold several labels"
    return "single", "every row has one label"


def _amounts(cells: Sequence[str]) -> bool:
    """Whether all cells are numbers, some with a fraction or a unit (missing cells are reported later)."""
    parsed = amounts([cell for cell in cells if cell])
    if parsed is None or len(set(parsed.values)) <= _FEW_VALUES:
        return False
    return parsed.surely or (parsed.example is None and any(value % 1 for value in parsed.values))


def _tagged(sheet: LabelledRows, cells: Sequence[str]) -> bool:
    if {sheet.columns.text, *sheet.columns.labels} == {"words", "tags"}:
        return True
    if not tagging.is_scheme({tag for cell in cells for tag in words(cell)}):
        return False
    same = sum(len(words(text)) == len(words(cell)) for text, cell in zip(sheet.first, cells, strict=True))
    return 2 * same > len(cells)
