import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.text.cached_tokenizer import CachedTokenizer, parts_at_blanks, read
from wordworth.text.static_tokenizer import table_tokenizer
from wordworth.text.tokenizer import Tokenizer

WORDS = ["the", "film", "made", "##ly", "##s", "well", ".", ",", "é", "学", "σ", "ς", "a"]
ODD = [
    "\n",
    "\t",
    "\x0b",
    "\x1c",
    "\x85",
    "\u2028",
    "\u00a0",
    "\u3000",
    "\u200b",
    "\u0301",
    "İ",
    "Σ",
    "[UNK]",
    "[ UNK]",
]
texts = st.lists(
    st.lists(st.sampled_from([*WORDS, " ", " ", "films", "THE", *ODD]) | st.text(max_size=3), max_size=9).map("".join),
    max_size=6,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tokenizers")


@pytest.fixture(scope="module")
def bert(folder):
    """BERT's own rules."""
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]) + "\n")
    return Tokenizer.wordpiece(vocabulary)


@pytest.fixture(scope="module")
def tokenizers(bert, folder):
    """BERT's, and that of a table made from BERT."""
    place = folder / "tokenizer.json"
    place.write_text(table_tokenizer(bert, WORDS))
    return [bert, Tokenizer.read(place)]


def same(one, other):
    return np.array_equal(one.ids, other.ids) and np.array_equal(one.starts, other.starts)


@settings(max_examples=150, deadline=None)
@given(first=texts, second=texts)
def test_remembered_pieces_are_those_of_reading_every_text(tokenizers, first, second):
    for tokenizer in tokenizers:
        memory = CachedTokenizer(tokenizer)
        for some in (first, second, [*second, *first]):
            assert same(memory.read(some), read(tokenizer, some))


@settings(max_examples=40, deadline=None)
@given(first=texts, second=texts)
def test_forgetting_changes_no_piece(bert, first, second):
    memory = CachedTokenizer(bert, most=3)
    for some in (first, second, first):
        assert same(memory.read(some), read(bert, some))


def test_each_word_is_read_once(bert, monkeypatch):
    asked, encode = [], Tokenizer.encode_words
    monkeypatch.setattr(Tokenizer, "encode_words", lambda self, some: asked.extend(some) or encode(self, some))
    memory = CachedTokenizer(bert)
    memory.read(["the film the", "film well"])
    memory.read(["well the film"])
    assert asked == [["the", "film", "well"]]


def test_many_threads_may_ask_one_memory(bert):
    memory, some = CachedTokenizer(bert), [f"the film{n} made{n % 7}" for n in range(300)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(memory.read, [some[n:] for n in range(0, 300, 5)]))
    assert all(same(one, read(bert, some[n:])) for one, n in zip(found, range(0, 300, 5), strict=True))


def test_what_reaches_across_a_blank_is_not_remembered(bert, folder):
    assert parts_at_blanks(bert)
    rules = json.loads(bert.to_json())
    across = {
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "normalizer": {"type": "NFKC"},
        "added_tokens": [*rules["added_tokens"], rules["added_tokens"][0] | {"id": 40, "content": "the film"}],
    }
    for name, rule in across.items():
        place = folder / f"{name}.json"
        place.write_text(json.dumps(rules | {name: rule}))
        assert not parts_at_blanks(Tokenizer.read(place))
