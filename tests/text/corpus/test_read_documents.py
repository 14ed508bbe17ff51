from __future__ import annotations

import gzip
import json
import lzma
import unicodedata

import pyarrow as pa
import pytest
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.text.corpus.read_documents import (
    CorpusSettings,
    Document,
    DocumentReader,
    corpus_files,
    require_distinct,
)

TEXTS = ["One document. It has two sentences.", "Another.\n\nWith two paragraphs.", "日本語の文。"]


def rows(texts, field="text"):
    return "".join(json.dumps({field: text, "title": "t"}) + "\n" for text in texts).encode()


def read(*paths, **choices):
    reader = DocumentReader(CorpusSettings(**choices))
    return [document.text for document in reader.documents(corpus_files(paths))], reader.counts


@pytest.mark.parametrize(
    "name", ["a.jsonl", "a.ndjson", "a.json", "a.json.xz", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"]
)
def test_documents_of_every_kind_of_file(tmp_path, name):
    path, data = tmp_path / name, rows(TEXTS)
    if name.endswith(".parquet"):
        parquet.write_table(pa.table({"title": ["t"] * 3, "text": TEXTS}), path)
    elif name.endswith(".zst"):
        path.write_bytes(pa.compress(data, codec="zstd", asbytes=True))
    else:
        path.write_bytes({"xz": lzma.compress, "gz": gzip.compress}.get(name.rpartition(".")[2], bytes)(data))
    texts, counts = read(tmp_path)
    assert texts == TEXTS
    assert counts.read == 3
    assert counts.bytes == sum(len(text.encode()) for text in TEXTS)


def test_a_folder_is_read_by_path_with_what_lies_below_and_without_what_is_no_text(tmp_path):
    for name in ("b/two.txt", "a.txt", "b/one.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"text of {name}")
    for name in (".hidden.txt", "README.md", "b/picture.png"):
        (tmp_path / name).write_bytes(b"\xff")
    assert read(tmp_path)[0] == ["text of a.txt", "text of b/one.txt", "text of b/two.txt"]


def test_empty_and_doubled_documents_are_dropped_and_counted(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(rows(["one", "two", " one ", "", " \n ", "two", "One"]))
    texts, counts = read(path)
    assert texts == ["one", "two", "One"]
    assert (counts.read, counts.empty, counts.duplicates) == (7, 2, 2)
    assert read(path, deduplicate=False)[0] == ["one", "two", " one ", "two", "One"]


def test_text_is_brought_to_its_composed_form_and_this_is_counted(tmp_path):
    path, apart = tmp_path / "a.jsonl", unicodedata.normalize("NFD", "café, naïve")
    path.write_bytes(rows([apart, "café, naïve", "plain"]))
    texts, counts = read(path)
    assert texts == ["café, naïve", "plain"]
    assert (counts.composed, counts.duplicates) == (1, 1)
    assert read(path, nfc=False)[0] == [apart, "café, naïve", "plain"]


def test_the_original_format_gives_its_sentences(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("A first sentence.\nA second, Mr. B.\n\nAnother document.\nIt ends.\n")
    reader = DocumentReader(CorpusSettings())
    assert list(reader.documents([path])) == [
        Document("A first sentence.\nA second, Mr. B.", presplit=True),
        Document("Another document.\nIt ends.", presplit=True),
    ]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.jsonl", rows(["x"], field="body"), "'text' not found"),
        ("a.jsonl", b'{"text": "x"\n', "line 1: this line is not JSON"),
        ("a.jsonl", b'{"text": "caf\xe9"}\n', "line 1: not UTF-8"),
        ("a.jsonl.xz", lzma.compress(rows(TEXTS))[:-9], "cannot read"),
        ("a.jsonl.zst", b"no zstandard", "cannot read"),
        ("a.parquet", b"PAR1", "not a whole Parquet file"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=said):
        read(tmp_path)


def test_no_corpus_is_one_clear_error(tmp_path):
    with pytest.raises(BadInput, match="no such file or folder"):
        corpus_files(tmp_path / "absent")
    with pytest.raises(BadInput, match="no file in this folder ends in"):
        corpus_files(tmp_path)
    with pytest.raises(BadInput, match="no corpus was given"):
        corpus_files([])


def test_a_corpus_is_named_once_be_it_text_or_a_token_store(tmp_path):
    text, store = tmp_path / "a.txt", tmp_path / "store"
    text.write_text("one")
    store.mkdir()
    require_distinct([text, store], stores=[store])
    for corpora, held_out in (([text, text], None), ([text, store, store], None), ([text, store], store)):
        with pytest.raises(BadInput, match="this corpus is given twice"):
            require_distinct(corpora, held_out, [store])
