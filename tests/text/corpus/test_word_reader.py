from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.families import byte_pairs
from tests.text.toys import ALPHABETS, SMALL, drawn, write_vocabulary

from wordworth.text.corpus.word_reader import WordReader, store_type
from wordworth.text.tokenizer import Tokenizer

TEXTS = st.lists(st.text(alphabet="".join(ALPHABETS) + "  [MASK]", max_size=30), max_size=8)


def held_to_the_tokenizer(reader, texts):
    """The tokenizer itself is the specification."""
    ids, sizes = reader.read(texts)
    wanted = reader.tokenizer.ids(texts, special=False)
    assert sizes.tolist() == [len(one) for one in wanted]
    assert ids.tolist() == [index for one in wanted for index in one]


@pytest.fixture(scope="module", params=[True, False], ids=["uncased", "cased"])
def bert(request, tmp_path_factory):
    return Tokenizer.wordpiece(write_vocabulary(tmp_path_factory.mktemp("bert"), SMALL), lowercase=request.param)


def test_any_text_of_any_script_is_read_as_the_tokenizer_reads_it(bert):
    reader = WordReader(bert, most_words=500)
    texts = list(drawn(4000))
    for begin in range(0, len(texts), 37):
        held_to_the_tokenizer(reader, texts[begin : begin + 37])


@given(texts=TEXTS)
@settings(max_examples=150, deadline=None)
def test_any_lists_of_texts_are_read_as_the_tokenizer_reads_them(bert, texts):
    held_to_the_tokenizer(WordReader(bert), texts)


@pytest.mark.parametrize(
    "text",
    [
        "İstanbul ΟΔΟΣ Straße", "a\u200bb", "x\x1cy\x85z\x0bw", "one\ntwo", "[MASK] and[SEP]here", "a" * 101, "don't",
        "\u0301 a \u0301b", "", " ", "C++ & C#", "日本語カタカナ", "a\u2028b", "tab\tbell\x07", "\x00", "a_b",
    ],
)  # fmt: skip
def test_texts_that_are_easily_read_wrongly(bert, text):
    held_to_the_tokenizer(WordReader(bert), [text, "plain", text])


def test_words_that_are_forgotten_are_read_again(bert):
    reader = WordReader(bert, most_words=10)
    for number in range(30):
        held_to_the_tokenizer(reader, [f"the word {number} ing {number % 3}", "the the ing"])
        assert len(reader._numbers) <= 10 + 5


def test_a_tokenizer_that_minds_blanks_is_asked_for_whole_texts(tmp_path):
    reader = WordReader(Tokenizer.read(byte_pairs(tmp_path, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])))
    assert not reader.tokenizer.reads_words_alone
    held_to_the_tokenizer(reader, list(drawn(60)))


def test_special_tokens_in_a_text_are_characters(bert):
    ids, _ = WordReader(bert).read(["[MASK] [CLS]"])
    assert not np.isin(ids, [bert.special_ids["mask"], bert.special_ids["cls"]]).any()


def test_ids_take_two_bytes_where_they_can(bert):
    assert store_type(bert) == np.uint16
