"""A weight takes a byte, its error is bounded, and what does not fit is counted."""

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.test_attention_maps import softmax_maps

from wordworth.reports.attention.packed_maps import THRESHOLDS, PackedMaps, pack_maps


def unpacked(packed: PackedMaps, shape: tuple[int, ...]) -> np.ndarray:
    """As the script of the page unpacks them."""
    codes = [np.frombuffer(zlib.decompress(base64.b64decode(data)), np.uint8) for data in packed.data]
    return ((np.stack(codes) / 255.0) ** 2).reshape(len(packed.layers), *shape[1:])


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 9))
def test_every_weight_is_off_by_at_most_0_004(seed, tokens):
    weights = softmax_maps(seed, tokens=tokens)
    error = np.abs(unpacked(pack_maps(weights, 10**6), weights.shape) - weights)
    assert error.max() <= 0.004
    assert (error <= np.sqrt(weights) / 255 + 1 / 510**2 + 1e-6).all()


def test_what_fits_is_whole():
    packed = pack_maps(softmax_maps(0), 10**6)
    assert packed.layers == (0, 1)
    assert (packed.threshold, packed.lost, packed.smallest_kept) == (0, 0.0, 0.0)


def test_small_weights_go_first_and_their_share_is_counted():
    weights = softmax_maps(0, layers=3, heads=4, tokens=64)
    whole = pack_maps(weights, 10**9)
    packed = pack_maps(weights, int(whole.characters * 0.8))
    assert packed.layers == (0, 1, 2)
    assert packed.threshold > 0
    assert packed.characters <= whole.characters * 0.8
    gone = weights - np.where(unpacked(packed, weights.shape) > 0, weights, 0)
    assert packed.lost == pytest.approx(gone.sum() / weights.sum(), rel=1e-4)
    assert gone.max() <= packed.smallest_kept * 1.2


def test_then_layers_go_and_the_last_one_stays():
    weights = softmax_maps(0, layers=6, heads=4, tokens=48)
    least = pack_maps(weights[-1:], 1)
    packed = pack_maps(weights, least.characters * 3)
    assert packed.threshold == THRESHOLDS[-1]
    assert 1 < len(packed.layers) < 6
    assert packed.layers[-1] == 5
    assert packed.characters <= least.characters * 3


def test_one_layer_is_there_however_little_room_there_is():
    assert pack_maps(softmax_maps(0), 1).layers == (1,)
