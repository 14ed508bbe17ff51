"""A condition passes the same rows as an expression of SQL as it does in an index, and none of its text is run."""

import sqlite3
from contextlib import closing

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.small_index import write_rows, write_table

import wordworth as ww
from wordworth.errors import NotFound
from wordworth.retrieval.filter_rows import passing
from wordworth.retrieval.sqlite_table import SqliteTable
from wordworth.retrieval.where_sql import POSTGRES, SQLITE, quoted, sql_condition

CELLS = [
    "",
    "x",
    "X",
    "xy",
    "3",
    " 3.0 ",
    "-1e2",
    "3x",
    "é",
    "it's",
    "100%",
    "a_b",
    "3.",
    ".5",
    "\\",
    "nan",
    "1_0",
    "z" * 9,
]
NAMES = ["a", 'my "b"', "100%"]
TABLE = {name: CELLS[shift:] + CELLS[:shift] for shift, name in enumerate(NAMES)}
LITERALS = ["'x'", "''", "'it''s'", "3", "-100", "0.5", "'3'", "'é'"]
PATTERNS = ["'x%'", "'%'", "'_'", "'%y'", "'3_'", "'100\\%'", "''"]

columns = st.sampled_from([quoted(name) for name in NAMES])
literals = st.sampled_from(LITERALS)
comparisons = st.one_of(
    st.builds("{} {} {}".format, columns, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), literals),
    st.builds("{} IN ({}, {})".format, columns, literals, literals),
    st.builds("{} NOT LIKE {}".format, columns, st.sampled_from(PATTERNS)),
    st.builds("{} LIKE {}".format, columns, st.sampled_from(PATTERNS)),
)
conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """An exported index with these columns."""
    folder = tmp_path_factory.mktemp("where")
    rows = [{"text": "word1", **dict(zip(NAMES, cells, strict=True))} for cells in zip(*TABLE.values(), strict=True)]
    ww.build_index(write_rows(folder / "rows.jsonl", rows), folder / "index", model=str(write_table(folder / "t.txt")))
    ww.export_index(folder / "index", folder / "t.sqlite")
    with closing(SqliteTable(folder / "t.sqlite", "texts")) as opened:
        yield opened


@given(conditions)
def test_sqlite_passes_the_rows_that_the_index_passes(database, condition):
    sql = sql_condition(condition, NAMES, SQLITE, "texts")
    nearest_rows = database.nearest(np.ones(8, np.float32), len(CELLS), sql, exact=True).rows
    mask = passing(condition, lambda name: pa.chunked_array([pa.array(TABLE[name], pa.large_string())]))
    places = [database.columns.index(name) for name in NAMES]
    cells = [tuple(TABLE[name][row] for name in NAMES) for row in mask.nonzero()[0].tolist()]
    assert sorted(tuple(row[place] for place in places) for row in nearest_rows) == sorted(cells)


def test_texts_are_values_and_columns_are_quoted():
    hostile = "'); DROP TABLE t; --"
    expression, values = sql_condition(f"a = '{hostile.replace(chr(39), chr(39) * 2)}'", NAMES, SQLITE, "t")
    assert values == (hostile,)
    assert "DROP" not in expression
    expression, _ = sql_condition('"my ""b""" = 1 OR "100%" = 2', NAMES, POSTGRES, "t")
    assert '"my ""b"""' in expression
    assert '"100%%"' in expression  # psycopg reads % as the beginning of a placeholder


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(NotFound, match=r"table 't': column 'langs' not found; did you mean 'lang'\?"):
        sql_condition("langs = 'en'", ["lang", "text"], POSTGRES, "t")


def test_a_missing_cell_is_the_empty_text():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a)")
    connection.execute("INSERT INTO t VALUES (NULL)")
    expression, values = sql_condition("a = ''", ["a"], SQLITE, "t")
    assert connection.execute(f"SELECT count(*) FROM t WHERE {expression}", values).fetchone() == (1,)  # noqa: S608 - ours
