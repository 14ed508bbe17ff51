"""Inner products of rows: the same as those of dense matrices, each computed once, and only where they save time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random_array

from wordworth.representations.row_products import MOST_ROWS, MOST_ROWS_FOR_MANY, RowProducts, inner_products


def sparse(rows, columns, density, seed=0):
    entries = random_array((rows, columns), density=density, rng=np.random.default_rng(seed))
    return csr_matrix(entries, dtype=np.float32)


@settings(max_examples=30, deadline=None)
@given(
    n=st.integers(1, 80), m=st.integers(1, 20), density=st.sampled_from([0.0, 0.01, 0.1, 0.6]), seed=st.integers(0, 9)
)
def test_inner_products_are_those_of_dense_rows(n, m, density, seed):
    first, second = sparse(n, 50, density, seed), sparse(m, 50, 0.2, seed + 1)
    expected = first.toarray() @ second.toarray().T
    assert inner_products(first, second) == pytest.approx(expected, abs=1e-4)
    assert inner_products(first.toarray(), second.toarray()) == pytest.approx(expected, abs=1e-4)
    assert inner_products(first, second).dtype == np.float32


def test_a_pair_of_matrices_is_multiplied_once_and_another_pair_anew():
    known = RowProducts()
    first, second = sparse(6, 9, 0.5), sparse(4, 9, 0.5, seed=1)
    assert known.of(first, second) is known.of(first, second)
    assert len(known) == 1
    assert known.of(first, first).shape == (6, 6)
    assert len(known) == 2


def test_products_of_matrices_that_are_gone_are_never_those_of_later_ones():
    known = RowProducts()
    for seed in range(30):  # without a reference, a later matrix may have the address of an earlier one
        matrix = sparse(5, 20, 0.5, seed)
        assert known.of(matrix, matrix) == pytest.approx(matrix.toarray() @ matrix.toarray().T, abs=1e-5)


def test_inner_products_save_time_for_few_long_texts_and_several_classes_alone():
    known = RowProducts()
    long = sparse(200, 5_000, 0.02)  # 100 entries a row
    assert known.where_faster(long, 3) is not None
    assert known.where_faster(long, 2) is None
    assert known.where_faster(sparse(1_000, 5_000, 0.001), 90) is None  # 5 entries a row
    shorter = sparse(800, 5_000, 0.02)
    assert known.where_faster(shorter, 20) is None
    assert known.where_faster(shorter, 90) is not None
    assert known.where_faster(np.ones((3, 40), np.float32), 90) is None
    for most, columns in ((MOST_ROWS, 4), (MOST_ROWS_FOR_MANY, 90)):
        many = sparse(most + 1, 1_300, 0.9)
        assert known.where_faster(many, columns) is None
        assert known.where_faster(many[:-1], columns) is not None
