"""Rows of an index: any of them, in any order, with the columns of all segments."""

import json

import numpy as np
import pytest
from tests.retrieval.small_index import build, made_up_rows

import wordworth as ww
from wordworth.errors import BadInput, NotFound
from wordworth.retrieval import stored_rows
from wordworth.retrieval.stored_rows import StoredRows, write_rows


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_rows, "_GROUP", 7)
    index = build(tmp_path, 50)
    ww.add_to_index([{"text": "word1", "genre": "drama"}], index)
    return ww.load_index(index).rows


def test_rows_come_in_the_order_in_which_they_are_asked_for(rows):
    expected = [{**{name: str(cell) for name, cell in row.items()}, "genre": ""} for row in made_up_rows(50)]
    expected.append({"text": "word1", "lang": "", "year": "", "name": "", "genre": "drama"})
    for numbers in ([0], [50], [49, 50, 3, 3, 14], list(range(51))):
        assert rows.take(np.array(numbers)) == [expected[number] for number in numbers]
    assert rows.take(np.array([3, 50]), ["genre"]) == [{"genre": ""}, {"genre": "drama"}]
    assert list(rows.texts()) == [row["text"] for row in expected]


def test_a_column_has_a_cell_for_every_row(rows):
    assert rows.columns() == ["text", "lang", "year", "name", "genre"]
    assert rows.column("genre").to_pylist() == [""] * 50 + ["drama"]
    with pytest.raises(NotFound, match="column 'genres' not found; did you mean 'genre'"):
        rows.column("genres")


def test_long_texts_make_small_groups(tmp_path, monkeypatch):
    from pyarrow import parquet

    monkeypatch.setattr(stored_rows, "_CHARACTERS", 100)
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": "x" * 60}) + "\n" for _ in range(10)))
    write_rows(tmp_path, tmp_path / "texts.jsonl", "text")
    written = parquet.read_metadata(tmp_path / stored_rows.ROWS)
    assert (written.num_rows, written.num_row_groups) == (10, 5)


def test_a_damaged_file_is_one_clear_error(rows):
    path = rows.paths[0]
    path.write_bytes(b"PAR1" + bytes(path.stat().st_size - 8) + b"PAR1")
    for read in (
        rows.columns,
        lambda: rows.column("text"),
        lambda: rows.take(np.array([0])),
        lambda: list(rows.texts()),
    ):
        with pytest.raises(BadInput, match="missing or damaged; build the index again"):
            read()
    assert isinstance(rows, StoredRows)
