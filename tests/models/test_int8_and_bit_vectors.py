"""Vectors in int8 by ranges that belong to a model, and in bits: a text alone is coded as among others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from wordworth.errors import BadInput
from wordworth.models.int8_and_bit_vectors import (
    FILE,
    Int8Ranges,
    nearest_by_bits,
    nearest_by_product,
    signs_of,
    to_bits,
)

VECTORS = np.random.default_rng(0).normal(size=(60, 24)).astype(np.float32)
floats = hnp.arrays(np.float32, (7, 5), elements=st.floats(-8, 8, width=32))


def test_one_vector_alone_has_the_codes_that_it_has_among_others_and_is_not_zeros():
    ranges = Int8Ranges.of(VECTORS)
    alone, among = ranges.codes(VECTORS[3]), ranges.codes(VECTORS)[3]
    assert np.array_equal(alone, among)
    assert np.count_nonzero(alone) > 20
    assert ranges.codes(VECTORS[3:4]).tolist() == [among.tolist()]


@settings(max_examples=40, deadline=None)
@given(floats)
def test_a_value_in_its_range_comes_back_to_half_a_step(vectors):
    ranges = Int8Ranges.of(vectors)
    back = ranges.values(ranges.codes(vectors))
    step = (ranges.high - ranges.low) / 255
    assert (np.abs(back - vectors) <= step * 0.5 + 1e-4).all()


def test_a_range_of_the_least_numbers_above_0_has_codes():
    least = np.nextafter(np.float32(0), np.float32(1))
    vectors = np.array([[0.0, least], [least, 0.0]], np.float32)
    ranges = Int8Ranges.of(vectors)
    assert np.abs(ranges.values(ranges.codes(vectors))).max() < 1e-4


def test_a_value_beyond_its_range_is_cut_and_does_not_wrap_around():
    ranges = Int8Ranges(np.array([-1.0, 0.0], np.float32), np.array([1.0, 0.0], np.float32))
    assert ranges.codes(np.array([[9.0, 5.0], [-9.0, -5.0]], np.float32)).tolist() == [[127, 127], [-128, -128]]


def test_ranges_are_saved_with_a_model_and_read_again(tmp_path):
    ranges = Int8Ranges.of(VECTORS)
    ranges.save(tmp_path)
    again = Int8Ranges.read(tmp_path)
    assert np.array_equal(again.low, ranges.low)
    assert np.array_equal(again.high, ranges.high)


def test_what_cannot_be_ranges_is_refused(tmp_path):
    ranges = Int8Ranges.of(VECTORS)
    for make, what in (
        (lambda: Int8Ranges.of(VECTORS[:1]), "at least two vectors"),
        (lambda: Int8Ranges.of(VECTORS * np.float32("nan")), "finite"),
        (lambda: ranges.codes(VECTORS[:, :4]), "4 numbers, and the ranges 24"),
        (lambda: Int8Ranges.read(tmp_path), FILE),
    ):
        with pytest.raises(BadInput, match=what):
            make()
    for text, what in (('{"low": [0]}', "no ranges"), ('{"low": [2, 0], "high": [1, 1]}', "low and high")):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(BadInput, match=what):
            Int8Ranges.read(tmp_path)


def test_bits_are_signs():
    signs = signs_of(to_bits(VECTORS), 24)
    assert np.array_equal(signs, np.where(VECTORS > 0, 1, -1))
    assert to_bits(VECTORS).nbytes == 60 * 3
    assert to_bits(VECTORS[:, :10]).shape == (60, 2)


def test_the_nearest_by_bits_have_the_fewest_other_bits():
    nearest, near = nearest_by_bits(VECTORS[:5], to_bits(VECTORS), 8)
    others = (to_bits(VECTORS[:5])[:, None] ^ to_bits(VECTORS)[None]).astype(np.uint8)
    hamming = np.bitwise_count(others).sum(-1)
    assert (nearest[:, 0] == np.arange(5)).all()
    for row in range(5):
        assert hamming[row, nearest[row]].tolist() == np.sort(hamming[row])[:8].tolist()
        assert near[row] == pytest.approx((24 - 2 * hamming[row, nearest[row]]) / 24)


def test_rescoring_orders_the_nearest_by_the_numbers_of_the_query():
    stored = to_bits(VECTORS)
    few = nearest_by_bits(VECTORS[:5], stored, 20)[0]
    nearest, _ = nearest_by_bits(VECTORS[:5], stored, 20, rescored=20)
    products = VECTORS[:5] @ signs_of(stored, 24).T
    for row in range(5):
        assert set(nearest[row]) == set(few[row])
        assert (np.diff(products[row, nearest[row]]) <= 1e-6).all()
    every = nearest_by_bits(VECTORS[:5], stored, 8, rescored=60)[0]
    assert np.array_equal(every, nearest_by_product(VECTORS[:5], signs_of(stored, 24), 8)[0])
