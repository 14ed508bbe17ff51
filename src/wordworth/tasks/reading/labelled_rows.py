"""`LabelledRows`: the rows of training, test and dev file with their chosen columns; and how their cells are parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.sentence_formatting import some_of
from wordworth.tasks.examples import Origin
from wordworth.tasks.reading.infer_columns import TaskColumns
from wordworth.text.file_formats.jsonl import cell as cell_of_json
from wordworth.text.file_formats.jsonl import parse_cell
from wordworth.text.file_formats.table import TextTable, document_numbers

_MISSING = {"", "nan"}
_NO_ANSWER = {"n/a", "na", "nan", "null", "none", "nil", "missing", "-", "--", "?", "#n/a", "<na>", "tbd", "(blank)"}
_SPACE = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """The rows of one to three tables (training, test and dev file), numbered consecutively.

    Attributes:
        tables: the rows of each file.
        columns: the columns of the task.
        parts: the part that each table holds: `train`, `test` or `dev`; without a test table, the training table is
            split.
    """

    tables: tuple[TextTable, ...]
    columns: TaskColumns
    parts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return sum(map(len, self.tables))

    @property
    def first(self) -> list[str]:
        """The texts of all rows, or the first texts of pairs."""
        return self.cells(self.columns.text)

    @property
    def second(self) -> list[str] | None:
        """The second texts of all rows; None where rows have one text."""
        return None if self.columns.text_b is None else self.cells(self.columns.text_b)

    @property
    def label(self) -> list[str]:
        """The cells of the label column (of several label columns, the first), stripped of white space."""
        return [cell.strip() for cell in self.cells(self.columns.labels[0])]

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the columns that all files have and that the task does not use."""
        shared = [name for name in self.tables[0].columns if all(name in table.columns for table in self.tables)]
        return tuple(name for name in shared if name not in self.columns.named)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The files that the rows were read from."""
        return tuple(Origin(table.path, table.sha256, table.rows_in_file) for table in self.tables)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The index of each row among all rows of the files in order, int64 [n].

        Rows of the files that were left out (`without`) are counted too.
        """
        parts, before = [], 0
        for table in self.tables:
            own = np.arange(len(table)) if table.indices is None else np.array(table.indices, dtype=np.int64)
            parts.append(own + before)
            before += table.rows_in_file
        return np.concatenate(parts)

    @property
    def test_table(self) -> TextTable | None:
        """The table of the test file; None without a test file, so that training rows are held out for testing."""
        return next((table for table, part in zip(self.tables, self.parts, strict=False) if part == "test"), None)

    @property
    def dev(self) -> range:
        """The range of the indices of the dev file's rows, which come last; empty if there is no dev file."""
        own = len(self.tables[-1]) if self.parts[-1:] == ("dev",) else 0
        return range(len(self) - own, len(self))

    def without(self, rows: Iterable[int]) -> LabelledRows:
        """Return a copy without some rows; the indices of the remaining rows are consecutive again.

        Args:
            rows: the indices of the rows to leave out.
        """
        gone, tables, before = set(rows), [], 0
        for table in self.tables:
            tables.append(table.without({row - before for row in gone if before <= row < before + len(table)}))
            before += len(table)
        return LabelledRows(tuple(tables), self.columns, self.parts)

    @property
    def documents(self) -> tuple[int, ...] | None:
        """The index of each row's document, counted through all files; None if one of the files marks no documents.

        A file marks documents by its format (such as CoNLL), or by a column `document` that the task does not use
        otherwise.
        """
        numbers: list[int] = []
        for table in self.tables:
            marked = table.document_of or document_numbers(
                table.columns["document"] if "document" in self.others else ()
            )
            if marked is None:
                return None
            before = numbers[-1] + 1 if numbers else 0
            numbers += [before + number for number in marked]
        return tuple(numbers)

    def cells(self, name: str) -> list[str]:
        """Return the cells of a column, from all tables in order."""
        return [cell for table in self.tables for cell in table.columns[name]]

    def where(self, row: int) -> str:
        """Return the file and line of a row, as text."""
        table, inside = self._inside(row)
        return table.where(inside)

    def name_and_line(self, row: int) -> str:
        """Return the file (without its folder) and line of a row, as text."""
        return Path(self.where(row)).name

    def locations(self, rows: Sequence[int]) -> tuple[str, str]:
        """Return (file, phrase): the file of the first row, and a phrase that names the lines of the rows in that file.

        Args:
            rows: row indices, ascending; rows of later files are not named.
        """
        table, first = self._inside(rows[0])
        inside = [row - rows[0] + first for row in rows]
        return table.path, table.locations([row for row in inside if row < len(table)])

    def _inside(self, row: int) -> tuple[TextTable, int]:
        for table in self.tables:
            if row < len(table):
                return table, row
            row -= len(table)
        raise IndexError(row)


def labelled_rows(
    train: TextTable, test: TextTable | None, columns: TaskColumns, dev: TextTable | None = None
) -> LabelledRows:
    """Return the rows of the training file, the test file and the dev file, in this order.

    Args:
        train: the training file.
        test: the test file, if there is one.
        columns: the columns of the task.
        dev: the dev file, if there is one.

    Raises:
        BadInput: the test or the dev file lacks a column.
    """
    others = [(part, table) for part, table in (("test", test), ("dev", dev)) if table is not None]
    for part, table in others:
        for name in columns.named:
            if name in train.columns and name not in table.columns:
                what = f"the {part} file has no column {name!r}, which {train.path} has"
                raise BadInput(what, where=table.path, mend=nearest(name, table.columns))
    return LabelledRows((train, *(table for _, table in others)), columns, ("train", *(part for part, _ in others)))


def check_present(rows: LabelledRows, cells: Sequence[str]) -> None:
    """Check that every row has a label: no cell is empty or NaN (`null` and `NA` are ordinary words).

    Raises:
        BadInput: rows lack a label; the error names their lines.
    """
    _require_all(rows, cells, "label")


def filled_cells(rows: LabelledRows, name: str) -> list[str]:
    """Return the cells of a column that must be filled in every row, without white space around them.

    Raises:
        BadInput: cells are empty; the error names their lines.
    """
    cells = [cell.strip() for cell in rows.cells(name)]
    _require_all(rows, cells, repr(name))
    return cells


def _require_all(rows: LabelledRows, cells: Sequence[str], noun: str) -> None:
    missing = absent(cells)
    if missing:
        path, locations = rows.locations(missing)
        what = f"{some_of(len(missing), len(cells), 'rows has', 'rows have')} no {noun} ({locations})"
        raise BadInput(
            what,
            where=path,
            mend="fill them in, or remove such rows (worth and finetune skip them with --skip-unusable)",
        )


def absent(cells: Sequence[str]) -> list[int]:
    """Return the indices of the cells that are empty or NaN."""
    return [row for row, cell in enumerate(cells) if cell.strip().lower() in _MISSING]


def is_no_answer(cell: str) -> bool:
    """Return whether a cell holds a word that commonly stands for a missing value, such as `NA` or `?`.

    >>> is_no_answer(" N/A"), is_no_answer("neutral")
    (True, False)
    """
    return cell.strip().casefold() in _NO_ANSWER


def values(cell: str) -> list[str] | None:
    """Return the items of a cell that holds a JSON array, as cells of text; None if the cell holds something else."""
    if not cell.startswith("["):
        return None
    try:
        items = parse_cell(cell)
    except ValueError:
        return None
    return [cell_of_json(value) for value in items]


def words(cell: str) -> list[str]:
    """Return the words (or tags) of a sentence in a cell: the items of a JSON array, else the cell split at spaces.

    A missing word of an array, null or "", is "".
    """
    items = values(cell)
    return [word for word in _SPACE.split(cell) if word] if items is None else items


def whole_words(cell: str, where: str, noun: str = "word") -> list[str]:
    """Return the words (or tags) of a sentence in a cell, as `words` does, and check that none is missing.

    Args:
        cell: the cell.
        where: the file and line of the cell, for the error.
        noun: what the items are, for the error: `word` or `tag`.

    Raises:
        BadInput: an item of a JSON array is null or "".
    """
    items = words(cell)
    if "" in items:
        what = f"{noun} {items.index('') + 1} of {len(items)} is missing (null or empty)"
        raise BadInput(what, where=where, mend="fill it in, or remove the word and its tag")
    return items
