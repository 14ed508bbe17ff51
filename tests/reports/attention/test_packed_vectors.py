"""Queries and keys take a byte a value; their dot products are off by no more than the page says."""

import base64
import zlib

import numpy as np
import pytest

from wordworth.measures.attention_maps import Vectors
from wordworth.reports.attention.packed_vectors import pack_vectors


def vectors(layers: int = 2, heads: int = 3, tokens: int = 7, size: int = 8) -> Vectors:
    draw = np.random.default_rng(0).standard_normal((2, layers, heads, tokens, size)).astype(np.float32)
    return Vectors(draw[0] * 3, draw[1])


def values(data: str, scale: list[list[float]], shape: tuple[int, ...]) -> np.ndarray:
    whole = np.frombuffer(zlib.decompress(base64.b64decode(data)), np.int8).reshape(shape)
    return whole * np.array(scale)[..., None, None]


def test_scores_of_unpacked_vectors_are_off_by_at_most_the_error_of_their_head():
    own = vectors()
    packed = pack_vectors(own, 10**6)
    query = values(packed.query, packed.query_scale, own.query.shape)
    key = values(packed.key, packed.key_scale, own.key.shape)
    difference = np.abs(query @ key.swapaxes(-1, -2) - own.query @ own.key.swapaxes(-1, -2)).max((-2, -1)) / 8**0.5
    assert np.array(packed.error) == pytest.approx(difference, rel=1e-3)
    assert difference.max() < 0.2


def test_only_the_first_tokens_are_kept_where_there_is_little_room():
    packed = pack_vectors(vectors(tokens=50), 3_000)
    assert 2 <= packed.tokens < 50
    assert packed.characters <= 3_000
    assert packed.width == 8


def test_where_not_even_two_tokens_fit_there_are_none():
    assert pack_vectors(vectors(), 100) is None


def test_a_head_whose_vectors_are_all_zero_stays_zero():
    none = Vectors(np.zeros((1, 1, 3, 4), np.float32), np.zeros((1, 1, 3, 4), np.float32))
    assert pack_vectors(none, 10**6).error == [[0.0]]
