"""`SqliteTable`: an exported index in a file of SQLite, searched by sqlite-vec's `vec_distance_cosine`.

If Python's SQLite cannot load extensions, or sqlite-vec is not installed, a numpy function of the same name replaces
`vec_distance_cosine`. The replacement is slower and gives the same distances.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.retrieval.condition_parser import NUMBER
from wordworth.retrieval.exported_table import (
    VECTOR,
    Answer,
    ExportedModel,
    model_columns,
    model_table,
    require_exported,
)
from wordworth.retrieval.where_sql import SQLITE, SqlCondition, quoted

_NUMBER = re.compile(NUMBER, re.ASCII)


class SqliteTable:
    """An exported index in a file of SQLite, with the interface `ExportedTable`: texts, their vectors and model."""

    dialect = SQLITE

    def __init__(self, path: Path, name: str) -> None:
        """Open a file to read it.

        Raises:
            BadInput: it is missing or no file of SQLite, or lacks a table.
        """
        require_regular(path)
        if not path.is_file():
            raise BadInput("no such file", where=str(path), mend="check the path")
        self.name, self.path = name, path
        self._connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)
        try:
            require_exported(self._has, name, str(path))
            columns = self._all(f"PRAGMA table_info({quoted(name)})")
            self.columns: Sequence[str] = [row[1] for row in columns if row[1] != VECTOR]
            self.model = self._model()
            self._define_functions()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def nearest(self, vector: NDArray[np.float32], k: int, condition: SqlCondition | None, *, exact: bool) -> Answer:  # noqa: ARG002 - as `ExportedTable`
        """Return the `k` rows that are nearest to a vector.

        Args:
            vector: float32 [width], of length 1.
            k: number of rows; fewer only if fewer meet the condition.
            condition: the condition that rows must meet; None for all.
            exact: has no effect, as all rows are always compared.
        """
        names = ", ".join(map(quoted, self.columns))
        where, values = ("", ()) if condition is None else (f" WHERE {condition.expression}", condition.values)
        distance = f"COALESCE(vec_distance_cosine({VECTOR}, ?), 1)"  # NULL is the distance of a vector of zeros
        order = "ORDER BY distance, rowid LIMIT ?"
        statement = f"SELECT {names}, {distance} AS distance FROM {quoted(self.name)}{where} {order}"  # noqa: S608 - quoted
        return Answer(self._all(statement, (vector.astype("<f4").tobytes(), *values, k)), "")

    def _all(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise BadInput(
                f"SQLite refuses: {error}",
                where=str(self.path),
                mend="check --index and --table; search export writes such a file",
            ) from error

    def _has(self, table: str) -> bool:
        return bool(self._all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)))

    def _model(self) -> ExportedModel:
        described = quoted(model_table(self.name))
        columns = model_columns((row[1] for row in self._all(f"PRAGMA table_info({described})")), self.name)
        rows = self._all(f"SELECT {', '.join(columns)} FROM {described}")  # noqa: S608 - quoted
        return ExportedModel.of_rows(rows, self.name)

    def _define_functions(self) -> None:
        """Define the SQL functions that the statements use, and make LIKE distinguish upper and lower case."""
        self._connection.execute("PRAGMA case_sensitive_like = ON")
        self._connection.create_function("number_of", 1, _number_of, deterministic=True)
        if not _load_sqlite_vec(self._connection):
            self._connection.create_function("vec_distance_cosine", 2, _distance, deterministic=True)


def _load_sqlite_vec(connection: sqlite3.Connection) -> bool:
    """Load the extension sqlite-vec; return False if it is missing or this Python cannot load extensions."""
    if find_spec("sqlite_vec") is None or not hasattr(connection, "enable_load_extension"):
        return False
    import sqlite_vec

    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    connection.enable_load_extension(False)
    return True


def _number_of(cell: str) -> float | None:
    return float(cell) if _NUMBER.match(cell) else None


def _distance(first: bytes, second: bytes) -> float | None:
    """Return 1 - cosine of two vectors, given as bytes of float32; None if all numbers of one vector are 0."""
    left, right = np.frombuffer(first, "<f4"), np.frombuffer(second, "<f4")
    lengths = float(np.sqrt((left @ left) * (right @ right)))
    return 1 - float(left @ right) / lengths if lengths else None
