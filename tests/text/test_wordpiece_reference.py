"""Google's rules in plain Python, and the library held to them."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.toys import SMALL, TOY, drawn, library, write_vocabulary

from wordworth.text.tokenizer import Tokenizer
from wordworth.text.wordpiece_reference import (
    GOOGLE,
    Rules,
    basic_words,
    cased,
    is_ideograph,
    is_punctuation,
    is_whitespace,
    pieces,
    word_pieces,
)

KNOWN = frozenset(SMALL)
EVERY = range(sys.maxunicode + 1)
MISTYPED = {(0x2B820, 0x2CEAF): (0x2B920, 0x2CEAF)}
"""The `tokenizers` library leaves 256 ideographs of extension E unsplit."""
LIBRARY = Rules(
    longest_word=100,
    dropped=frozenset({"Cc", "Cf", "Co"}),
    ideographs=tuple(MISTYPED.get(block, block) for block in GOOGLE.ideographs),
    final_sigma=False,
)
RECLASSIFIED = "\u166d\u1734\u1885\u1886"
"""Old characters whose category changed after the library's Unicode; all others on which it differs are newer."""


def test_twenty_characters_are_whitespace() -> None:
    members = [code for code in EVERY if is_whitespace(chr(code))]
    assert members == [0x9, 0xA, 0xD, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]


def test_thirty_two_ascii_signs_are_punctuation() -> None:
    members = [code for code in range(128) if is_punctuation(chr(code))]
    assert members == [*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 127)]


CHINESE = [(0x4DFF, False), (0x4E00, True), (0x9FFF, True), (0xA000, False), (0x4DBF, True), (0x4DC0, False)]


@pytest.mark.parametrize(("code", "alone"), CHINESE)
def test_chinese_characters_begin_and_end_where_google_says(code: int, *, alone: bool) -> None:
    assert is_ideograph(chr(code)) is alone
    assert basic_words(f"a{chr(code)}b") == (["a", chr(code), "b"] if alone else [f"a{chr(code)}b"])


def test_accents_are_dropped_and_spacing_vowel_signs_are_kept() -> None:
    assert basic_words("é क\u093f क\u0941") == ["e", "क\u093f", "क"]
    assert basic_words("É", cased(GOOGLE)) == ["É"]


# A toy vocabulary.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("unwanted running", ["un", "##want", "##ed", "runn", "##ing"]),
        ("unwantedX running", ["[UNK]", "runn", "##ing"]),
        ("wantedun", ["[UNK]"]),
        ("UNwant\u00e9d,running", ["un", "##want", "##ed", ",", "runn", "##ing"]),
    ],
)
def test_the_toy_vocabulary_reads_as_published(toy: Tokenizer, text: str, expected: list[str]) -> None:
    assert pieces(text, TOY) == expected
    assert tokens_of(toy, text) == expected


@settings(max_examples=50)
@given(st.text())
def test_joined_pieces_give_back_the_word_unless_it_is_unknown(text: str) -> None:
    for word in basic_words(text):
        found = word_pieces(word, KNOWN)
        joined = "".join(piece.removeprefix("##") if place else piece for place, piece in enumerate(found))
        assert found == ["[UNK]"] or joined == word


def test_published_test_vectors_hold(tmp_path: Path) -> None:
    vectors = json.loads(data_file("fixtures/bert/tokenization_vectors.json").read_text(encoding="utf-8"))
    full = vectors["full_lowercase"]
    assert pieces(full["input"], full["vocab"]) == full["tokens"]
    found = Tokenizer.wordpiece(write_vocabulary(tmp_path, full["vocab"])).ids([full["input"]], special=False)
    assert found[0].tolist() == full["ids"]
    for text, expected in vectors["wordpiece"]["cases"]:
        assert pieces(text, vectors["wordpiece"]["vocab"]) == expected
    for case in vectors["basic"]:
        assert basic_words(case["input"], GOOGLE if case["lower"] else cased(GOOGLE)) == case["tokens"]
    for kind, holds in (("whitespace", is_whitespace), ("punctuation", is_punctuation), ("control", is_dropped)):
        assert all(holds(character) for character in vectors[kind]["true"])
        assert not any(holds(character) for character in vectors[kind]["false"])


# The named differences between Google's code and the tokenizers library: what each does, and that each is a rule.
@pytest.mark.parametrize(
    ("rule", "text", "google", "library"),
    [
        ("dropped", "a\ue000b", ["a\ue000b"], ["ab"]),
        ("ideographs", "a\U0002b820b", ["a", "\U0002b820", "b"], ["a\U0002b820b"]),
        ("final_sigma", "ΟΔΟΣ", ["οδος"], ["οδοσ"]),
    ],
)
def test_the_library_departs_from_google_where_a_rule_says_so(
    small: Tokenizer, rule: str, text: str, google: list[str], library: list[str]
) -> None:
    assert getattr(GOOGLE, rule) != getattr(LIBRARY, rule)
    assert basic_words(text, GOOGLE) == google
    assert basic_words(text, LIBRARY) == library == library_words(small, text)


@pytest.mark.parametrize(("length", "google", "library"), [(100, True, True), (101, True, False), (201, False, False)])
def test_google_reads_words_of_200_characters_and_the_library_of_100(
    small: Tokenizer, length: int, *, google: bool, library: bool
) -> None:
    word = "a" * length
    whole = ["a", *["##a"] * (length - 1)]
    assert pieces(word, KNOWN, GOOGLE) == (whole if google else ["[UNK]"])
    assert pieces(word, KNOWN, LIBRARY) == tokens_of(small, word) == (whole if library else ["[UNK]"])


def test_a_literal_mask_is_text_to_google_and_a_mark_to_the_library(
    minilm: Tokenizer, minilm_pieces: frozenset
) -> None:
    assert pieces("Jim [MASK] was", minilm_pieces) == ["jim", "[", "mask", "]", "was"]
    assert tokens_of(minilm, "Jim [MASK] was") == ["jim", "[MASK]", "was"]


@pytest.mark.slow
@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="counted with Python's Unicode 14")
def test_single_characters_differ_only_by_the_version_of_unicode(small: Tokenizer) -> None:
    differing = [chr(code) for code in EVERY if not 0xD800 <= code < 0xE000 and drifts(small, chr(code), LIBRARY)]
    known = [character for character in differing if unicodedata.ucd_3_2_0.category(character) != "Cn"]
    assert len(differing) == 559
    assert known == list(RECLASSIFIED)


def test_drawn_texts_of_any_script_read_alike(small: Tokenizer) -> None:
    assert_alike(small, KNOWN, 3_000)


@pytest.mark.slow
def test_a_hundred_thousand_drawn_texts_read_alike(minilm: Tokenizer, minilm_pieces: frozenset[str]) -> None:
    assert_alike(minilm, minilm_pieces, 100_000)


def test_drawn_texts_read_alike_cased(tmp_path: Path) -> None:
    tokenizer = Tokenizer.wordpiece(write_vocabulary(tmp_path, SMALL), lowercase=False)
    assert_alike(tokenizer, KNOWN, 1_000, cased(LIBRARY))


def assert_alike(tokenizer: Tokenizer, known: frozenset[str], count: int, rules: Rules = LIBRARY) -> None:
    """The library and the slow twin give one and the same ids, characters of other Unicode versions aside."""
    numbers = {tokenizer.token(index): index for index in range(tokenizer.vocab_size)}
    texts = [text for text in drawn(count) if not any(drifts(tokenizer, character, rules) for character in set(text))]
    assert len(texts) > 0.8 * count
    unknown = 0
    for text, found in zip(texts, tokenizer.ids(texts, special=False), strict=True):
        expected = [numbers[piece] for piece in pieces(text, known, rules)]
        assert found.tolist() == expected, ascii(text)
        unknown += numbers["[UNK]"] in expected and set(expected) == {numbers["[UNK]"]}
    assert unknown < 0.5 * count  # texts of nothing but [UNK] would prove little


@cache
def drifts(tokenizer: Tokenizer, character: str, rules: Rules) -> bool:
    """Whether Python and the library know different versions of Unicode for a character."""
    text = f"a{character}b"
    return library_words(tokenizer, text) != basic_words(text, rules)


def library_words(tokenizer: Tokenizer, text: str) -> list[str]:
    parts = library(tokenizer)
    return [word for word, _ in parts.pre_tokenizer.pre_tokenize_str(parts.normalizer.normalize_str(text))]


def tokens_of(tokenizer: Tokenizer, text: str) -> list[str]:
    return [tokenizer.token(int(index)) for index in tokenizer.ids([text], special=False)[0]]


def is_dropped(character: str) -> bool:
    return basic_words(f"a{character}b") == ["ab"]


def data_file(name: str) -> Path:
    folder = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not (folder / name).exists():
        pytest.skip(f"no {name} in the folder of data sets (WORDWORTH_DATA)")
    return folder / name


def test_drawn_texts_are_the_same_every_time() -> None:
    assert np.array_equal(list(drawn(20)), list(drawn(20)))
