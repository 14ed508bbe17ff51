"""Linear CKA: equal to the unbiased estimator written with whole kernels, and blind to rotation and scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.cka import linear_cka


def by_kernels(x, y):
    """Song et al. 2012, equation 5, with n x n kernels."""

    def hsic(k, m):
        n = len(k)
        k, m = k - np.diag(np.diag(k)), m - np.diag(np.diag(m))
        ones = np.ones(n)
        whole = (ones @ k @ ones) * (ones @ m @ ones) / ((n - 1) * (n - 2))
        return (np.trace(k @ m) + whole - 2 / (n - 2) * (ones @ k @ m @ ones)) / (n * (n - 3))

    k, m = x @ x.T, y @ y.T
    return hsic(k, m) / np.sqrt(hsic(k, k) * hsic(m, m))


@given(st.integers(0, 10_000), st.integers(20, 60), st.integers(2, 8))
def test_it_equals_the_estimator_written_with_whole_kernels(seed, items, width):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(items, width)) + 5
    y = x[:, :2] @ rng.normal(size=(2, 3)) + rng.normal(size=(items, 3))
    assert linear_cka(x, y) == pytest.approx(by_kernels(x, y), abs=1e-9)


def test_rotation_scale_and_shift_do_not_count():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(100, 6))
    rotation, _ = np.linalg.qr(rng.normal(size=(6, 6)))
    assert linear_cka(x, 3 * x @ rotation + 2) == pytest.approx(1, abs=1e-12)


def test_unrelated_vectors_are_near_zero_where_the_plain_form_is_not():
    rng = np.random.default_rng(2)
    values = [linear_cka(rng.normal(size=(60, 100)), rng.normal(size=(60, 100))) for _ in range(30)]
    assert abs(np.mean(values)) < 0.02


def test_what_cannot_be_compared_is_no_number():
    assert np.isnan(linear_cka(np.ones((3, 2)), np.ones((3, 2))))
    assert np.isnan(linear_cka(np.ones((9, 2)), np.random.default_rng(0).normal(size=(9, 2))))
