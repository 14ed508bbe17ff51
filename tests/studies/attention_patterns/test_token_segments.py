"""Segments of texts, and the kinds of their tokens."""

import numpy as np
import pytest

from wordworth.models.load import load
from wordworth.studies.attention_patterns.token_segments import TokenKinds, drawn_segments


@pytest.fixture(scope="module")
def tokenizer():
    return load("mini").tokenizer


def test_every_text_gives_its_first_segment_before_any_gives_a_second(tokenizer):
    texts = ["the cat sat on the mat and the dog lay on the floor all day long " * 3, "a bird ."]
    drawn = drawn_segments(texts, tokenizer, 4, 16, 0)
    assert set(drawn.text[:2].tolist()) == {0, 1}
    assert len(set(drawn.text[2:].tolist())) == 1
    assert max(map(len, drawn.tokens)) == 16


def test_segments_are_the_text_in_order_each_between_special_tokens(tokenizer):
    text = "one two three four five six seven eight nine ten eleven twelve"
    whole = tokenizer.encode([text])[0].ids
    segments = drawn_segments([text, "x"], tokenizer, 100, 8, 0)
    own = [tokens.ids for tokens, number in zip(segments.tokens, segments.text, strict=True)
           if number == np.bincount(segments.text).argmax()]  # fmt: skip
    assert all(ids[0] == whole[0] and ids[-1] == whole[-1] for ids in own)
    inner = np.concatenate([ids[1:-1] for ids in own])
    assert np.array_equal(inner, whole[1 : 1 + len(inner)])
    assert len(whole) - 2 - len(inner) < 3  # a rest of less than half of a segment


def test_the_seed_decides_which_texts_are_drawn(tokenizer):
    texts = [f"number {n}" for n in range(50)]
    drawn = [[t.ids.tolist() for t in drawn_segments(texts, tokenizer, 5, 16, seed).tokens] for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_kinds_of_tokens(tokenizer):
    kinds = TokenKinds(tokenizer).of(tokenizer.encode(["yes , the cat ."])[0])
    assert kinds.separator.tolist() == [False] * 6 + [True]
    assert kinds.special.tolist() == [True, *[False] * 5, True]
    assert kinds.punctuation.tolist() == [False, False, True, False, False, True, False]
