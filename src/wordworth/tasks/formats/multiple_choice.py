"""Tables of multiple choice: a context, several endings, the number of the right ending."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.tasks.examples import Examples
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.tasks.reading.labelled_rows import values
from wordworth.text.file_formats.read import read_table
from wordworth.text.file_formats.table import TextTable
from wordworth.text.file_formats.tsv import read_plain_tsv
from wordworth.text.read_compressed_file import RawFile

_AGAIN = "mend the row, or fetch the file again if it is a published one"


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """A reader of tables of multiple choice, with the names of their columns.

    Attributes:
        first: the column of contexts.
        second: the column of texts between context and ending: words that every ending continues, or a question; None
            without such a column.
        options: the columns of the endings, or a single column whose cells list all endings.
        label: the column of the right ending's number, from 0.
        header: the column names of a file without a header line.
        keep: the fold of the file's rows to read as the part; None to read the whole file.
    """

    first: str
    options: tuple[str, ...]
    label: str
    second: str | None = None
    header: tuple[str, ...] | None = None
    keep: Fold | None = None

    def __call__(self, file: RawFile) -> Part:
        """Read the part in a file.

        Raises:
            BadInput: the file is not such a table, or a label is not the number of an ending.
        """
        plain = file.suffix == ".tsv"
        table = read_plain_tsv(file, self.header) if plain else read_table(file)
        examples, labels = self.examples(table)
        return Part(examples, labels, (origin(file, len(labels)),), table.notes)

    def examples(self, table: TextTable) -> tuple[Examples, NDArray[np.int64]]:
        """Return the examples of a table, each a context with its endings, and the labels, int64 [n].

        A label is the number of the right ending. Only rows of the fold `keep` are returned.

        Raises:
            BadInput: a column is missing, or a label is not the number of an ending.
        """
        rows = [row for row in range(len(table)) if self.keep is None or self.keep.holds(row)]
        first, label = table.column(self.first), table.column(self.label)
        second = None if self.second is None else table.column(self.second)
        options = self._options(table)
        examples = Examples(
            tuple(first[row] for row in rows),
            None if second is None else tuple(second[row] for row in rows),
            options=tuple(options[row] for row in rows),
        )
        labels = np.array(
            [parse_right_option(table, row, label[row], len(options[row])) for row in rows], dtype=np.int64
        )
        return examples, labels

    def _options(self, table: TextTable) -> list[tuple[str, ...]]:
        columns = [table.column(name) for name in self.options]
        if len(columns) > 1:
            return list(zip(*columns, strict=True))
        listed = [tuple(values(cell) or ()) for cell in columns[0]]
        short = next((row for row, options in enumerate(listed) if len(options) < 2), None)  # noqa: PLR2004 - a choice
        if short is not None:
            what = f"{self.options[0]!r} does not hold a list of two options or more"
            raise BadInput(what, where=table.where(short), mend=_AGAIN)
        return listed


@dataclass(frozen=True, slots=True)
class Fold:
    """A fold of the rows of a file that has no published split.

    The rows are counted in blocks; the fold has the blocks `number`, `number + num_folds`, `number + 2 * num_folds`,
    ....

    Attributes:
        num_folds: number of folds.
        number: the number of this fold, from 0.
        others: whether to take all other blocks instead.
        block: number of rows in a block; more than 1 keeps neighbouring rows together, which may be from one document.
    """

    num_folds: int
    number: int
    others: bool = False
    block: int = 1

    def holds(self, row: int) -> bool:
        """Return whether a row of a table belongs to this fold of the data set.

        Args:
            row: the index of the row.
        """
        return (row // self.block % self.num_folds == self.number) != self.others


def parse_right_option(table: TextTable, row: int, cell: str, options: int) -> int:
    """Parse the number of the right ending from a cell of a table of multiple choice.

    Args:
        table: the file, for the location in errors.
        row: the row of the cell.
        cell: the cell with the number.
        options: number of endings of this row.

    Raises:
        BadInput: the cell does not hold the number of an ending; the error names the line.
    """
    if cell.strip() in map(str, range(options)):
        return int(cell)
    if not cell.strip():
        mend = f"write the number of the right option, 0 to {options - 1}"
        raise BadInput("the label is empty", where=table.where(row), mend=mend)
    mend = "this part's labels may not be public" if cell.strip() == "-1" else _AGAIN
    raise BadInput(f"label {cell!r:.60} is not one of 0 to {options - 1}", where=table.where(row), mend=mend)
