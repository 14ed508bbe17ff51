"""Tables whose rows hold one or two texts and a class or number: GLUE's TSV files, CSV, JSON Lines and Parquet."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.tasks.examples import Examples, Labels
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.text.file_formats.read import read_table
from wordworth.text.file_formats.table import TextTable
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.read_compressed_file import RawFile


@dataclass(frozen=True, kw_only=True, slots=True)
class TextTableReader:
    """A reader of tables of labelled texts, with the names of their columns.

    Attributes:
        first: the column of the texts, or of the first texts of pairs.
        second: the column of the second texts of pairs.
        label: the column of classes or values.
        classes: the classes in the order of the task; empty where labels are numbers.
        class_names: class name in the file -> class name of the task, where they differ.
        only_rows_with: (column, value): only rows with this value in this column belong to the part that is read; None
            for all rows.
        header: the column names of a file without a header line.
        name: the column of the examples' ids in the data set; None if the data set has no ids.
        left_out: labels whose rows are left out, such as the label of pairs on which annotators did not agree.
    """

    first: str
    label: str
    second: str | None = None
    classes: tuple[str, ...] = ()
    class_names: Mapping[str, str] = field(default_factory=dict)
    only_rows_with: tuple[str, str] | None = None
    header: tuple[str, ...] | None = None
    name: str | None = None
    left_out: tuple[str, ...] = ()

    def __call__(self, file: RawFile) -> Part:
        """Read the part in a file.

        Raises:
            BadInput: the file is not such a table, or a label is not one of the classes or not a number.
        """
        table = self.table(file)
        rows = self.rows(table)
        first, label = table.column(self.first), table.column(self.label)
        second = None if self.second is None else table.column(self.second)
        seconds = None if second is None else tuple(second[row] for row in rows)
        names = None if self.name is None else table.column(self.name)
        ids = None if names is None else tuple(names[row] for row in rows)
        examples = Examples(tuple(first[row] for row in rows), seconds, ids=ids)
        parsed = [self._label(table, row, label[row].strip()) for row in rows]
        labels: Labels = np.array(parsed, dtype=np.int64 if self.classes else np.float64)
        return Part(examples, labels, (origin(file, len(rows)),), table.notes)

    def table(self, file: RawFile) -> TextTable:
        """Return the rows of a file as a table; a TSV is read without quoting."""
        if file.suffix != ".tsv":
            return read_table(file)
        wanted = {self.first, self.second or "", self.label, self.name or "", *(self.only_rows_with or ())[:1]}
        return read_plain_tsv(file, self.header, wanted)

    def rows(self, table: TextTable) -> list[int]:
        """Return the indices of a table's rows that belong to the part that is read.

        Raises:
            BadInput: no row belongs to the part.
        """
        rows = list(range(len(table)))
        if self.left_out:
            labels = table.column(self.label)
            rows = [row for row in rows if labels[row].strip() not in self.left_out]
        if self.only_rows_with is None:
            return rows
        name, value = self.only_rows_with
        cells = table.column(name)
        rows = [row for row in rows if cells[row] == value]
        if not rows:
            raise BadInput(f"no row has {value!r} in column {name!r}", where=table.path, mend="fetch the file again")
        return rows

    def _label(self, table: TextTable, row: int, cell: str) -> float:
        if not self.classes:
            return _value(table, row, cell)
        name = self.class_names.get(cell, cell)
        if name not in self.classes:
            raise BadInput(f"label {cell!r:.60}", where=table.where(row), mend=nearest(name, self.classes))
        return self.classes.index(name)


def _value(table: TextTable, row: int, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(f"label {cell!r:.60} is not a number", where=table.where(row), mend="fetch the file again")
    return value
