"""Regression: one text or two, one number."""

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
    """The value of each row, float64 [n].

    Raises:
        BadInput: labels are missing, not finite numbers, or all the same.
    """
    cells = sheet.label
    check_present(sheet, cells)
    parsed = amounts(cells)
    labels = np.array(
        [_number(sheet, row, cell) for row, cell in enumerate(cells)] if parsed is None else parsed.values
    )
    if not np.isfinite(labels).all():
        _number(sheet, row := int(np.argmin(np.isfinite(labels))), cells[row])
    if labels.min() == labels.max():
        what = f"every row has the label {cells[0]}: there is nothing to predict"
        raise BadInput(what, where=sheet.tables[0].path, mend="choose another --label")
    how = f", such as {parsed.example[0]!r} read as {parsed.example[1]:.12g}" if parsed and parsed.example else ""
    return Labelled(labels, (), f"regression from {labels.min():,.6g} to {labels.max():,.6g}{how}")


def default_metric(labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:  # noqa: ARG001 - a TaskKind
    """Spearman's rank correlation, which does not depend on the scale."""
    return "spearman", "the order of the values counts, whatever their scale"


def _number(sheet: LabelledRows, row: int, cell: str) -> float:
    """The number in a cell of a column whose cells are not all amounts in one notation."""
    alone = amounts([cell])
    if alone is not None and alone.example is None and math.isfinite(alone.values[0]):
        return alone.values[0]
    mend = "write a number, or use --kind single for classes"
    if alone is not None and alone.example is not None:
        mend = f"other rows use another notation: write {alone.values[0]:.12g}, or all rows in the same notation"
    raise BadInput(f"label {cell!r} is not a number", where=sheet.where(row), mend=mend)
