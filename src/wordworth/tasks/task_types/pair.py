"""Pair classification: two texts, one class."""

from __future__ import annotations

from wordworth.errors import BadInput
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Examples
from wordworth.tasks.task_types import classification
from wordworth.tasks.task_types.classification import default_metric, read

__all__ = ["default_metric", "examples", "read"]


def examples(sheet: LabelledRows) -> Examples:
    """The pairs of texts.

    Raises:
        BadInput: no column of second texts is named.
    """
    if sheet.second is None:
        mend = "name it with --text-b"
        raise BadInput("pairs need a column of second texts", where=sheet.tables[0].path, mend=mend)
    return Examples(classification.examples(sheet).first, tuple(sheet.second))
