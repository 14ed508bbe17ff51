"""Tokens are grouped by word; every special token is a unit of its own."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.studies.similarity.word_parts_of_text_vector import read_units

TEXT = "The zyzzyvas cat, sat."


@pytest.fixture(scope="module")
def encoder():
    return ww.load("minilm")


def test_words_are_as_written_and_pieces_as_the_vocabulary_spells_them(encoder):
    (words,) = read_units(encoder, [TEXT], "words")
    (pieces,) = read_units(encoder, [TEXT], "pieces")
    assert words.names == ("[CLS]", "The", "zyzzyvas", "cat", ",", "sat", ".", "[SEP]")
    assert words.is_special == (True, *[False] * 6, True)
    assert words.forms[1] == "the"
    assert words.tokens.sum() == len(pieces.names)
    assert pieces.names[0] == "[CLS]"
    assert len(pieces.names) > len(words.names)


def test_words_have_the_sums_of_their_pieces(encoder):
    (words,), (pieces,) = (read_units(encoder, [TEXT], units) for units in ("words", "pieces"))
    ends = words.tokens.cumsum()
    sums = [pieces.parts[end - count : end].sum(0) for end, count in zip(ends, words.tokens, strict=True)]
    assert np.allclose(words.parts, sums, atol=1e-12)


def test_a_word_is_left_out_with_one_of_the_blanks_around_it(encoder):
    (words,) = read_units(encoder, ["a cat, sat"], "words")
    assert dict(words.texts_without_each()) == {1: " cat, sat", 2: "a , sat", 3: "a cat sat", 4: "a cat, "}


def test_a_text_without_tokens_of_its_own_has_special_tokens_alone(encoder):
    (words,) = read_units(encoder, [""], "words")
    assert words.names == ("[CLS]", "[SEP]")
    assert list(words.texts_without_each()) == []
