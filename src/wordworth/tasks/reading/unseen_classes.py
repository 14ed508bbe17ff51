"""Restrict a task to the classes of its training part: nothing can learn a class that only the test part has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import some_of
from wordworth.tasks.labels import memberships
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.reading.split_by_time import SMALLER_TEST_SHARE
from wordworth.tasks.task import Labels, Rows, Task
from wordworth.tasks.task_types.tagging import iob2_classes, is_scheme

_MOST_UNSEEN = 0.05


@dataclass(frozen=True, slots=True)
class TrainingClasses:
    """A task, and for each of its classes whether a row of the training part has it.

    Attributes:
        task: the task.
        known: bool [classes], whether a training row has the class.

    If a training row has one of the tags `B-` and `I-` of an entity type, both are known.
    """

    task: Task
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, task: Task, train: Rows) -> TrainingClasses:
        """Find the classes of a task that its training rows have.

        Args:
            task: the task.
            train: int64 [n], the indices of the training rows.
        """
        rows, classes = memberships(task.labels)
        seen = np.zeros(len(task.classes), dtype=np.bool_)
        if len(seen):
            seen[classes[np.isin(rows, train)]] = True
        return cls(task, _with_both_prefixes(task.classes, seen))

    def restricted(self) -> Task:
        """Return a copy of the task with only the classes that training rows have; class indices change accordingly.

        A row's label of another class becomes -1 (in multi-label tasks it is dropped); `usable` finds such rows.
        """
        if not self.task.classes:
            return self.task
        names = tuple(name for name, keep in zip(self.task.classes, self.known, strict=True) if keep)
        return replace(self.task, labels=_renumbered(self.task.labels, self.known), classes=names)

    def usable(
        self, tested: Rows, part: str, labelled: LabelledRows, *, skip: bool = False
    ) -> tuple[Rows, tuple[Finding, ...]]:
        """Return the rows of a part without the rows that have a class that no training row has.

        Args:
            tested: int64 [n], the indices of the part's rows.
            part: the name of the part, `test` or `dev`.
            labelled: all rows of the task, for locations in errors.
            skip: whether more than one row in twenty may be left out.

        Returns:
            (rows, findings): the indices of the remaining rows, int64, and a finding if rows are left out.

        Raises:
            BadInput: more than one row in twenty would be left out, and `skip` is False.
        """
        if not self.task.classes:
            return tested, ()
        rows, classes = memberships(self.task.labels)
        left_out = np.intersect1d(tested, rows[~self.known[classes]])
        if not len(left_out):
            return np.setdiff1d(tested, left_out), ()
        strange = {self.task.classes[index] for index in classes[np.isin(rows, left_out)] if not self.known[index]}
        unseen = ", ".join(map(repr, sorted(strange)[:5]))
        which = some_of(len(left_out), len(tested), f"{part} rows has", f"{part} rows have")
        what = f"{which} a class that the training part lacks"
        if not skip and len(left_out) > _MOST_UNSEEN * len(tested):
            path, locations = labelled.locations(left_out.tolist())
            mend = "add examples of these classes to the training file"
            if labelled.columns.time is not None:
                mend = SMALLER_TEST_SHARE
            mend += ", or remove such rows (worth and finetune skip them with --skip-unusable)"
            raise BadInput(f"{what} ({locations}): {unseen}", where=path, mend=mend)
        text = (
            f"{what} ({unseen}): they are left out, since no model could have learned it and every rung would be wrong "
            "on them."
        )
        name = "warning.unseen_classes" if part == "test" else f"warning.unseen_classes_{part}"
        numbers = {"rows": len(left_out), part: len(tested), "classes": sorted(strange)}
        return np.setdiff1d(tested, left_out), (Finding(name, text, numbers),)


def _with_both_prefixes(classes: Sequence[str], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    if not is_scheme(classes):
        return seen
    types = [name[2:] for name, is_seen in zip(classes, seen, strict=True) if is_seen and name != "O"]
    wanted = set(iob2_classes(types))
    return np.array([name in wanted for name in classes], dtype=np.bool_)


def _renumbered(labels: Labels, known: NDArray[np.bool_]) -> Labels:
    number = np.where(known, np.cumsum(known) - 1, -1)
    if isinstance(labels, tuple):
        return tuple(number[tags] for tags in labels)
    return labels[:, known] if labels.dtype == np.bool_ else number[labels]
