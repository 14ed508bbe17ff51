"""Very long texts, read in parts, read as they would whole."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.toys import drawn, library
from tokenizers import AddedToken, models, normalizers, pre_tokenizers, processors

from wordworth.text import tokenizer
from wordworth.text.split_long_texts import can_split_anywhere, part_starts
from wordworth.text.tokenizer import Tokenizer


@settings(max_examples=200)
@given(st.text(alphabet="ab \t\u00a0", max_size=60), st.integers(1, 10))
def test_parts_begin_at_single_blanks_and_are_long_enough(text: str, size: int) -> None:
    starts = part_starts(text, size)
    assert starts[0] == 0
    assert all(text[place] == " " and not (text[place - 1] + text[place + 1]).isspace() for place in starts[1:])
    assert all(not text[place + offset].isspace() for place in starts[1:] for offset in (-1, 1))
    assert all(later - sooner >= size for sooner, later in pairwise(starts))


def test_texts_without_blanks_stay_whole() -> None:
    assert part_starts("a" * 100_000) == [0]


@pytest.mark.parametrize("family", ["small", "gpt2", "roberta", "xlm_roberta"])
def test_parts_give_what_the_whole_gives(
    family: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader: Tokenizer = request.getfixturevalue(family)
    assert can_split_anywhere(library(reader))
    texts = [" ".join(list(drawn(60))[start : start + 6]) for start in range(54)] + [
        "don't  stop <mask> now [MASK] x " * 5
    ]
    given_words = [text.split(" ") for text in texts]
    whole = reader.encode(texts) + reader.encode_words(given_words)
    ids = reader.ids(texts) + reader.ids(texts, special=False)
    monkeypatch.setattr(tokenizer, "_CHUNK_CHARACTERS", 12)
    monkeypatch.setattr(part_starts, "__defaults__", (5,))
    assert len(part_starts(texts[-1])) > 1
    for left, right in zip(whole, reader.encode(texts) + reader.encode_words(given_words), strict=True):
        for name in ("ids", "segments", "offsets", "words"):
            assert np.array_equal(getattr(left, name), getattr(right, name)), name
    for left, right in zip(ids, reader.ids(texts) + reader.ids(texts, special=False), strict=True):
        assert np.array_equal(left, right)


def test_a_long_text_without_blanks_is_read_all_the_same(small: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "_CHUNK_CHARACTERS", 100)
    for text in ("日" * 1_000, "a " + "日" * 1_000):
        assert len(small.ids([text])[0]) == len(small.encode([text])[0]) == len(text.replace(" ", "")) + 2


def test_tokenizers_that_look_across_blanks_read_texts_whole() -> None:
    library = tokenizers.Tokenizer(models.BPE())
    assert not can_split_anywhere(library)  # no splitter: pieces may hold blanks
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    assert not can_split_anywhere(library)  # a part would be taken for a text's start
    library.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    assert can_split_anywhere(library)
    library.normalizer = normalizers.Prepend("▁")
    assert not can_split_anywhere(library)
    library.normalizer = None
    library.post_processor = processors.ByteLevel(add_prefix_space=True, trim_offsets=True)
    assert not can_split_anywhere(library)
    library.post_processor = processors.ByteLevel(add_prefix_space=True, trim_offsets=False)
    assert can_split_anywhere(library)
    library.add_special_tokens([AddedToken("<x>", rstrip=True)])
    assert not can_split_anywhere(library)
