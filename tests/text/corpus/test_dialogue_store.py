"""Dialogues as a token store: a turn is a sentence with its speaker, and a build that was killed resumes."""

import json

import pytest
from tests.text.corpus.dialogue_files import write

from wordworth.errors import BadInput
from wordworth.text.corpus import dialogue_store
from wordworth.text.corpus.dialogue_store import build_dialogue_store, read_speakers
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.corpus.token_store import build_store
from wordworth.text.tokenizer import Tokenizer

ROWS = [{"turns": ["A: q1 q2", "B: r1", "A: q3."]}, {"turns": ["A: q4"]}, {"turns": ["C: r5", "C: r6 r7", "D: q0"]}]


def build(path, folder="store", **settings):
    tokenizer = Tokenizer.read(path.parent / "tok")
    return build_dialogue_store(path, tokenizer, path.parent / folder, CorpusSettings(**settings))


def turns(store):
    return [
        store.tokenizer.tokens(store.ids[start:end])
        for start, end in zip(store.sentences[:-1], store.sentences[1:], strict=True)
    ]


def test_turns_are_sentences_of_documents_with_their_speakers(tmp_path):
    store = build(write(tmp_path, ROWS))
    assert turns(store) == [["q1", "q2"], ["r1"], ["q3", "."], ["r5"], ["r6", "r7"], ["q0"]]
    assert store.documents.tolist() == [0, 3, 6]
    assert read_speakers(store).tolist() == [0, 1, 0, 0, 0, 1]
    assert (store.counts["read"], store.counts["single"]) == (3, 1)


def test_a_turn_of_no_token_is_left_out(tmp_path):
    store = build(write(tmp_path, [{"turns": ["A: q1", "B: \u200b", "A: q2"]}, {"turns": ["A: q1", "B: \u200b"]}]))
    assert turns(store) == [["q1"], ["q2"]]
    assert store.counts["single"] == 1


def test_a_build_that_was_killed_resumes_and_a_finished_one_is_not_built_again(tmp_path, monkeypatch):
    path = write(tmp_path, ROWS * 5)
    whole = build(path)
    monkeypatch.setattr(dialogue_store, "_AT_ONCE", 3)
    plain, count = dialogue_store._append, 0

    def killed(*arguments):
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        plain(*arguments)

    monkeypatch.setattr(dialogue_store, "_append", killed)
    with pytest.raises(KeyboardInterrupt):
        build(path, "again")
    again = build(path, "again")
    for name in ("ids.bin", "sentences.bin", "documents.bin", "speakers.bin"):
        assert (again.folder / name).read_bytes() == (whole.folder / name).read_bytes()
    assert again.counts == whole.counts
    count = 2  # another batch would be killed
    assert build(path, "again").counts == whole.counts


def test_a_flipped_bit_of_the_speakers_is_noticed_and_the_store_built_again(tmp_path):
    path = write(tmp_path, ROWS)
    store = build(path)
    sound = (store.folder / "speakers.bin").read_bytes()
    (store.folder / "speakers.bin").write_bytes(bytes([sound[0] ^ 1]) + sound[1:])
    with pytest.raises(BadInput, match=r"speakers\.bin was changed since the store was built"):
        store.require_intact()
    assert (build(path).folder / "speakers.bin").read_bytes() == sound


def test_dialogues_that_share_text_with_a_test_are_left_out(tmp_path):
    long = "q0 q1 q2 q3 q4 q5 q6 q7 r0 r1 r2 r3 r4 r5"
    path = write(tmp_path, [*ROWS, {"turns": [f"A: {long}", "B: r1"]}])
    (tmp_path / "test.jsonl").write_text(json.dumps({"text": long}) + "\n")
    store = build(path, leave_out=tmp_path / "test.jsonl")
    assert (len(store.documents), store.counts["overlapping"]) == (3, 1)


def test_dialogues_of_one_turn_alone_are_refused(tmp_path):
    path = write(tmp_path, [{"turns": ["A: q4"]}, {"turns": ["B: q5"]}])
    with pytest.raises(BadInput, match="of 2 dialogues none has two turns or more") as error:
        build(path)
    assert error.value.where == str(path)


def test_a_store_of_texts_holds_no_dialogues(tmp_path):
    path = write(tmp_path, ROWS)
    (tmp_path / "text.txt").write_text("q1 q2. q3 q4.\n")
    texts = build_store(tmp_path / "text.txt", Tokenizer.read(tmp_path / "tok"), tmp_path / "texts")
    with pytest.raises(BadInput, match="this token store holds no dialogues"):
        read_speakers(texts)
    assert path.exists()
