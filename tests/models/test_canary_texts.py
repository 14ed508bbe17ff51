"""Texts whose vectors tell servers apart."""

import base64

import numpy as np

from wordworth.models.canary_texts import CANARIES, as_base64


def test_there_are_sixteen_and_no_two_are_the_same():
    assert len(set(CANARIES)) == 16


def test_base64_holds_little_endian_float32():
    vector = np.array([1.5, -2.25, 1e-8], np.float32)
    assert np.array_equal(np.frombuffer(base64.b64decode(as_base64(vector)), "<f4"), vector)
