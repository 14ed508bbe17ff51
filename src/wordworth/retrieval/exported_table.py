"""An exported index in a database: a table of texts with their vectors, and a second table that names their model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.prompts import Role
from wordworth.retrieval.query_model import QueryModel
from wordworth.retrieval.where_sql import Dialect, SqlCondition

VECTOR = "vector"
"""The column of vectors."""
URLS, SUFFIXES = ("postgresql://", "postgres://"), (".sqlite", ".sqlite3", ".db")
_KINDS: Mapping[str, str] = {
    "model": "TEXT",
    "fingerprint": "TEXT",
    "width": "INTEGER",
    "dtype": "TEXT",
    "long_texts": "TEXT",
    "id_column": "TEXT",
}
_PROMPTS: Mapping[str, str] = {"query_prompt": "TEXT", "document_prompt": "TEXT"}
"""Columns that a table of an earlier version lacks."""
MODEL_COLUMNS = (*_KINDS, *_PROMPTS)
MODEL_COLUMNS_IN_SQL = ", ".join(f"{name} {kind}" for name, kind in (*_KINDS.items(), *_PROMPTS.items()))
"""The columns of the table that names the model, as SQL creates them."""


def is_database(index: object) -> bool:
    """Return whether the name of an index means a database: a URL of PostgreSQL, or a file of SQLite."""
    name = str(index)
    return name.startswith(URLS) or (name.lower().endswith(SUFFIXES) and not Path(name).is_dir())


def model_table(table: str) -> str:
    """Return the name of the second table, beside a table of vectors, that names the model of the vectors."""
    return f"{table}_model"


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """The model of an exported table's vectors, stored as the one row of a second table.

    Attributes:
        model: name or path of the model.
        fingerprint: hash of everything that decides the model's vectors.
        width: width of a vector.
        dtype: data type that the model computed in.
        long_texts: how texts above the model's maximum length were encoded: `window` (whole, in overlapping windows),
            `cut` (their beginning) or `error` (refused).
        id_column: the column of ids; None if the id of a row is its number in the index.
        query_prompt, document_prompt: the text that the model puts before queries, and the text before documents; None
            if the model has no separate prompts for queries and documents.
    """

    model: str
    fingerprint: str
    width: int
    dtype: str
    long_texts: str
    id_column: str | None
    query_prompt: str | None = None
    document_prompt: str | None = None

    @classmethod
    def of_rows(cls, rows: Sequence[tuple[Any, ...]], table: str) -> ExportedModel:
        """Return the model that the second table of an exported index describes.

        Args:
            rows: all rows of the second table, with the columns that `model_columns` returns; there should be one.
            table: name of the table of texts, for the error.

        Raises:
            BadInput: there is not exactly one row.
        """
        if len(rows) != 1:
            raise BadInput(f"{len(rows)} rows, where one names the model", where=f"table {model_table(table)!r}")
        return cls(*rows[0])

    def query_model(self, where: str) -> QueryModel:
        """Return the description of the model by which queries are embedded; `where` names the table in errors."""
        prompts: dict[Role, str] = {}
        if self.query_prompt is not None and self.document_prompt is not None:
            prompts = {"query": self.query_prompt, "document": self.document_prompt}
        return QueryModel(self.model, self.dtype, self.long_texts, self.fingerprint, where, prompts)


class Answer(NamedTuple):
    """The nearest rows in a table, and how the database searched it, in words.

    Attributes:
        rows: the cells of each row, the nearest row first; the last cell of a row is the distance, 1 - cosine.
        how: a note for the user on an approximate search; empty if all rows were compared.
    """

    rows: Sequence[tuple[Any, ...]]
    how: str


class ExportedTable(Protocol):
    """A table of texts in a database that is open.

    Attributes:
        name: name of the table.
        dialect: how the database writes conditions.
        columns: names of the columns without the column of vectors.
        model: the model of the vectors.
    """

    name: str
    dialect: Dialect
    columns: Sequence[str]
    model: ExportedModel

    def nearest(self, vector: NDArray[np.float32], k: int, condition: SqlCondition | None, *, exact: bool) -> Answer:
        """Return the `k` rows that are nearest to a vector.

        Args:
            vector: float32 [width], of length 1.
            k: number of rows; fewer only if fewer meet the condition.
            condition: the condition that rows must meet; None for all.
            exact: whether all rows are compared, also if the database has an approximate index.
        """
        ...

    def close(self) -> object:
        """End the connection."""
        ...


def require_exported(has: Callable[[str], bool], table: str, where: str) -> None:
    """Check that a database has a table of texts, and the second table that names the model of its vectors.

    Args:
        has: returns whether the database has a table of that name.
        table: name of the table of texts.
        where: the database, for the error.

    Raises:
        BadInput: one of the two tables is missing.
    """
    for name in (table, model_table(table)):
        if not has(name):
            mend = "give the --table that search export wrote, or export again"
            raise BadInput(f"no table {name!r}", where=where, mend=mend)


def model_columns(names: Iterable[str], table: str) -> tuple[str, ...]:
    """Return the columns of `MODEL_COLUMNS` that the table with the model's description has.

    Only the two columns of prompts may be missing, as in tables that earlier versions wrote.

    Args:
        names: names of the columns of the table with the model's description.
        table: name of the table of texts, for the error.

    Raises:
        BadInput: another column is missing, as in tables that the earliest versions wrote.
    """
    present = set(names)
    if not present.issuperset(_KINDS):
        what = f"table {model_table(table)!r} does not say how queries are embedded, as an earlier version wrote it"
        raise BadInput(what, mend="export the index again")
    return tuple(name for name in MODEL_COLUMNS if name in present)
