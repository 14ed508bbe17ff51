"""sqlite-vec and pgvector find in an exported index what the index itself finds."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from tests.retrieval.small_index import build

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


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    pytest.importorskip("psycopg")
    pgserver = pytest.importorskip("pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
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
