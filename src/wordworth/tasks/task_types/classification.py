"""Classification: one text, one class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from wordworth.errors import BadInput
from wordworth.tasks.labels import Labelled, in_order
from wordworth.tasks.reading.cell_values import check_present
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.text_format import percent

_MANY = 0.5
_UNEVEN, _LEAST, _MOST = 2.0, 0.4, 0.75


def examples(sheet: LabelledRows) -> Examples:
    """The texts."""
    return Examples(tuple(sheet.first))


def read(sheet: LabelledRows) -> Labelled:
    """The class of each row, int64 [n].

    Raises:
        BadInput: labels are missing, all the same, or nearly all different.
    """
    cells = sheet.label
    check_present(sheet, cells)
    classes = in_order(set(cells))
    _check(sheet, cells, classes)
    index = {name: number for number, name in enumerate(classes)}
    labels = np.array([index[cell] for cell in cells], dtype=np.int64)
    return Labelled(labels, classes, "classification")


def default_metric(labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
    """Accuracy, or macro F1 where a constant prediction would score well, and the reason in words.

    Classes count as uneven if the largest has three quarters of the training rows, or, with three classes or more,
    twice an even share and at least two fifths.
    """
    share = max(Counter(np.asarray(labels)[train].tolist()).values()) / len(train)
    bound = min(_MOST, max(_UNEVEN / len(classes), _LEAST))
    majority = f"the largest class holds {percent(share)} of the training rows"
    if share >= bound:
        return "macro_f1", f"{majority}, which is uneven: at least {percent(bound)}"
    reason = f"{majority}, under the {percent(bound)} from which macro F1 is used"
    return "accuracy", f"{reason}; always predicting that class would score about {100 * share:.0f}"


def _check(sheet: LabelledRows, cells: Sequence[str], classes: Sequence[str]) -> None:
    where, name = sheet.tables[0].path, sheet.columns.labels[0]
    if len(classes) == 1:
        what = f"every row has the label {classes[0]!r}: there is nothing to learn"
        raise BadInput(what, where=where, mend="choose another --label, or add rows of a second class")
    if len(classes) > _MANY * len(cells):
        what = f"label column {name!r} has {len(classes)} different values in {len(cells)} rows"
        mend = "choose another --label; --kind regression if the values are amounts"
        raise BadInput(what, where=where, mend=mend)
