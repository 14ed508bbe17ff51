"""The parts of a text's tokens add up to its vector, for texts of any length."""

from dataclasses import replace

import numpy as np
import torch

from wordworth.models.pooling import Dense, SentenceHead
from wordworth.models.token_contributions import token_parts

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


def test_under_pooling_by_maxima_a_text_also_has_parts(tiny):
    encoder = replace(tiny, head=SentenceHead(("max",)))
    for each, vector in zip(token_parts(encoder, TEXTS), encoder.encode(TEXTS, long_texts="window"), strict=True):
        assert np.abs(each.parts.sum(0) - vector).max() < 1e-6
        assert np.array_equal(each.vector, each.states.max(0))


def test_with_an_activation_a_text_has_a_vector_and_no_parts(tiny):
    tanh = Dense(torch.eye(tiny.model.width), None, "torch.nn.modules.activation.Tanh")
    encoder = replace(tiny, head=SentenceHead(("mean",), (tanh,)))
    (found,) = token_parts(encoder, ["the cat"])
    assert found.parts is None
    assert np.abs(found.vector - encoder.encode("the cat")).max() < 1e-6
