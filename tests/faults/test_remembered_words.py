"""The memory of words survives a tokenizer that fails, and does not make other threads wait for one that is slow."""

import threading

import numpy as np
import pytest

from wordworth.text.cached_tokenizer import CachedTokenizer, read
from wordworth.text.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    vocabulary = tmp_path_factory.mktemp("tokenizer") / "vocab.txt"
    vocabulary.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nfilm\nwell\n")
    return Tokenizer.wordpiece(vocabulary)


def same(one, other):
    return np.array_equal(one.ids, other.ids) and np.array_equal(one.starts, other.starts)


def test_a_word_that_cannot_be_read_fails_its_own_texts_alone(tokenizer, monkeypatch):
    memory, texts, encode = CachedTokenizer(tokenizer), ["the film", "well well the"], Tokenizer.encode_words

    def fail(self, sentences):
        if any("unreadable" in words for words in sentences):
            raise MemoryError
        return encode(self, sentences)

    monkeypatch.setattr(Tokenizer, "encode_words", fail)
    with pytest.raises(MemoryError):
        memory.read(["film unreadable well"])
    assert same(memory.read(texts), read(tokenizer, texts))


def test_known_words_are_given_while_another_thread_reads_new_ones(tokenizer, monkeypatch):
    memory = CachedTokenizer(tokenizer)
    memory.read(["the film"])
    at_work, go_on, encode = threading.Event(), threading.Event(), Tokenizer.encode_words

    def slow(self, words):
        at_work.set()
        assert go_on.wait(60)
        return encode(self, words)

    monkeypatch.setattr(Tokenizer, "encode_words", slow)
    slow_reader = threading.Thread(target=memory.read, args=(["well"],))
    slow_reader.start()
    assert at_work.wait(60)
    answers = []
    reader = threading.Thread(target=lambda: answers.append(memory.read(["film the"])), daemon=True)
    reader.start()
    reader.join(20)
    waited = reader.is_alive()
    go_on.set()
    slow_reader.join()
    assert not waited
    assert same(answers[0], read(tokenizer, ["film the"]))
