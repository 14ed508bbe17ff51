"""`PostgresTable`: an exported index in a table of PostgreSQL, searched by pgvector.

With an approximate index (`USING hnsw`), pgvector applies a condition only after its search, and so may return too few
rows. From version 0.8 on, with `hnsw.iterative_scan` set, pgvector continues the search until it has enough rows. If
there are still too few rows, a second search compares all rows that meet the condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, require_package
from wordworth.retrieval.exported_table import (
    VECTOR,
    Answer,
    ExportedModel,
    model_columns,
    model_table,
    require_exported,
)
from wordworth.retrieval.where_sql import POSTGRES, SqlCondition, quoted

_ITERATIVE = (0, 8)
"""The version of pgvector from which a scan of an approximate index goes on until there are enough rows."""
_COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_APPROXIMATE = """
SELECT amname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
WHERE indrelid = to_regclass(%s) AND amname IN ('hnsw', 'ivfflat')
"""


class PostgresTable:
    """An exported index in a PostgreSQL table, with the interface `ExportedTable`: texts, their vectors and model."""

    dialect = POSTGRES

    def __init__(self, url: str, name: str) -> None:
        """Connect to a database, to read it.

        Raises:
            MissingExtra: psycopg is not installed.
            BadInput: there is no such database or table, or pgvector is not in it.
        """
        require_package("psycopg", "postgres")
        import psycopg

        self.name = name
        with _errors():
            self._connection = psycopg.connect(url, autocommit=True)
            self._connection.read_only = True
        try:
            require_exported(lambda table: bool(self._names(table)), name, "--index")
            self.columns: Sequence[str] = [column for column in self._names(name) if column != VECTOR]
            self.model = self._model()
            self._version = self._pgvector()
            self._approximate = [row[0] for row in self._all(_APPROXIMATE, (quoted(name),))]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def nearest(self, vector: NDArray[np.float32], k: int, condition: SqlCondition | None, *, exact: bool) -> Answer:
        """Return the `k` rows that are nearest to a vector, by an approximate index if the table has one.

        Args:
            vector: float32 [width], of length 1.
            k: number of rows; fewer only if fewer meet the condition.
            condition: the condition that rows must meet; None for all.
            exact: whether all rows are compared, also if there is an approximate index.
        """
        if exact or not self._approximate:
            return Answer(self._nearest(vector, k, condition, exact=True), "")
        rows = self._nearest(vector, k, condition, exact=False)
        if len(rows) < k:
            rows = self._nearest(vector, k, condition, exact=True)
            return Answer(rows, "all rows that pass were compared, as the index of PostgreSQL had fewer than asked for")
        return Answer(
            rows, "PostgreSQL has an approximate index, which may miss some of the nearest; --exact compares all"
        )

    def _nearest(
        self, vector: NDArray[np.float32], k: int, condition: SqlCondition | None, *, exact: bool
    ) -> list[tuple[Any, ...]]:
        names = ", ".join(quoted(name).replace("%", "%%") for name in self.columns)
        where, values = ("", ()) if condition is None else (f" WHERE {condition.expression}", condition.values)
        table, text = quoted(self.name).replace("%", "%%"), str(vector.tolist())
        distance = f"{VECTOR} <=> %s::vector"
        order = f"({distance}) + 0" if exact else distance  # a sum is no expression that an index could order by
        statement = f"SELECT {names}, {distance} FROM {table}{where} ORDER BY {order} LIMIT %s"  # noqa: S608 - quoted
        with self._connection.transaction():
            if self._version >= _ITERATIVE:
                self._all("SET LOCAL hnsw.iterative_scan = strict_order")
            return self._all(statement, (text, *values, text, k))

    def _all(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with _errors(), self._connection.cursor() as cursor:
            cursor.execute(statement, values or None)
            return [] if cursor.description is None else cursor.fetchall()

    def _names(self, table: str) -> list[str]:
        return [row[0] for row in self._all(_COLUMNS, (quoted(table),))]

    def _model(self) -> ExportedModel:
        columns = model_columns(self._names(model_table(self.name)), self.name)
        statement = f"SELECT {', '.join(columns)} FROM {quoted(model_table(self.name))}"  # noqa: S608 - quoted
        return ExportedModel.of_rows(self._all(statement), self.name)

    def _pgvector(self) -> tuple[int, ...]:
        """Return the version of pgvector."""
        rows = self._all("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        if not rows:
            raise BadInput("the database has no extension vector", where="--index", mend="CREATE EXTENSION vector")
        return tuple(map(int, re.findall(r"\d+", rows[0][0])[:2]))


@contextmanager
def _errors() -> Iterator[None]:
    """Turn the errors of PostgreSQL into errors for the user, whose text names no password."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        what = f"PostgreSQL refuses: {str(error).strip()}"
        raise BadInput(
            what, where="--index", mend="check the URL, and that the server runs and lets this user in"
        ) from error
