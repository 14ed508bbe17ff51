"""Weights of one byte are within half a step of the float32 ones."""

import numpy as np

from wordworth.inference.export.int8_onnx_graphs import rounded

WEIGHT = np.random.default_rng(0).normal(size=(6, 20)).astype(np.float32)


def test_each_row_or_column_has_a_step_of_its_own_and_no_weight_is_further_than_half_of_it():
    for axis, shape in ((0, (1, 20)), (1, (6, 1))):
        whole, steps = rounded(WEIGHT, axis)
        assert whole.dtype == np.int8
        assert steps.shape == shape
        assert np.abs(whole).max() == 64  # two products of it and 255 fit 16 bits: 2 * 255 * 64 < 32,768
        assert (np.abs(whole * steps - WEIGHT) <= steps / 2 + 1e-6).all()


def test_a_row_of_zeros_stays_zeros():
    whole, steps = rounded(np.zeros((2, 4), np.float32), 1)
    assert not whole.any()
    assert np.isfinite(steps).all()
