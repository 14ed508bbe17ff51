from __future__ import annotations

import errno
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.text.families import byte_pairs

from wordworth.errors import BadInput
from wordworth.progress import NoProgress
from wordworth.text.corpus import token_store, tokenize_corpus
from wordworth.text.corpus.read_documents import CorpusSettings, Document
from wordworth.text.corpus.resumable_append import AppendLog
from wordworth.text.corpus.token_store import IDS, TokenStore, Vocabulary, build_store
from wordworth.text.corpus.tokenize_corpus import sentence_texts
from wordworth.text.tokenizer import Tokenizer

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


def number_of_ids(appended) -> list[int]:
    """The number of token ids of each chunk that was appended."""
    return [len(parts[IDS]) for parts in appended if IDS in parts]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_store_holds_the_tokens_of_every_sentence_of_every_document(tmp_path, small):
    built = build_store(corpus(tmp_path), small, tmp_path / "store")
    kept = [TEXTS[place] for place in (0, 2, 5, 6)]
    plain = small.literal()
    for number, text in enumerate(kept):
        begin, end = built.documents[number], built.documents[number + 1]
        wanted = [
            ids.tolist() for ids in plain.ids(list(sentence_texts(Document(text, presplit=False))), special=False)
        ]
        found = [built.ids[built.sentences[at] : built.sentences[at + 1]].tolist() for at in range(begin, end)]
        assert found == wanted
    assert built.counts == {
        "read": 7, "empty": 1, "duplicates": 1, "composed": 0, "unread": 1,
        "documents": 4, "sentences": len(built.sentences) - 1, "tokens": len(built.ids),
        "bytes": sum(len(text.encode()) for text in (*kept, TEXTS[4])),
    }  # fmt: skip
    assert not built.vocabulary.special[built.ids].any() or (built.ids == small.special_ids["unk"]).any()


def test_a_store_is_memory_mapped_and_opens_as_it_was_built(tmp_path, small):
    built = build_store(corpus(tmp_path), small, tmp_path / "store")
    opened = TokenStore.open(tmp_path / "store")
    assert isinstance(opened.ids.base, np.memmap)
    assert not opened.ids.flags.writeable
    for name in ("ids", "sentences", "documents"):
        assert np.array_equal(getattr(opened, name), getattr(built, name))
    assert opened.fingerprint == built.fingerprint
    assert opened.vocabulary.fingerprint == small.fingerprint == opened.tokenizer.fingerprint
    assert np.array_equal(opened.document_tokens, opened.sentences[opened.documents])


def test_the_fingerprint_changes_with_text_tokenizer_and_settings_alone(tmp_path, small, toy):
    path = corpus(tmp_path)
    before = build_store(path, small, tmp_path / "a").fingerprint
    moved = tmp_path / "moved.jsonl"
    moved.write_bytes(path.read_bytes())
    assert build_store(moved, small, tmp_path / "b", CorpusSettings(processes=2)).fingerprint == before
    others = {
        build_store(path, toy, tmp_path / "c").fingerprint,
        build_store(path, small, tmp_path / "d", CorpusSettings(nfc=False)).fingerprint,
        build_store(corpus(tmp_path, [*TEXTS, "more"]), small, tmp_path / "e").fingerprint,
        before,
    }
    assert len(others) == 4


def test_a_finished_store_is_not_built_again_and_one_of_another_corpus_is_replaced(tmp_path, small, monkeypatch):
    path, place = corpus(tmp_path), tmp_path / "store"
    before = build_store(path, small, place)
    kept = before.ids.copy()
    with monkeypatch.context() as patch:
        patch.setattr(token_store, "_fill", lambda *_: pytest.fail("it was built again"))
        build_store(path, small, place)
    other = build_store(corpus(tmp_path, ["The mat."]), small, place)
    assert other.counts["documents"] == 1
    assert np.array_equal(before.ids, kept)  # whoever still reads the older one
    assert len(TokenStore.open(place).ids) == len(other.ids) == other.counts["tokens"]


class Stopped(Exception):
    pass


class Counting(NoProgress):
    """How many characters a build says that it found done, and how many that it read."""

    def __init__(self):
        self.found, self.made = 0, 0

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - a Progress
        yield self

    def skip(self, amount):
        self.found += amount

    def advance(self, amount=1):
        self.made += amount


@pytest.mark.parametrize("stop", [1, 8, 9, 20])
def test_a_build_that_was_stopped_goes_on_to_the_same_bytes(tmp_path, small, monkeypatch, stop):
    monkeypatch.setattr(tokenize_corpus, "_CHUNK", 100)
    path, undisturbed = corpus(tmp_path, copies=20), Counting()
    build_store(path, small, tmp_path / "whole", progress=undisturbed)
    append, seen = AppendLog.append, []

    def stopping(log, parts):
        if IDS in parts and len(seen) == stop:
            raise Stopped
        seen.extend(number_of_ids([parts]))
        append(log, parts)

    with monkeypatch.context() as patch:
        patch.setattr(AppendLog, "append", stopping)
        with pytest.raises(Stopped):
            build_store(path, small, tmp_path / "stopped")
    with pytest.raises(BadInput, match="no finished token store"):
        TokenStore.open(tmp_path / "stopped")
    appended, heard = [], Counting()
    with monkeypatch.context() as patch:
        patch.setattr(AppendLog, "append", lambda log, parts: (appended.append(parts), append(log, parts)))
        build_store(path, small, tmp_path / "stopped", progress=heard)
    assert files(tmp_path / "whole") == files(tmp_path / "stopped")
    everything = sum(number_of_ids(appended))
    whole = TokenStore.open(tmp_path / "whole").counts["tokens"]
    assert (everything < whole) == (stop >= 8)  # every eighth chunk is written down
    assert (heard.found > 0) == (stop >= 8)
    assert (undisturbed.found, undisturbed.made) == (0, heard.found + heard.made)


def test_a_corpus_without_text_is_one_clear_error(tmp_path, small):
    with pytest.raises(BadInput, match="no text in this corpus"):
        build_store(corpus(tmp_path, ["", " ", "\x00"]), small, tmp_path / "store")
    (tmp_path / "empty.txt").write_bytes(b"")
    with pytest.raises(BadInput, match="no text in this corpus"):
        build_store(tmp_path / "empty.txt", small, tmp_path / "store")


def test_a_damaged_store_is_one_clear_error(tmp_path, small):
    place = tmp_path / "store"
    build_store(corpus(tmp_path), small, place)
    with (place / "ids.bin").open("ab") as file:
        file.write(b"x")
    with pytest.raises(BadInput, match=r"ids.bin has .* bytes where"):
        TokenStore.open(place)
    build_store(tmp_path / "corpus.jsonl", small, place)
    TokenStore.open(place)
    meta = json.loads((place / "store.json").read_text())
    (place / "store.json").write_text(json.dumps({**meta, "version": 99}))
    with pytest.raises(BadInput, match="version 99"):
        TokenStore.open(place)


def flip_a_bit(path: Path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["ids.bin", "sentences.bin", "documents.bin"])
def test_a_flipped_bit_names_its_file_and_the_store_of_texts_is_built_again(tmp_path, small, name):
    place = tmp_path / "store"
    built = files(build_store(corpus(tmp_path), small, place).require_intact().folder)
    flip_a_bit(place / name)
    with pytest.raises(BadInput, match=f"{name} was changed since the store was built"):
        TokenStore.open(place).require_intact()
    build_store(tmp_path / "corpus.jsonl", small, place).require_intact()
    assert files(place) == built


def test_a_flipped_bit_is_not_resumed_over_where_the_log_of_the_build_is_left(tmp_path, small, monkeypatch):
    """A build that is killed after its last file leaves its log beside a finished store."""
    place = tmp_path / "store"
    with monkeypatch.context() as patch:
        patch.setattr(token_store, "STATE", "another.json")
        built = files(build_store(corpus(tmp_path), small, place).folder)
    flip_a_bit(place / "ids.bin")
    assert files(build_store(tmp_path / "corpus.jsonl", small, place).folder) == {
        name: content for name, content in built.items() if name != "progress.json"
    }


def test_a_store_of_an_earlier_version_has_no_checksums_and_opens(tmp_path, small):
    place = build_store(corpus(tmp_path), small, tmp_path / "store").folder
    meta = json.loads((place / "store.json").read_text())
    del meta["sha256"]
    (place / "store.json").write_text(json.dumps(meta))
    assert TokenStore.open(place).require_intact().counts["documents"] == 4


def test_a_full_disk_is_one_clear_error_and_the_build_goes_on_when_there_is_room(tmp_path, small, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("wordworth.text.corpus.resumable_append.os.fsync", full)
        with pytest.raises(BadInput, match="the disk is full"):
            build_store(corpus(tmp_path), small, tmp_path / "store")
    assert build_store(corpus(tmp_path), small, tmp_path / "store").counts["documents"] == 4


def test_of_several_that_build_one_store_the_first_does_and_the_others_wait(tmp_path, small, monkeypatch):
    monkeypatch.setattr(tokenize_corpus, "_CHUNK", 200)
    path, place, appended = corpus(tmp_path, copies=30), tmp_path / "store", []
    append = AppendLog.append
    monkeypatch.setattr(AppendLog, "append", lambda log, parts: (appended.append(parts), append(log, parts)))
    with ThreadPoolExecutor(3) as pool:
        built = list(pool.map(lambda _: build_store(path, small, place), range(3)))
    assert sum(number_of_ids(appended)) == built[0].counts["tokens"]
    assert all(np.array_equal(one.ids, built[0].ids) for one in built)


def test_the_facts_of_a_vocabulary(small):
    facts = Vocabulary.of(small)
    assert facts.vocab_size == small.vocab_size
    assert {role: facts.special_ids[role] for role in ("pad", "unk", "cls", "sep", "mask")} == {
        "pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4,
    }  # fmt: skip
    assert np.flatnonzero(facts.special).tolist() == [0, 1, 2, 3, 4]
    for index in range(facts.vocab_size):
        assert facts.word_starts.opens[index] != small.token(index).startswith("##")
    assert facts.fingerprint == small.fingerprint


def test_a_tokenizer_without_the_marks_of_a_sequence_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no cls token"):
        Vocabulary.of(Tokenizer.read(byte_pairs(tmp_path, ["<|endoftext|>"])))
