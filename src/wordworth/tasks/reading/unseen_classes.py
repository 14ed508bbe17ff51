"""A task's classes are those of its training part: what only the test part has, nothing could have learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.tasks.labels import Labelled, memberships
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Labels, Rows
from wordworth.tasks.task_types.tagging import iob2_classes, is_scheme

_MOST_UNSEEN = 0.05


def restrict(
    sheet: LabelledRows, labelled: Labelled, parts: tuple[Rows, Rows], *, skip: bool = False, part: str = "test"
) -> tuple[Labelled, Rows, tuple[Finding, ...]]:
    """Labels over the training part's classes, the test rows that have no other class, and what was left out.

    Labels of rows left out mean nothing. Regression passes through.

    Args:
        sheet: where the rows stood.
        labelled: the labels of all rows.
        parts: training and test rows.
        skip: leave such rows out however many they are.
        part: what the second part is called.

    Raises:
        BadInput: more than one test row in twenty has a class that the training part lacks, and they are not skipped.
    """
    train, test = parts
    rows, classes = memberships(labelled.labels)
    if not labelled.classes:
        return labelled, test, ()
    seen = np.zeros(len(labelled.classes), dtype=np.bool_)
    seen[classes[np.isin(rows, train)]] = True
    known = _with_both_prefixes(labelled.classes, seen)
    strange = np.unique(rows[~known[classes]])
    left_out = np.intersect1d(test, strange)
    kept = np.setdiff1d(test, strange)
    names = tuple(name for name, keep in zip(labelled.classes, known, strict=True) if keep)
    reduced = Labelled(_renumbered(labelled.labels, known), names, labelled.how)
    if not len(left_out):
        return reduced, kept, ()
    unseen = sorted({labelled.classes[one] for one in classes[np.isin(rows, left_out)] if not known[one]})
    if not skip:
        _check(sheet, left_out, test, unseen, part)
    return reduced, kept, (_finding(left_out, test, unseen, part),)


def _with_both_prefixes(classes: Sequence[str], seen: np.ndarray) -> np.ndarray:
    """Classes that training has; of an entity type it has, both `B-` and `I-`."""
    if not is_scheme(classes):
        return seen
    types = [name[2:] for name, found in zip(classes, seen, strict=True) if found and name != "O"]
    wanted = set(iob2_classes(types))
    return np.array([name in wanted for name in classes], dtype=np.bool_)


def _renumbered(labels: Labels, known: np.ndarray) -> Labels:
    number = np.where(known, np.cumsum(known) - 1, -1)
    if isinstance(labels, tuple):
        return tuple(number[tags] for tags in labels)
    return labels[:, known] if labels.dtype == np.bool_ else number[labels]


def _check(sheet: LabelledRows, left_out: Rows, test: Rows, unseen: Sequence[str], part: str) -> None:
    if len(left_out) > _MOST_UNSEEN * len(test):
        path, places = sheet.listed(left_out.tolist())
        what = f"{len(left_out)} of {len(test)} {part} rows have a class that the training part lacks ({places}): "
        mend = "add examples of these classes to the training file, or leave such rows out: --skip-unusable"
        raise BadInput(what + ", ".join(map(repr, unseen[:5])), where=path, mend=mend)


def _finding(left_out: Rows, test: Rows, unseen: Sequence[str], part: str) -> Finding:
    text = (
        f"{len(left_out)} of {len(test)} {part} rows have a class that the training part lacks "
        f"({', '.join(map(repr, unseen[:5]))}): they are left out, for nothing could have learned it; on "
        "them, every rung would be wrong."
    )
    name = "warning.unseen_classes" if part == "test" else f"warning.unseen_classes_{part}"
    return Finding(name, text, {"rows": len(left_out), part: len(test), "classes": list(unseen)})
