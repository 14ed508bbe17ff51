"""Cells of rows to predict, and of files of predictions, as kinds of task read them."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class PredictedCell(NamedTuple):
    """A cell of a file of predictions, and its location (file and line) for errors."""

    text: str
    where: str


class RowCells(Protocol):
    """An interface of a row to predict, whose cells are found by role (`text`, `words`, `context`, ...)."""

    @property
    def where(self) -> str:
        """The location of the row (file and line), for errors."""
        ...

    def cell(self, role: str, *, needed: bool = True) -> str:
        """Return the cell with a given role in a row.

        Args:
            role: the role, such as `text`.
            needed: whether a row without this cell is an error; if not, the result is "".
        """
        ...
