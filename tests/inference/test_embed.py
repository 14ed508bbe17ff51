"""`wordworth.embed` in Python: texts, tables and files in; an array or a file out."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from tests.models.tiny import write_prompts, write_tiny

import wordworth as ww
from wordworth.errors import BadInput, LongTextWarning

TEXTS = ["word other", "word", "other other"]


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.txt").write_text("word 3.0 4.0\nother 1.0 0.0\n")
    return str(tmp_path / "table.txt")


def test_without_a_file_to_write_the_vectors_are_returned(table):
    vectors = ww.embed(TEXTS, model=table)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, ww.load(table).encode(TEXTS))


@pytest.mark.parametrize(
    "texts",
    [pd.DataFrame({"text": TEXTS}), [{"text": text} for text in TEXTS], (TEXTS, [1, 2, 3]), np.array(TEXTS)],
    ids=["pandas", "dicts", "texts and labels", "numpy"],
)
def test_tables_in_memory_have_the_vectors_of_their_file(table, tmp_path, texts):
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    report = ww.embed(tmp_path / "texts.txt", tmp_path / "file.npy", model=table)
    assert report.rows == 3
    assert np.array_equal(ww.embed(texts, model=table, rows=2), np.load(tmp_path / "file.npy"))
    ww.embed(texts, tmp_path / "memory.npy", model=table)
    assert (tmp_path / "memory.npy").read_bytes() == (tmp_path / "file.npy").read_bytes()


def test_a_column_names_the_rows_of_a_file_and_is_refused_in_memory(table, tmp_path):
    rows = [{"text": text, "sku": f"s{row}"} for row, text in enumerate(TEXTS)]
    ww.embed(rows, tmp_path / "v.parquet", model=table, id="sku")
    assert list(pd.read_parquet(tmp_path / "v.parquet")["id"]) == ["s0", "s1", "s2"]
    with pytest.raises(BadInput, match="`id`: vectors in memory have no names"):
        ww.embed(rows, model=table, id="sku")


@pytest.mark.parametrize("id_column", [None, "sku"])
@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
def test_every_kind_of_table_has_the_same_ids_and_vectors_to_the_last_bit(table, tmp_path, suffix, id_column):
    rows = [{"text": text, "sku": f"s{row}"} for row, text in enumerate(TEXTS)]
    out = tmp_path / f"v.{suffix}"
    ww.embed(rows, out, model=table, id=id_column, rows=2)
    read = {"parquet": pd.read_parquet, "csv": pd.read_csv, "jsonl": lambda path: pd.read_json(path, lines=True)}
    written = read[suffix](out)
    assert list(written.columns) == ["id", "vector"]
    assert list(written["id"]) == (["s0", "s1", "s2"] if id_column else [0, 1, 2])
    vectors = written["vector"].map(json.loads) if suffix == "csv" else written["vector"]
    assert np.array_equal(np.stack([np.array(each, np.float32) for each in vectors]), ww.embed(rows, model=table))


def test_a_missing_column_is_refused_in_the_words_of_a_file(table):
    with pytest.raises(BadInput, match=r"the table: column 'text' not found; give `text` NAME; did you mean 'texts'"):
        ww.embed([{"texts": "word"}], model=table)


@pytest.mark.parametrize("texts", [[], (), pd.DataFrame({"text": []}), pd.Series([], dtype=str)])
def test_no_texts_have_no_vectors_of_the_same_width(table, tmp_path, texts, heard):
    some, none = ww.embed(["word"], model=table), ww.embed(texts, model=table)
    assert (none.shape, none.dtype) == ((0, some.shape[1]), np.float32)
    report = ww.embed(texts, tmp_path / "v.parquet", model=table, progress=heard)
    assert (report.rows, report.width) == none.shape
    assert list(pd.read_parquet(tmp_path / "v.parquet").columns) == ["id", "vector"]
    assert "the table: there are no texts" in heard.notes


@pytest.mark.parametrize(("texts", "options", "message"), [
    (["a"], {"rows": 0}, "`rows` 0 is out of range"),
    (["a"], {"characters": 0}, "`characters` 0 is out of range"),
    ("just a text", {}, r"if it is a text, put it in a list: \[text\]"),
    ("", {}, "the path is empty"),
    ({"a": 1}, {}, "column 'a' is 1, not a list of cells"),
])  # fmt: skip
def test_what_cannot_be_embedded_is_refused_in_one_line(texts, options, message):
    with pytest.raises(BadInput, match=message):
        ww.embed(texts, model="glove", **options)


@pytest.fixture
def encoder(tmp_path):
    return str(write_tiny(tmp_path / "model"))


LONG = ["the cab", "a cab at the back " * 9, "the " * 60]


@pytest.mark.parametrize("out", [None, "vectors.npy"])
def test_long_texts_that_nobody_chose_how_to_read_give_one_warning_a_call(encoder, tmp_path, out):
    with pytest.warns(LongTextWarning, match="24 tokens at once.*long_texts='window' silences") as caught:
        ww.embed(LONG, out and tmp_path / out, model=encoder, rows=1)
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize("way", ["window", "cut"])
def test_who_chose_how_long_texts_are_read_is_not_warned(encoder, way):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ww.embed(LONG, model=encoder, long_texts=way)
        ww.embed(LONG[:1], model=encoder)


def test_a_prompt_is_put_before_each_text_by_its_name(tmp_path, table):
    model = str(write_prompts(write_tiny(tmp_path / "tiny"), {"query": "the ", "document": ""}))
    options = {"model": model, "dtype": "float32"}
    expected = ww.load(model).encode(["the cab", "the zebra"])
    assert np.allclose(ww.embed(["cab", "zebra"], prompt="query", **options), expected, atol=1e-6)
    ww.embed(["cab", "zebra"], tmp_path / "v.npy", prompt="query", **options)
    assert np.allclose(np.load(tmp_path / "v.npy"), expected, atol=1e-6)
    made_of = json.loads((tmp_path / "v.npy.json").read_text())["made_of"]
    assert made_of["prompt"] == "the "
    with pytest.raises(BadInput, match="the vectors here were made with another prompt"):
        ww.embed(["cab", "zebra"], tmp_path / "v.npy", **options)
    with pytest.raises(BadInput, match="no prompt 'passage'; available: 'query', 'document'"):
        ww.embed(["cab"], prompt="passage", **options)
    with pytest.raises(BadInput, match="no prompt 'query'; leave it out: this model has no named prompts"):
        ww.embed(["word"], model=table, prompt="query")


def test_without_the_name_of_a_prompt_a_file_says_what_it_said_before_there_were_names(tmp_path, table):
    ww.embed(TEXTS, tmp_path / "v.npy", model=table)
    made_of = json.loads((tmp_path / "v.npy.json").read_text())["made_of"]
    assert "prompt" not in made_of
