"""A file of SQLite is searched as it is, and is never written."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from tests.retrieval.small_index import build

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.sqlite_table import SqliteTable


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sqlite")
    ww.export_index(build(folder, 30), folder / "a 100%?.sqlite")
    return folder / "a 100%?.sqlite"


def test_rows_come_with_distances_the_nearest_first(database):
    before = database.read_bytes()
    with closing(SqliteTable(database, "texts")) as table:
        vector = np.eye(8, dtype=np.float32)[0]
        answer = table.nearest(vector, 5, None, exact=False)
        distances = [row[-1] for row in answer.rows]
        assert table.columns == ["id", "text", "lang", "year", "name"]
        assert len(distances) == 5
        assert distances == sorted(distances)
        assert answer.how == ""
        assert len(table.nearest(vector, 99, None, exact=True).rows) == 30
    assert database.read_bytes() == before


def test_the_distance_is_one_less_the_cosine_and_1_of_a_vector_of_zeros(database):
    query = np.random.default_rng(0).normal(size=8).astype(np.float32)
    with closing(sqlite3.connect(database)) as plain, closing(SqliteTable(database, "texts")) as table:
        stored = {key: np.frombuffer(vector, "<f4") for key, vector in plain.execute("SELECT id, vector FROM texts")}
        answer, none = (table.nearest(vector, 30, None, exact=True) for vector in (query, np.zeros(8, np.float32)))
    for key, *_, distance in answer.rows:
        lengths = np.linalg.norm(query) * np.linalg.norm(stored[key])
        assert distance == pytest.approx(1 - query @ stored[key] / lengths, abs=1e-6)
    assert {row[-1] for row in none.rows} == {1}


def test_what_is_no_exported_index_is_refused(database, tmp_path):
    (tmp_path / "text.sqlite").write_text("hello, this is no database of any kind")
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as old:
        old.execute("CREATE TABLE texts (id TEXT, vector BLOB)")
        old.execute("CREATE TABLE texts_model (model TEXT, fingerprint TEXT, width INTEGER)")
    for path, table, words in (
        (tmp_path / "none.sqlite", "texts", "no such file"),
        (tmp_path / "text.sqlite", "texts", "SQLite refuses: file is not a database"),
        (database, "reviews", "no table 'reviews'; give the `table` that search export wrote"),
        (tmp_path / "old.sqlite", "texts", "does not say how queries are embedded.*; export the index again"),
    ):
        with pytest.raises(BadInput, match=words):
            SqliteTable(path, table)
    assert not (tmp_path / "none.sqlite").exists()
