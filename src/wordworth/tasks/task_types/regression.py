"""One text or two, one number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wordworth.errors import BadInput
from wordworth.tasks.labels import Labelled
from wordworth.tasks.reading.cell_values import check_present
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.reading.numeric_labels import amounts
from wordworth.tasks.task import Examples, Labels, Rows


def examples(sheet: LabelledRows) -> Examples:
    """The texts, or pairs of texts."""
    second = sheet.second
    return Examples(tuple(sheet.first), None if second is None else tuple(second))


def read(sheet: LabelledRows) -> Labelled:
    """Each row's value, float64 [n].

    Raises:
        BadInput: labels are missing, no finite numbers, or all the same.
    """
    cells = sheet.label
    check_present(sheet, cells)
    found = amounts(cells)
    labels = np.array([_number(sheet, row, cell) for row, cell in enumerate(cells)] if found is None else found.values)
    if not np.isfinite(labels).all():
        _number(sheet, row := int(np.argmin(np.isfinite(labels))), cells[row])
    if labels.min() == labels.max():
        what = f"every row has the label {cells[0]}: there is nothing to predict"
        raise BadInput(what, where=sheet.tables[0].path, mend="choose another --label")
    how = f", such as {found.example[0]!r} read as {found.example[1]:.12g}" if found and found.example else ""
    return Labelled(labels, (), f"regression from {labels.min():,.6g} to {labels.max():,.6g}{how}")


def default_metric(labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:  # noqa: ARG001 - a TaskKind
    """Spearman's rank correlation, whose meaning does not hang on the scale."""
    return "spearman", "the order of the values counts, whatever their scale"


def _number(sheet: LabelledRows, row: int, cell: str) -> float:
    """The number of a cell in a column that is not one of amounts throughout."""
    alone = amounts([cell])
    if alone is not None and alone.example is None and math.isfinite(alone.values[0]):
        return alone.values[0]
    mend = "write a number, or use --kind single for classes"
    if alone is not None and alone.example is not None:
        mend = f"other rows are written otherwise: write {alone.values[0]:.12g}, or all rows alike"
    raise BadInput(f"label {cell!r} is not a number", where=sheet.where(row), mend=mend)
