"""An index is made, added to and deleted from; what is found is always what a fresh index of the same rows gives."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.retrieval.small_index import WORDS, build, files, made_up_rows, write_rows, write_table

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.stored_vectors import PRECISIONS

QUERY = " ".join(WORDS[:5])


def test_the_nearest_texts_are_those_of_the_largest_cosines(tmp_path):
    index = build(tmp_path)
    texts = [str(row["text"]) for row in made_up_rows(200)]
    table = ww.load(tmp_path / "table.txt")
    cosines = table.encode(texts, normalize=True) @ table.encode(QUERY, normalize=True)
    results = ww.search(QUERY, index)
    assert list(results["text"]) == [texts[row] for row in np.argsort(-cosines, kind="stable")[:10]]
    assert np.allclose(results["score"], np.sort(cosines)[::-1][:10], atol=1e-5)
    assert list(results.columns) == ["rank", "id", "score", "text", "lang", "year", "name"]
    assert list(results["rank"]) == list(range(1, 11))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_filter_leaves_as_many_results_as_were_asked_for(tmp_path, precision):
    index = build(tmp_path, precision=precision)
    passing = [row for row in made_up_rows(200) if row["lang"] == "en" and row["year"] >= 2020]
    for k in (1, 5, len(passing), 500):
        results = ww.search(QUERY, index, k=k, where="lang = 'en' AND year >= 2020")
        assert len(results) == min(k, len(passing))
        assert set(results["name"]) <= {row["name"] for row in passing}


@pytest.mark.parametrize("precision", PRECISIONS)
def test_an_index_that_was_added_to_finds_what_one_made_at_once_finds(tmp_path, precision):
    rows = made_up_rows(120)
    table = write_table(tmp_path / "table.txt")
    for name, part in (("first", rows[:70]), ("second", rows[70:]), ("all", rows)):
        write_rows(tmp_path / f"{name}.jsonl", part)
    settings = {"model": str(table), "precision": precision, "id": "name"}
    ww.build_index(tmp_path / "all.jsonl", tmp_path / "whole", **settings)
    ww.build_index(tmp_path / "first.jsonl", tmp_path / "grown", **settings)
    report = ww.add_to_index(tmp_path / "second.jsonl", tmp_path / "grown")
    assert (report.rows, report.total) == (50, 120)
    for options in ({}, {"k": 120}, {"where": "lang = 'de'"}):
        whole, grown = (ww.search(QUERY, tmp_path / name, **options) for name in ("whole", "grown"))
        pd.testing.assert_frame_equal(whole, grown)


def test_deleted_rows_are_never_found_again_and_the_others_all_are(tmp_path):
    index = build(tmp_path)
    before = list(ww.search(QUERY, index, k=500)["id"])
    report = ww.delete_from_index(index, where="year < 2000 OR name = '0-3'")
    assert report.rows + report.total == 200
    gone = {number for number, row in enumerate(made_up_rows(200)) if row["year"] < 2000 or row["name"] == "0-3"}
    assert list(ww.search(QUERY, index, k=500)["id"]) == [number for number in before if number not in gone]
    assert ww.delete_from_index(index, where="year < 2000").rows == 0
    assert ww.delete_from_index(index, where="year > 0").total == 0
    assert not len(ww.search(QUERY, index))


def test_rows_without_ids_have_their_number_which_conditions_know(tmp_path):
    index = build(tmp_path)
    assert list(ww.search(QUERY, index, where="id IN ('7', '9')")["id"]) in ([7, 9], [9, 7])
    ww.delete_from_index(index, where="id = '7'")
    assert list(ww.search(QUERY, index, where="id IN ('7', '9')")["id"]) == [9]


def test_ids_are_those_of_their_column_and_stand_once(tmp_path):
    index = build(tmp_path, id="name")
    assert ww.search(QUERY, index, where="name = '0-5'")["id"].tolist() == ["0-5"]
    again = write_rows(tmp_path / "again.jsonl", made_up_rows(10))
    with pytest.raises(BadInput, match=r"the id '0-0' at line 1 is in the index already; delete that row first"):
        ww.add_to_index(again, index)
    ww.delete_from_index(index, where="year > 0")
    assert ww.add_to_index(again, index).total == 10
    with pytest.raises(BadInput, match="the id '1-0' stands at line 1 and at line 2"):
        ww.add_to_index(write_rows(tmp_path / "twice.jsonl", made_up_rows(1, 1) * 2), index)


def test_a_file_without_the_columns_of_the_index_is_not_told_of_options_that_add_lacks(tmp_path):
    index = build(tmp_path, id="name")
    for suffix, content, said in (
        (".csv", "text\na\n", "no column 'name', and the index has its ids there; give a file with that column"),
        (".csv", "name\na\n", "no column 'text', and the index has its texts there"),
        (".txt", "a\n", "no column 'name', and"),
    ):
        (tmp_path / f"other{suffix}").write_text(content)
        with pytest.raises(BadInput, match=said) as raised:
            ww.add_to_index(tmp_path / f"other{suffix}", index)
        assert "`id`" not in str(raised.value)
        assert "`text`" not in str(raised.value)


def test_the_same_command_again_leaves_the_index_and_another_is_refused_unless_it_may_replace_it(tmp_path):
    index = build(tmp_path)
    before = files(index)
    assert ww.build_index(tmp_path / "rows.jsonl", index, model=str(tmp_path / "table.txt")).unchanged
    assert files(index) == before
    other = write_rows(tmp_path / "other.jsonl", made_up_rows(20, 5))
    with pytest.raises(BadInput, match="an index is here that was made of other texts, or otherwise; add to it"):
        ww.build_index(other, index, model=str(tmp_path / "table.txt"))
    assert files(index) == before
    ww.build_index(other, index, model=str(tmp_path / "table.txt"), overwrite=True)
    assert len(ww.load_index(index)) == 20
    assert not list(tmp_path.glob("index.parts"))
    assert len(list(index.iterdir())) == 2


def test_another_precision_is_another_index(tmp_path):
    index = build(tmp_path)
    with pytest.raises(BadInput, match="made of other texts, or otherwise"):
        ww.build_index(tmp_path / "rows.jsonl", index, model=str(tmp_path / "table.txt"), precision="int8")


@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
def test_vectors_of_embed_make_the_index_that_the_texts_make(tmp_path, suffix):
    index, vectors = build(tmp_path), tmp_path / f"vectors{suffix}"
    ww.embed(tmp_path / "rows.jsonl", vectors, model=str(tmp_path / "table.txt"))
    ww.build_index(tmp_path / "rows.jsonl", tmp_path / "given", model=str(tmp_path / "table.txt"), vectors=vectors)
    pd.testing.assert_frame_equal(ww.search(QUERY, index, k=50), ww.search(QUERY, tmp_path / "given", k=50))
    more = write_rows(tmp_path / "more.jsonl", made_up_rows(30, 1))
    ww.embed(more, tmp_path / f"more{suffix}", model=str(tmp_path / "table.txt"))
    ww.add_to_index(more, index)
    ww.add_to_index(more, tmp_path / "given", vectors=tmp_path / f"more{suffix}")
    pd.testing.assert_frame_equal(ww.search(QUERY, index, k=50), ww.search(QUERY, tmp_path / "given", k=50))


def test_texts_may_be_a_list_a_table_or_lines(tmp_path):
    table = str(write_table(tmp_path / "table.txt"))
    texts = [str(row["text"]) for row in made_up_rows(30)]
    (tmp_path / "lines.txt").write_text("\n".join(texts) + "\n")
    sources = {"list": texts, "frame": pd.DataFrame({"text": texts}), "lines": tmp_path / "lines.txt"}
    for name, source in sources.items():
        ww.build_index(source, tmp_path / name, model=table)
    tables = [ww.search(QUERY, tmp_path / name) for name in sources]
    for table_of in tables:
        pd.testing.assert_frame_equal(table_of, tables[0])


def test_columns_that_results_have_themselves_get_a_mark(tmp_path):
    rows = [{"text": "word1 word2", "rank": 5, "score": 7, "id": "mine"}]
    ww.build_index(rows, tmp_path / "index", model=str(write_table(tmp_path / "table.txt")))
    results = ww.search("word1", tmp_path / "index", where="rank = 5")
    assert results[["rank", "id", "rank_", "score_", "id_"]].to_numpy().tolist() == [[1, 0, "5", "7", "mine"]]


def test_a_column_that_only_later_rows_have_is_empty_before(tmp_path):
    index = build(tmp_path)
    ww.add_to_index([{"text": "word1", "genre": "drama"}], index)
    assert len(ww.search(QUERY, index, k=500, where="genre = ''")) == 200
    assert ww.search(QUERY, index, where="genre = 'drama'")["id"].tolist() == [200]


def test_texts_without_a_known_word_are_counted_and_found_last(tmp_path):
    table = str(write_table(tmp_path / "table.txt"))
    with pytest.warns(ww.ZeroVectorWarning, match="1 of 2 texts has a vector of zeros"):
        ww.build_index(["unknown", "word1"], tmp_path / "index", model=table)
    assert list(ww.search("word1", tmp_path / "index")["text"]) == ["word1", "unknown"]


def test_a_folder_of_something_else_is_left_as_it_is(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(BadInput, match=r"this folder is not an index: it holds 'thesis.txt'; choose another"):
        ww.build_index(["word1"], tmp_path / "mine", model=str(write_table(tmp_path / "table.txt")), overwrite=True)
    assert files(tmp_path / "mine") == {"thesis.txt": b"years of work"}
