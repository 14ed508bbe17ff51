"""Choices of a cause or an effect: the files of COPA (Roemmele et al. 2011), Balanced COPA and XCOPA."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wordworth.errors import BadInput
from wordworth.tasks.examples import Rows
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.text.file_formats.read import read_table
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile

COPA = Choices(first="premise", second="question", options=("choice1", "choice2"), label="label")
"""The columns of COPA's files."""
CONNECTIVES = {"cause": "because", "effect": "so"}
"""The question of a row -> the word that joins an alternative to the premise."""
_MIRRORED = 1_000
"""In Balanced COPA the mirrored row of row i has the id 1000 + i."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CopaReader:
    """A reader of COPA's JSON Lines, with premise, question (cause or effect), choice1, choice2 and label (0 or 1).

    In the examples that it returns, the premise is the context, and a connective (`because` for a cause, `so` for an
    effect) stands in the place of the question.

    Attributes:
        language: read only rows with this code in the column `lang`; None for all rows.
        ids: read only rows whose `id` is in this range; None for all rows. The mirrored row that Balanced COPA adds to
            row i has the id 1000 + i and is read with row i.
    """

    language: str | None = None
    ids: range | None = None

    def __call__(self, file: RawFile) -> Part:
        """Read the part in a file.

        Raises:
            BadInput: the file is not such a table, or a row asks for neither a cause nor an effect.
        """
        table = read_table(file)
        whole, labels = COPA.examples(table)
        rows = self._rows(table)
        connectives = tuple(_connective(table, row, question) for row, question in enumerate(whole.second or ()))
        examples = replace(whole, second=connectives).take(rows)
        return Part(examples, labels[rows], (origin(file, len(rows)),), table.notes)

    def _rows(self, table: TextTable) -> Rows:
        """Return the indices of the table's rows that `language` and `ids` select, int64 [n], ascending."""
        inside = np.ones(len(table), dtype=np.bool_)
        if self.language is not None:
            inside &= np.array(table.column("lang")) == self.language
        if self.ids is not None:
            inside &= np.isin(np.array(table.column("id"), dtype=np.int64) % _MIRRORED, self.ids)
        if not inside.any():
            raise BadInput("no row of this file is in this part", where=table.path, mend="fetch the file again")
        return np.flatnonzero(inside)


def _connective(table: TextTable, row: int, question: str) -> str:
    if question.strip() not in CONNECTIVES:
        what = f"question {question!r:.60} is neither cause nor effect"
        raise BadInput(what, where=table.where(row), mend="mend the row")
    return CONNECTIVES[question.strip()]
