"""The parts of a text's tokens add up to its vector, for texts of any length."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.models.pooling import SentenceHead
from wordworth.models.token_parts import token_parts

TEXTS = ["the cat sat because it was tired", "", "a " * 200 + "cat"]


def test_parts_add_up_to_the_vector_that_encode_gives_also_of_texts_longer_than_the_window(tiny):
    encoder = replace(tiny, head=SentenceHead())
    found = token_parts(encoder, TEXTS)
    expected = encoder.encode(TEXTS, long_texts="window")
    assert max(len(each.tokens) for each in found) > encoder.max_length
    for each, vector in zip(found, expected, strict=True):
        assert each.parts.shape == (len(each.tokens), encoder.width)
        assert np.abs(each.parts.sum(0) - vector).max() < 1e-6


def test_the_prompt_is_read_with_the_text(tiny):
    encoder = replace(tiny, head=SentenceHead(), prompt="query: ")
    (found,) = token_parts(encoder, ["the cat"])
    assert np.abs(found.parts.sum(0) - encoder.encode("the cat")).max() < 1e-6


def test_a_pooling_by_maxima_is_refused(tiny):
    with pytest.raises(BadInput, match="no sums over tokens"):
        token_parts(replace(tiny, head=SentenceHead(("max",))), ["the cat"])
