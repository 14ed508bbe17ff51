"""One text or two, one number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wordworth.errors import BadInput
from wordworth.tasks.cells import check_present
from wordworth.tasks.labels import Labelled
from wordworth.tasks.sheet import Sheet
from wordworth.tasks.task import Examples, Labels, Rows


def examples(sheet: Sheet) -> Examples:
    """The texts, or pairs of texts."""
    second = sheet.second
    return Examples(tuple(sheet.first), None if second is None else tuple(second))


def read(sheet: Sheet) -> Labelled:
    """Each row's value, float64 [n].

    Raises:
        BadInput: labels are missing, no finite numbers, or all the same.
    """
    cells = sheet.label
    check_present(sheet, cells)
    labels = np.array([_number(sheet, row, cell) for row, cell in enumerate(cells)])
    if labels.min() == labels.max():
        what = f"every row has the label {cells[0]}: there is nothing to predict"
        raise BadInput(what, where=sheet.tables[0].path, mend="choose another --label")
    return Labelled(labels, (), f"regression from {labels.min():g} to {labels.max():g}")


def default_metric(labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:  # noqa: ARG001 - a TaskKind
    """Spearman's rank correlation, whose meaning does not hang on the scale."""
    return "spearman", "the order of the values counts, whatever their scale"


def _number(sheet: Sheet, row: int, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if math.isfinite(value):
        return value
    comma = cell.replace(",", ".", 1)
    mend = f"write {comma}, with a point" if comma != cell else "write a number, or use --kind single for classes"
    raise BadInput(f"label {cell!r} is not a number", where=sheet.where(row), mend=mend)
