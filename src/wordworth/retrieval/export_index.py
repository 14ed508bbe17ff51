"""`export_index`: write the rows of an index, each with its vector, to a table of SQLite or PostgreSQL.

SQLite holds a vector as float32 little-endian, which sqlite-vec reads; PostgreSQL holds it as pgvector's type `vector`.
A second table, whose name is the first table's name followed by `_model`, names the model of the vectors. Both tables
become visible to readers at once, when they are complete.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput, require_package
from wordworth.files import as_path, atomic_write
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.exported_table import (
    MODEL_COLUMNS,
    MODEL_COLUMNS_IN_SQL,
    SUFFIXES,
    URLS,
    VECTOR,
    ExportedModel,
    model_table,
)
from wordworth.retrieval.index import ID, Index
from wordworth.retrieval.settings import TABLE
from wordworth.retrieval.where_sql import quoted
from wordworth.settings_validation import setting, settings_from, validate

_AT_ONCE = 4_096
_Rows = Iterator[list[Any]]
"""Rows as lists of cells; the last cell of a row is its vector, float32 [width]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportIndexSettings:
    """Settings of `export_index`, which writes an index as a table of a database."""

    table: str = setting(TABLE, "Name of the table.")
    overwrite: bool = setting(False, "Replace the file or the table that is there.")

    def __post_init__(self) -> None:
        validate(self)


def export_index(
    index: Path | str,
    out: Path | str,
    *,
    table: str = "texts",
    overwrite: bool = False,
    progress: Progress = SILENT,
) -> int:
    """Write the rows of an index with their vectors into a database; deleted rows are left out.

    Args:
        index: folder of the index.
        out: a .sqlite or .db, or the URL of a PostgreSQL database that has pgvector, `postgresql://user@host/name`.
        table: name of the table, whose columns are `id`, the columns of the texts, and `vector`.
        overwrite: whether to replace an existing file or table.
        progress: receives the progress.

    Returns:
        The number of rows written.

    Raises:
        BadInput: there is no index, the file or table exists already, two columns would have the same name in the
            database, or the database reports an error.
        MissingExtra: `out` is a URL, and psycopg is not installed.

    >>> export_index("index/", "texts.sqlite")  # doctest: +SKIP
    """
    settings = settings_from(locals(), ExportIndexSettings)
    opened = Index.open(as_path(index, "--index"))
    write = _to_postgres if str(out).startswith(URLS) else _to_sqlite
    with progress.step("writing rows", len(opened)) as step:
        write(str(out), opened, settings, _rows(opened, step.advance))
    return len(opened)


def _columns(index: Index) -> list[str]:
    """Return the names of the table's columns, except for that of the vectors.

    Raises:
        BadInput: two columns of the table would have the same name apart from upper and lower case.
    """
    names = index.rows.columns()
    columns = names if index.manifest.id == ID else [ID, *names]
    lower = [name.lower() for name in [*columns, VECTOR]]
    twice = next((name for name in columns if lower.count(name.lower()) > 1), None)
    if twice is not None:
        by_id = f"build the index with --id {twice}, whose values then name the rows, or " if twice == ID else ""
        mend = f"{by_id}rename that column of the texts and build the index anew"
        raise BadInput(f"two columns of the table would be {twice!r}", where=str(index.folder), mend=mend)
    return columns


def _rows(index: Index, advance: Callable[[int], object]) -> _Rows:
    """Yield the rows that are not deleted as lists [id, *cells, vector], with a few thousand in memory at a time.

    The id is left out if it is one of the cells. `advance` is called with the number of rows after each few thousand.
    """
    names, ids, start = index.rows.columns(), index.ids(), 0
    for vectors in index.vectors:
        for first in range(0, len(vectors), _AT_ONCE):
            within = np.arange(first, min(first + _AT_ONCE, len(vectors)))
            within = within[index.live[start + within]]
            numbers = vectors.values(within).astype("<f4")
            for row, cells, vector in zip(start + within, index.rows.take(start + within, names), numbers, strict=True):
                own = [] if index.manifest.id == ID else [ids[int(row)].as_py()]
                yield [*own, *(cells[name] for name in names), vector]
            advance(len(within))
        start += len(vectors)


@dataclass(frozen=True, slots=True)
class _Tables:
    """The quoted names of the two tables, and of the columns of the first; the column of vectors is last."""

    texts: str
    model: str
    columns: list[str]

    @classmethod
    def of(cls, index: Index, table: str) -> _Tables:
        return cls(quoted(table), quoted(model_table(table)), [quoted(name) for name in [*_columns(index), VECTOR]])

    def creating(self, vector: str) -> Iterator[str]:
        """Yield the SQL statements that create both tables; `vector` is the type of the column of vectors."""
        yield f"CREATE TABLE {self.texts} ({' TEXT, '.join(self.columns)} {vector})"
        yield f"CREATE TABLE {self.model} ({MODEL_COLUMNS_IN_SQL})"


def _model(index: Index) -> tuple[Any, ...]:
    about = index.manifest
    prompts = about.prompts.get("query"), about.prompts.get("document")
    described = about.model, about.fingerprint, about.width, about.dtype, about.long_texts, about.id
    return astuple(ExportedModel(*described, *prompts))


def _to_sqlite(out: str, index: Index, settings: ExportIndexSettings, rows: _Rows) -> None:
    path, tables = Path(out), _Tables.of(index, settings.table)
    if path.suffix not in SUFFIXES:
        raise BadInput("no database that rows are written to", where=out, mend="give a .sqlite or a postgresql:// URL")
    if path.exists() and not settings.overwrite:
        raise BadInput("this file is there already", where=out, mend="give another, or --overwrite")
    values, marks = (", ".join("?" * len(columns)) for columns in (tables.columns, MODEL_COLUMNS))
    with atomic_write(path) as neighbour, closing(sqlite3.connect(neighbour)) as database:
        try:
            for statement in tables.creating("BLOB"):
                database.execute(statement)
            database.execute(f"INSERT INTO {tables.model} VALUES ({marks})", _model(index))  # noqa: S608 - quoted
            cells = ([*row[:-1], row[-1].tobytes()] for row in rows)
            database.executemany(f"INSERT INTO {tables.texts} VALUES ({values})", cells)  # noqa: S608 - quoted
            database.commit()
        except sqlite3.Error as error:
            raise BadInput(f"SQLite refuses: {error}", where=out, mend="give another --table or --out") from error


def _to_postgres(out: str, index: Index, settings: ExportIndexSettings, rows: _Rows) -> None:
    require_package("psycopg", "postgres")
    import psycopg

    tables = _Tables.of(index, settings.table)
    try:
        with psycopg.connect(out) as connection, connection.cursor() as cursor:  # one transaction
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
            if settings.overwrite:
                cursor.execute(f"DROP TABLE IF EXISTS {tables.texts}, {tables.model}")
            for statement in tables.creating(f"vector({index.manifest.width})"):
                cursor.execute(statement)
            described = tables.model.replace("%", "%%")  # as psycopg reads a statement with placeholders
            marks = ", ".join(["%s"] * len(MODEL_COLUMNS))
            cursor.execute(f"INSERT INTO {described} VALUES ({marks})", _model(index))  # noqa: S608 - quoted
            with cursor.copy(f"COPY {tables.texts} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row([*row[:-1], str(row[-1].tolist())])
    except psycopg.errors.DuplicateTable as error:
        what = f"a table {settings.table!r} is there already"
        raise BadInput(what, where="--out", mend="give another --table, or --overwrite") from error
    except psycopg.Error as error:  # its text names no password
        mend = "check the URL and the server, which needs the extension pgvector"
        raise BadInput(f"PostgreSQL refuses: {str(error).strip()}", where="--out", mend=mend) from error
