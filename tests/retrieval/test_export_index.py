"""Every live row of an index stands in a table with its columns and its vector, or no table is there."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from tests.retrieval.small_index import build

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval import export_index as module


def rows_of(path, query="SELECT * FROM texts"):
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


@pytest.mark.parametrize("settings", [{}, {"id": "name"}, {"precision": "int8"}])
def test_a_table_has_the_live_rows_with_their_vectors(tmp_path, monkeypatch, settings):
    monkeypatch.setattr(module, "_AT_ONCE", 64)
    index = build(tmp_path, **settings)
    ww.add_to_index([{"text": "word1 word2", "lang": "en", "year": "1", "name": "new"}], index)
    ww.delete_from_index(index, where="name IN ('0-1', '0-150')")
    assert ww.export_index(index, tmp_path / "texts.sqlite") == 199
    opened = ww.load_index(index)
    live = np.flatnonzero(opened.live)
    rows = rows_of(tmp_path / "texts.sqlite", "SELECT id, text, year, vector FROM texts")
    assert [row[0] for row in rows] == opened.ids().take(live).to_pylist()
    assert [row[1:3] for row in rows] == [(cells["text"], cells["year"]) for cells in opened.rows.take(live)]
    stored = np.concatenate([segment.values(np.arange(len(segment))) for segment in opened.vectors])[live]
    assert np.array_equal([np.frombuffer(row[3], "<f4") for row in rows], stored.astype(np.float32))


def test_the_table_beside_it_names_the_space(tmp_path):
    index = build(tmp_path, 3)
    ww.export_index(index, tmp_path / "a.db", table='my "texts"')
    manifest = ww.load_index(index).manifest
    space = rows_of(tmp_path / "a.db", 'SELECT * FROM "my ""texts""_model"')
    assert space == [(manifest.model, manifest.fingerprint, 8, manifest.dtype, "window", None, None, None)]


def test_what_is_there_is_replaced_only_when_asked(tmp_path):
    index = build(tmp_path, 3)
    out = tmp_path / "texts.sqlite"
    out.write_text("mine")
    with pytest.raises(BadInput, match="there already"):
        ww.export_index(index, out)
    assert out.read_text() == "mine"
    ww.export_index(index, out, overwrite=True)
    assert len(rows_of(out)) == 3


def test_a_database_that_cannot_be_is_refused_and_not_begun(tmp_path):
    index = build(tmp_path, 3)
    with pytest.raises(BadInput, match=r"give a \.sqlite or a postgresql:// URL"):
        ww.export_index(index, tmp_path / "texts.csv")
    with pytest.raises(BadInput, match="SQLite refuses"):
        ww.export_index(index, tmp_path / "texts.sqlite", table="sqlite_texts")
    assert not list(tmp_path.glob("*texts.sqlite*"))
    ww.build_index([{"text": "word1", "Vector": "a"}], tmp_path / "other", model=str(tmp_path / "table.txt"))
    with pytest.raises(BadInput, match="two columns of the table would be 'Vector'"):
        ww.export_index(tmp_path / "other", tmp_path / "texts.sqlite")
    ww.build_index([{"text": "word1", "id": "a"}], tmp_path / "numbered", model=str(tmp_path / "table.txt"))
    with pytest.raises(BadInput, match="would be 'id'; build the index with `id` id, whose values then name the rows"):
        ww.export_index(tmp_path / "numbered", tmp_path / "texts.sqlite")
