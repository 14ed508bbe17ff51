from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.cached_tokenizer import SentenceTokenizer
from wordworth.text.corpus import tokenize_corpus
from wordworth.text.corpus.read_documents import CorpusSettings, Document
from wordworth.text.corpus.token_store import build_store
from wordworth.text.corpus.tokenize_corpus import (
    chunks,
    encode,
    encode_chunks,
    expected_characters,
    sentence_texts,
    useful_processes,
)
from wordworth.text.tokenizer_files import save_tokenizer

TEXTS = [
    "The cat sat. The mat was flat, e.g. thin.",
    "",
    "A second document.\n\nIt has paragraphs! And 3 sentences.",
    "The cat sat. The mat was flat, e.g. thin.",
    "\x00\x07",
    "日本語です。はい。",
    "[MASK] and [SEP] stand here.",
]


def corpus(folder: Path, texts=TEXTS, copies=1) -> Path:
    path = folder / "corpus.jsonl"
    rows = [{"text": text + ("" if number == 0 else f" {number}")} for number in range(copies) for text in texts]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_several_processes_build_the_same_bytes(tmp_path, small, monkeypatch):
    monkeypatch.setattr(tokenize_corpus, "_CHUNK", 200)
    monkeypatch.setattr(tokenize_corpus, "_SMALL", 0)
    path = corpus(tmp_path, copies=30)
    build_store(path, small, tmp_path / "one")
    build_store(path, small, tmp_path / "two", CorpusSettings(processes=2))
    assert files(tmp_path / "one") == files(tmp_path / "two")


def by_hand(documents, small):
    """The ids of each sentence of each document, those without a token left out."""
    plain = small.literal()
    for document in documents:
        sentences = [ids.tolist() for ids in plain.ids(list(sentence_texts(document)), special=False)]
        yield [ids for ids in sentences if ids]


@given(texts=st.lists(st.text("ab. !?\n\x00", max_size=30), max_size=6))
def test_documents_are_encoded_sentence_by_sentence_and_what_has_no_token_is_left_out(texts, small):
    documents = [Document(text, presplit=bool(number % 2)) for number, text in enumerate(texts)]
    encoded = encode(documents, SentenceTokenizer(small))
    expected = [sentences for sentences in by_hand(documents, small) if sentences]
    assert encoded.ids.tolist() == [id_ for sentences in expected for ids in sentences for id_ in ids]
    assert encoded.sentences.tolist() == [len(ids) for sentences in expected for ids in sentences]
    assert encoded.documents.tolist() == [len(sentences) for sentences in expected]
    assert encoded.unread == len(texts) - len(expected)
    assert encoded.characters == sum(map(len, texts))


def test_a_document_that_is_split_already_has_a_sentence_a_line():
    text = "One. Two\nThree"
    assert list(sentence_texts(Document(text, presplit=True))) == ["One. Two", "Three"]
    assert list(sentence_texts(Document("One. Two.\n\nThree.", presplit=False))) == ["One.", "Two.", "Three."]


@given(sizes=st.lists(st.integers(0, 500), max_size=12), most=st.integers(1, 600), skip=st.integers(0, 14))
def test_chunks_hold_every_document_once_and_skipping_leaves_out_the_first_ones(sizes, most, skip):
    documents = [Document("x" * size, presplit=False) for size in sizes]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenize_corpus, "_CHUNK", most)
        every, later = list(chunks(documents)), list(chunks(documents, skip=skip))
    assert [document for chunk in every for document in chunk] == documents
    assert all(sum(len(in_one_process.text) for in_one_process in chunk[:-1]) < most for chunk in every)
    assert later == every[skip:]


def test_several_processes_encode_chunks_in_their_order(small, tmp_path):
    save_tokenizer(small, tmp_path)
    documents = [[Document(f"the number {number}.", presplit=False)] * (number % 3 + 1) for number in range(7)]
    in_one_process, in_two_processes = (
        [part.ids.tolist() for part in encode_chunks(documents, tmp_path, number)] for number in (1, 2)
    )
    assert in_one_process == in_two_processes
    assert len(in_one_process) == 7


def test_small_files_are_encoded_in_one_process_and_packed_ones_count_for_more_text(tmp_path):
    (tmp_path / "small.txt").write_bytes(b"x" * 1_000)
    (tmp_path / "packed.gz").write_bytes(b"x" * 4_000_000)
    (tmp_path / "plain.txt").write_bytes(b"x" * 4_000_000)
    assert expected_characters([tmp_path / "small.txt", tmp_path / "plain.txt"]) == 4_001_000
    assert expected_characters([tmp_path / "packed.gz"]) == 2.6 * 4_000_000
    processes = {path.name: useful_processes(4, [path]) for path in tmp_path.iterdir()}
    assert processes == {"small.txt": 1, "plain.txt": 1, "packed.gz": 4}
