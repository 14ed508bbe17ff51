"""Restrict a task to the classes of its training part: a class that only the test part has cannot be learned."""

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
    """Labels over the training part's classes, the test rows without other classes, and a finding about those dropped.

    The labels of dropped rows are meaningless. Regression is returned unchanged.

    Args:
        sheet: the rows, for locations in errors.
        labelled: the labels of all rows.
        parts: training and test rows.
        skip: drop such rows however many there are.
        part: the name of the second part.

    Raises:
        BadInput: more than one test row in twenty has a class that the training part lacks, and `skip` is False.
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
    reduced = Labelled(_renumbered(labelled.labels, known), names, labelled.description)
    if not len(left_out):
        return reduced, kept, ()
    unseen = sorted({labelled.classes[index] for index in classes[np.isin(rows, left_out)] if not known[index]})
    if not skip:
        _check(sheet, left_out, test, unseen, part)
    return reduced, kept, (_finding(left_out, test, unseen, part),)


def _with_both_prefixes(classes: Sequence[str], seen: np.ndarray) -> np.ndarray:
    """Which classes training has; for an entity type that it has, both `B-` and `I-`."""
    if not is_scheme(classes):
        return seen
    types = [name[2:] for name, is_seen in zip(classes, seen, strict=True) if is_seen and name != "O"]
    wanted = set(iob2_classes(types))
    return np.array([name in wanted for name in classes], dtype=np.bool_)


def _renumbered(labels: Labels, known: np.ndarray) -> Labels:
    number = np.where(known, np.cumsum(known) - 1, -1)
    if isinstance(labels, tuple):
        return tuple(number[tags] for tags in labels)
    return labels[:, known] if labels.dtype == np.bool_ else number[labels]


def _check(sheet: LabelledRows, left_out: Rows, test: Rows, unseen: Sequence[str], part: str) -> None:
    if len(left_out) > _MOST_UNSEEN * len(test):
        path, locations = sheet.listed(left_out.tolist())
        what = f"{len(left_out)} of {len(test)} {part} rows have a class that the training part lacks ({locations}): "
        mend = "add examples of these classes to the training file, or skip such rows with --skip-unusable"
        raise BadInput(what + ", ".join(map(repr, unseen[:5])), where=path, mend=mend)


def _finding(left_out: Rows, test: Rows, unseen: Sequence[str], part: str) -> Finding:
    text = (
        f"{len(left_out)} of {len(test)} {part} rows have a class that the training part lacks "
        f"({', '.join(map(repr, unseen[:5]))}): they are left out, since no model could have learned it and "
        "every rung would be wrong on them."
    )
    name = "warning.unseen_classes" if part == "test" else f"warning.unseen_classes_{part}"
    return Finding(name, text, {"rows": len(left_out), part: len(test), "classes": list(unseen)})
