import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.families import byte_pairs
from tests.text.toys import ALPHABETS, SMALL, drawn, write_vocabulary

from wordworth.text.cached_tokenizer import CachedTokenizer, SentenceTokenizer, read, splits_at_spaces, store_type
from wordworth.text.derived_tokenizers import table_tokenizer
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
    assert splits_at_spaces(bert)
    rules = json.loads(bert.to_json())
    across = {
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "normalizer": {"type": "NFKC"},
        "added_tokens": [*rules["added_tokens"], rules["added_tokens"][0] | {"id": 40, "content": "the film"}],
    }
    for name, rule in across.items():
        place = folder / f"{name}.json"
        place.write_text(json.dumps(rules | {name: rule}))
        assert not splits_at_spaces(Tokenizer.read(place))


SENTENCES = st.lists(st.text(alphabet="".join(ALPHABETS) + "  [MASK]", max_size=30), max_size=8)


def held_to_the_tokenizer(reader, texts):
    """The tokenizer itself is the specification."""
    ids, starts = reader.read(texts)
    wanted = reader.tokenizer.ids(texts, special=False)
    assert np.diff(starts).tolist() == [len(one) for one in wanted]
    assert ids.tolist() == [index for one in wanted for index in one]


@pytest.fixture(scope="module", params=[True, False], ids=["uncased", "cased"])
def any_case(request, tmp_path_factory):
    return Tokenizer.wordpiece(write_vocabulary(tmp_path_factory.mktemp("bert"), SMALL), lowercase=request.param)


def test_any_text_of_any_script_is_read_as_the_tokenizer_reads_it(any_case):
    reader = SentenceTokenizer(any_case, most=3_000)
    texts = list(drawn(4000))
    for begin in range(0, len(texts), 37):
        held_to_the_tokenizer(reader, texts[begin : begin + 37])


@given(texts=SENTENCES)
@settings(max_examples=150, deadline=None)
def test_any_lists_of_texts_are_read_as_the_tokenizer_reads_them(any_case, texts):
    held_to_the_tokenizer(SentenceTokenizer(any_case), texts)


@pytest.mark.parametrize(
    "text",
    [
        "İstanbul ΟΔΟΣ Straße", "a\u200bb", "x\x1cy\x85z\x0bw", "one\ntwo", "[MASK] and[SEP]here", "a" * 101, "don't",
        "\u0301 a \u0301b", "", " ", "C++ & C#", "日本語カタカナ", "a\u2028b", "tab\tbell\x07", "\x00", "a_b",
    ],
)  # fmt: skip
def test_texts_that_are_easily_read_wrongly(any_case, text):
    held_to_the_tokenizer(SentenceTokenizer(any_case), [text, "plain", text])


def test_words_that_are_forgotten_are_read_again(any_case, monkeypatch):
    asked, encode = [], Tokenizer.encode_words
    monkeypatch.setattr(Tokenizer, "encode_words", lambda self, some: asked.extend(*some) or encode(self, some))
    reader = SentenceTokenizer(any_case, most=15)
    for number in range(30):
        held_to_the_tokenizer(reader, [f"the word {number} ing {number % 3}", "the the ing"])
    assert 1 < asked.count("the") < 30


def test_a_tokenizer_that_minds_blanks_is_asked_for_whole_texts(tmp_path):
    reader = SentenceTokenizer(Tokenizer.read(byte_pairs(tmp_path, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])))
    assert not reader.tokenizer.is_word_local
    held_to_the_tokenizer(reader, list(drawn(60)))


def test_special_tokens_in_a_text_are_characters(any_case):
    ids, _ = SentenceTokenizer(any_case).read(["[MASK] [CLS]"])
    assert not np.isin(ids, [any_case.special_ids["mask"], any_case.special_ids["cls"]]).any()


def test_ids_take_two_bytes_where_they_can(any_case):
    assert store_type(any_case) == np.uint16
