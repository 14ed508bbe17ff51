"""A database answers a query with the table that the index itself answers with."""

import sqlite3
from contextlib import closing

import pandas as pd
import pytest
from tests.models.tiny import write_prompts
from tests.retrieval.small_index import build, two_prompts, write_table

import wordworth as ww
from wordworth.errors import BadInput, ZeroVectorWarning


@pytest.fixture(scope="module", params=[None, "name"])
def index(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("databases")
    index = build(folder, 120, id=request.param)
    ww.delete_from_index(index, where="name = '0-5'")
    ww.export_index(index, folder / "texts.sqlite")
    return index


@pytest.mark.parametrize(
    "where", [None, "lang = 'en' AND year >= 2000", "text LIKE 'word1%' OR year IN (1999, '2005')"]
)
def test_results_are_those_of_the_index(index, where):
    ours = ww.search("word1 word2", index, k=7, where=where)
    theirs = ww.search("word1 word2", index.parent / "texts.sqlite", k=7, where=where)
    pd.testing.assert_frame_equal(theirs, ours, rtol=0, atol=1e-6)


def test_a_column_named_as_ours_is_called_otherwise(tmp_path):
    table = str(write_table(tmp_path / "table.txt"))
    ww.build_index([{"text": "word1", "score": "good", "rank": "1st"}], tmp_path / "index", model=table)
    ww.export_index(tmp_path / "index", tmp_path / "a.db", table="my texts")
    ours = ww.search("word1", tmp_path / "index")
    pd.testing.assert_frame_equal(ww.search("word1", tmp_path / "a.db", table="my texts"), ours, rtol=0, atol=1e-6)


def test_texts_of_no_known_word_have_the_score_0(tmp_path):
    table = str(write_table(tmp_path / "table.txt"))
    with pytest.warns(ZeroVectorWarning):
        ww.build_index(["zzz", "word1"], tmp_path / "index", model=table)
    ww.export_index(tmp_path / "index", tmp_path / "a.db")
    assert ww.search("word1", tmp_path / "a.db")["score"].tolist() == pytest.approx([1, 0])


def test_what_a_database_cannot_do_is_one_error(index, tmp_path):
    database = index.parent / "texts.sqlite"
    other = str(write_table(tmp_path / "other.txt", seed=1))
    for settings, words in (
        ({"method": "bm25"}, "`method` bm25 ranks by words, and a database by vectors alone; leave `method` out"),
        ({"where": "langs = 'en'"}, "table 'texts': column 'langs' not found; did you mean 'lang'?"),
        ({"where": "vector = 'en'"}, "column 'vector' not found"),
        ({"where": "lang = en"}, "cannot read this condition"),
        ({"table": "none"}, "no table 'none'"),
        ({"model": other}, "is not the model that this index was made with"),
        ({"k": 0}, "`k` 0 is out of range"),
    ):
        with pytest.raises(BadInput, match=words.replace("?", r"\?")):
            ww.search("word1", database, **settings)
    with pytest.raises(BadInput, match="a query is empty"):
        ww.search(" ", database)
    with pytest.raises(BadInput) as error:
        ww.search("word1", "postgresql://me:secret@127.0.0.1:1/none", method="bm25")
    assert "secret" not in str(error.value)


def test_a_query_has_the_prompt_of_queries_and_a_table_of_an_earlier_version_none(tmp_path):
    options = {"model": str(two_prompts(tmp_path / "tiny")), "dtype": "float32"}
    ww.build_index(["cab", "bad sea", "zebra"], tmp_path / "index", **options)
    ww.export_index(tmp_path / "index", tmp_path / "new.db")
    ours = ww.search("cab", tmp_path / "index")
    pd.testing.assert_frame_equal(ww.search("cab", tmp_path / "new.db"), ours, rtol=0, atol=1e-6)
    write_prompts(tmp_path / "tiny", {})
    ww.build_index(["cab", "bad sea", "zebra"], tmp_path / "plain", **options)
    ww.export_index(tmp_path / "plain", tmp_path / "old.db")
    with closing(sqlite3.connect(tmp_path / "old.db")) as old:
        for column in ("query_prompt", "document_prompt"):
            old.execute(f"ALTER TABLE texts_model DROP COLUMN {column}")
    write_prompts(tmp_path / "tiny", {"query": "the "})
    theirs = ww.search("cab", tmp_path / "old.db")
    pd.testing.assert_frame_equal(theirs, ww.search("cab", tmp_path / "plain"), rtol=0, atol=1e-6)
