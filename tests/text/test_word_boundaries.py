"""Words of any script, and the tokens that belong to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.text.tokens import Tokens
from wordworth.text.word_boundaries import align, first_pieces, words


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n\u00a0\u3000\x00", []),
        ("Don't stop!", ["Don't", "stop", "!"]),
        ("l’homme col·lecció", ["l’homme", "col·lecció"]),
        ("'quoted' roll's'", ["'", "quoted", "'", "roll's", "'"]),
        ("the end.The start...", ["the", "end", ".", "The", "start", ".", ".", "."]),
        ("3.14% of $9,999.99", ["3.14", "%", "of", "$", "9,999.99"]),
        ("v.5 3.x", ["v", ".", "5", "3", ".", "x"]),
        ("state-of-the-art snake_case x²", ["state", "-", "of", "-", "the", "-", "art", "snake_case", "x²"]),
        ("cafe\u0301 nai\u0308ve", ["cafe\u0301", "nai\u0308ve"]),
        ("日本語です。カタカナー", ["日", "本", "語", "です", "。", "カタカナー"]),
        ("ah博推zz", ["ah", "博", "推", "zz"]),
        ("人々", ["人", "々"]),
        ("한국어 \u1112\u1161\u11ab", ["한국어", "\u1112\u1161\u11ab"]),
        ("ภาษาไทย abc ๑๒", ["ภาษาไทย", "abc", "๑๒"]),
        ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया", "।"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("م\u064fح\u064eم\u0651د می\u200cخواهم", ["م\u064fح\u064eم\u0651د", "می\u200cخواهم"]),
        ("👩\u200d👩\u200d👧👍🏽🙂\u200d↔\ufe0f", ["👩\u200d👩\u200d👧", "👍🏽", "🙂\u200d↔\ufe0f"]),
        ("1\ufe0f\u20e3 🇫🇷🇩🇪🇪", ["1\ufe0f\u20e3", "🇫🇷", "🇩🇪", "🇪"]),
        ("🏴\U000e0067\U000e0062\U000e007f!", ["🏴\U000e0067\U000e0062\U000e007f", "!"]),
        ("a\u200bb", ["a", "b"]),
        ("soft\u00adhyphen \ufeffbom", ["soft\u00adhyphen", "bom"]),
        ("a \u0301 b", ["a", "\u0301", "b"]),
        ("\ud800a", ["a"]),
    ],
)
def test_words_of_every_script_are_found(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@settings(max_examples=100)
@given(st.text())
def test_words_are_in_order_apart_and_hold_every_visible_character(text: str) -> None:
    spans = words(text)
    flat = [place for span in spans for place in span]
    assert flat == sorted(flat)
    assert all(start < end for start, end in spans)
    inside = {place for start, end in spans for place in range(start, end)}
    assert not any(character.isalnum() for place, character in enumerate(text) if place not in inside)
    assert not any(text[place].isspace() for place in inside)


@settings(max_examples=100)
@given(st.text(), st.text())
def test_a_blank_parts_words_wherever_it_stands(left: str, right: str) -> None:
    assert split(f"{left} {right}") == split(left) + split(right)


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ([(0, 5)], [0]),
        ([(0, 0), (5, 6), (6, 6)], [-1, -1, -1]),  # special, blank, empty
        ([(5, 10)], [1]),  # a blank before the word is part of many pieces
        ([(0, 10)], [0]),  # two words of like length: the earlier
        ([(3, 10)], [1]),  # two letters of the first, four of the second
        ([(0, 3), (3, 5), (6, 10), (10, 11)], [0, 0, 1, 2]),
    ],
)
def test_a_token_belongs_to_the_word_it_shares_most_with(offsets: list, expected: list[int]) -> None:
    spans = [(0, 5), (6, 10), (10, 11)] if offsets != [(0, 10)] else [(0, 5), (5, 10)]
    assert align(np.array(offsets, dtype=np.int32), spans).tolist() == expected


@settings(max_examples=100)
@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)), max_size=8))
def test_alignment_agrees_with_counting_shared_characters(text: str, drawn: list[tuple[int, int]]) -> None:
    offsets = np.array([(start, start + size) for start, size in drawn], dtype=np.int32).reshape(-1, 2)
    spans = words(text)
    for (start, end), found in zip(offsets.tolist(), align(offsets, spans).tolist(), strict=True):
        shared = [len(set(range(start, end)) & set(range(*span))) for span in spans]
        assert found == (shared.index(max(shared)) if any(shared) else -1)


def test_first_pieces_say_which_words_have_no_token() -> None:
    indices = np.array([-1, 0, 0, 2, 2, -1], dtype=np.int32)
    empty = np.zeros(6, dtype=np.int64)
    tokens = Tokens(ids=empty, segments=empty, offsets=np.zeros((6, 2), dtype=np.int32), words=indices)
    assert first_pieces(tokens, 4).tolist() == [1, -1, 3, -1]
