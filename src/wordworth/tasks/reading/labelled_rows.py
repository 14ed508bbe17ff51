"""`LabelledRows`: the chosen columns of a training, a test and a dev file; and cells of several values or of none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.json_file import parse_json
from wordworth.tasks.examples import Origin
from wordworth.tasks.reading.infer_columns import Columns
from wordworth.text.file_formats.table import TextTable, numbered

_MISSING = {"", "nan"}
_SPACE = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """Rows of one or more tables, numbered consecutively.

    Attributes:
        tables: the rows of each file.
        columns: the columns of the task.
        parts: the part of the task that each table is: `train`, `test` or `dev`; a table alone may be split.
    """

    tables: tuple[TextTable, ...]
    columns: Columns
    parts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return sum(map(len, self.tables))

    @property
    def first(self) -> list[str]:
        """The texts."""
        return self.cells(self.columns.text)

    @property
    def second(self) -> list[str] | None:
        """The second texts of pairs."""
        return None if self.columns.text_b is None else self.cells(self.columns.text_b)

    @property
    def label(self) -> list[str]:
        """The cells of the (first) label column, stripped of white space."""
        return [cell.strip() for cell in self.cells(self.columns.labels[0])]

    @property
    def others(self) -> tuple[str, ...]:
        """Columns that every table has and the task does not use."""
        shared = [name for name in self.tables[0].columns if all(name in table.columns for table in self.tables)]
        return tuple(name for name in shared if name not in self.columns.named)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The files of the rows."""
        return tuple(Origin(table.path, table.sha256, table.rows_in_file) for table in self.tables)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The row number of each in its file, int64 [n], counting through all files in order."""
        parts, before = [], 0
        for table in self.tables:
            own = np.arange(len(table)) if table.numbers is None else np.array(table.numbers, dtype=np.int64)
            parts.append(own + before)
            before += table.rows_in_file
        return np.concatenate(parts)

    @property
    def test_table(self) -> TextTable | None:
        """The test file; None where a share of the rows is tested on."""
        return next((table for table, part in zip(self.tables, self.parts, strict=False) if part == "test"), None)

    @property
    def dev(self) -> range:
        """The rows of a dev file, which are the last; empty if there is none."""
        own = len(self.tables[-1]) if self.parts[-1:] == ("dev",) else 0
        return range(len(self) - own, len(self))

    def without(self, rows: Iterable[int]) -> LabelledRows:
        """The rows without some of them."""
        gone, tables, before = set(rows), [], 0
        for table in self.tables:
            tables.append(table.without({row - before for row in gone if before <= row < before + len(table)}))
            before += len(table)
        return LabelledRows(tuple(tables), self.columns, self.parts)

    @property
    def documents(self) -> tuple[int, ...] | None:
        """The number of each row's document, through all tables; None where a table marks none.

        Documents are marked by the file, or by a column `document` that the task does not use otherwise.
        """
        numbers: list[int] = []
        for table in self.tables:
            marked = table.document_of or numbered(table.columns["document"] if "document" in self.others else ())
            if marked is None:
                return None
            before = numbers[-1] + 1 if numbers else 0
            numbers += [before + number for number in marked]
        return tuple(numbers)

    def cells(self, name: str) -> list[str]:
        """The cells of a column in all tables."""
        return [cell for table in self.tables for cell in table.columns[name]]

    def where(self, row: int) -> str:
        """File and line of a row."""
        table, inside = self._inside(row)
        return table.where(inside)

    def name_and_line(self, row: int) -> str:
        """The file's name without its folder, and the line of a row."""
        return Path(self.where(row)).name

    def listed(self, rows: Sequence[int]) -> tuple[str, str]:
        """The file of the first of `rows`, and the positions of those in the same file."""
        table, first = self._inside(rows[0])
        inside = [row - rows[0] + first for row in rows]
        return table.path, table.listed([row for row in inside if row < len(table)])

    def _inside(self, row: int) -> tuple[TextTable, int]:
        for table in self.tables:
            if row < len(table):
                return table, row
            row -= len(table)
        raise IndexError(row)


def labelled_rows(
    train: TextTable, test: TextTable | None, columns: Columns, dev: TextTable | None = None
) -> LabelledRows:
    """The rows of the training file, then those of a test file and of a dev file with the same columns.

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
            if name not in table.columns:
                what = f"the {part} file has no column {name!r}, which {train.path} has"
                raise BadInput(what, where=table.path, mend=nearest(name, table.columns))
    return LabelledRows((train, *(table for _, table in others)), columns, ("train", *(part for part, _ in others)))


def check_present(sheet: LabelledRows, cells: Sequence[str]) -> None:
    """Refuse empty and NaN labels (`null` and `NA` are ordinary words).

    Raises:
        BadInput: some are missing; names the lines.
    """
    missing = absent(cells)
    if missing:
        path, locations = sheet.listed(missing)
        what = f"{len(missing)} of {len(cells)} rows have no label ({locations})"
        raise BadInput(what, where=path, mend="fill them in, or skip such rows with --skip-unusable")


def absent(cells: Sequence[str]) -> list[int]:
    """The rows whose label is missing."""
    return [row for row, cell in enumerate(cells) if cell.lower() in _MISSING]


def values(cell: str) -> list[str] | None:
    """The values of a JSON array, None for any other cell."""
    if not cell.startswith("["):
        return None
    try:
        items = parse_json(cell)
    except ValueError:
        return None
    return [value if isinstance(value, str) else json.dumps(value) for value in items]


def words(cell: str) -> list[str]:
    """The words (or tags) of a sentence: the items of a JSON array, else the cell split at spaces."""
    listed = values(cell)
    return [word for word in _SPACE.split(cell) if word] if listed is None else listed
