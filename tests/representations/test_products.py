import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from wordworth.representations import products
from wordworth.representations.products import product


@given(st.integers(0, 40), st.integers(0, 9), st.integers(1, 5), st.integers(1, 60), st.booleans())
def test_strips_of_any_height_add_up_to_the_whole_product(rows, width, columns, small, turned):
    draw = np.random.default_rng(rows * 100 + width)
    matrix = draw.normal(size=(rows, width)).astype(np.float32)
    matrix = matrix.T if turned else matrix
    block = draw.normal(size=(matrix.shape[1], columns)).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "_SMALL", small)
        found = product(matrix, block)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, matrix.astype(np.float64) @ block, atol=1e-4)


def test_what_a_tall_matrix_gives_is_that_of_the_plain_product_to_rounding():
    draw = np.random.default_rng(0)
    matrix = draw.normal(size=(4096, 384)).astype(np.float32)
    for columns in (1, 3, 18, 19):
        block, slopes = (draw.normal(size=(n, columns)).astype(np.float32) for n in (384, 4096))
        np.testing.assert_allclose(product(matrix, block), matrix @ block, atol=2e-4)
        np.testing.assert_allclose(product(matrix.T, slopes), matrix.T @ slopes, atol=1e-3)


def test_a_sparse_matrix_and_a_vector_go_the_plain_way():
    matrix = np.eye(4, dtype=np.float32)
    block = np.arange(8, dtype=np.float32).reshape(4, 2)
    np.testing.assert_array_equal(product(csr_matrix(matrix), block), block)
    np.testing.assert_array_equal(product(matrix, block[:, 0]), block[:, 0])
