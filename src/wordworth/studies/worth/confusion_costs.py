"""The user's costs of confusions: a table with a cost for each pair of a true and a predicted class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.measures.metrics import class_spelling
from wordworth.measures.weighted_sums import Floats
from wordworth.records import Table
from wordworth.tasks import task_types
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

if TYPE_CHECKING:
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings
    from wordworth.tasks.task import Task

CONFUSION_COSTS = {
    "true": "the class of a text",
    "predicted": "the class that it is given",
    "cost": "what one such text costs, in the study's currency",
}
_MOST = 1e12
_MEND = "give what one such text costs as a plain number of 0 or more"


@dataclass(frozen=True, slots=True)
class ConfusionCosts:
    """The rows of the user's file of misclassification costs.

    Attributes:
        table: the table of the file, from which an error message takes the line number of a row.
        pairs: the true and the predicted class of each row, as written in the file.
        costs: the cost of each row.
    """

    table: TextTable
    pairs: tuple[tuple[str, str], ...]
    costs: tuple[float, ...]

    @classmethod
    def read(cls, path: Path | str) -> ConfusionCosts:
        """Read the columns `true`, `predicted` and `cost` of a file.

        Raises:
            BadInput: there is no such file or column, the file has no rows, or a cost is not a number of 0 or more.
        """
        table = read_rows(path)
        true, predicted, cells = (table.column(name) for name in CONFUSION_COSTS)
        pairs = tuple((first.strip(), second.strip()) for first, second in zip(true, predicted, strict=True))
        return cls(table, pairs, tuple(_cost(cell, table.where(row)) for row, cell in enumerate(cells)))

    def matrix(self, task: Task) -> Floats:
        """Return the cost of answering each true class (row) as each class (column), float64 [classes, classes].

        A right answer costs 0 unless the file has a row for it; every pair of different classes must have a row.

        Args:
            task: the task; rows and columns are its classes, in order.

        Raises:
            BadInput: the rows of the task do not have one class each, a class is unknown, a pair of different classes
                has no row, or a pair has more than one.
        """
        require_one_class(task.kind)
        classes = task.classes
        costs = np.full((len(classes), len(classes)), np.nan)
        for row, (pair, cost) in enumerate(zip(self.pairs, self.costs, strict=True)):
            true, predicted = (_class_number(name, classes, self.table.where(row)) for name in pair)
            if not np.isnan(costs[true, predicted]):
                what = f"a second cost of true {pair[0]!r} predicted {pair[1]!r}"
                raise BadInput(what, where=self.table.where(row), mend="keep one row for each pair of classes")
            costs[true, predicted] = cost
        costs[np.isnan(costs) & np.eye(len(classes), dtype=np.bool_)] = 0.0
        self._require_all(costs, classes)
        return costs

    def _require_all(self, costs: Floats, classes: Sequence[str]) -> None:
        missing = np.argwhere(np.isnan(costs)).tolist()
        if missing:
            true, predicted = (classes[number] for number in missing[0])
            more = f" and {len(missing) - 1:,} more pairs of classes" if missing[1:] else ""
            what = f"no cost of true {true!r} predicted {predicted!r}{more}"
            mend = "give every pair of different classes a row; a right answer without one costs 0"
            raise BadInput(what, where=self.table.path, mend=mend)


def read_confusion_costs(reading: ReadSettings, settings: WorthSettings) -> ConfusionCosts | None:
    """Return the costs of confusions in the user's file; None if the user names no file.

    Raises:
        BadInput: the file cannot be used, or the user names a kind of task whose rows do not have one class each.
    """
    if settings.costs is None:
        return None
    if reading.kind is not None:
        require_one_class(reading.kind)
    return ConfusionCosts.read(settings.costs)


def require_one_class(kind: str) -> None:
    """Check that a kind of task can have costs of confusions: each text, or pair of texts, has exactly one class.

    Args:
        kind: name of the kind of task.

    Raises:
        BadInput: the kind is not single-label classification.
    """
    if not task_types.get(kind).multiclass:
        what = f"costs are of confusions where each row has one class, not of a task of kind {kind}"
        raise BadInput(what, where="--costs", mend="leave it out")


def confusion_costs_table(costs: Floats, classes: Sequence[str]) -> Table:
    """Return the table `confusion_costs`: a row for each pair of a true and a predicted class.

    Args:
        costs: float64 [classes, classes], as `ConfusionCosts.matrix` returns them.
        classes: the names of the classes.
    """
    rows = [
        {"true": true, "predicted": predicted, "cost": float(costs[row, column])}
        for row, true in enumerate(classes)
        for column, predicted in enumerate(classes)
    ]
    return Table.of(rows, CONFUSION_COSTS)


def _cost(cell: str, where: str) -> float:
    try:
        cost = float(cell)
    except ValueError as error:
        raise BadInput(f"the cost {cell!r:.60} is not a number", where=where, mend=_MEND) from error
    if not 0 <= cost <= _MOST:
        raise BadInput(f"the cost {cell!r:.60} is out of range", where=where, mend=_MEND)
    return cost


def _class_number(name: str, classes: Sequence[str], where: str) -> int:
    known = name if name in classes else class_spelling(name, classes)
    if known not in classes:
        raise BadInput(f"no training row has the class {name!r}", where=where, mend=nearest(name, classes))
    return list(classes).index(known)
