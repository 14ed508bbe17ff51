import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random_array

from wordworth.representations import feature_blocks
from wordworth.representations.feature_blocks import Blocks, product
from wordworth.representations.row_products import RowProducts


def parts(n, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)).astype(np.float32), csr_matrix(
        random_array((n, 40), density=0.1, rng=rng), dtype=np.float32
    )


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 30), seed=st.integers(0, 99))
def test_products_are_those_of_the_parts_joined(n, seed):
    dense, sparse = parts(n, seed)
    blocks = Blocks((dense, sparse), (2.0, 0.5))
    joined = np.hstack([2 * dense, 0.5 * sparse.toarray()])
    rng = np.random.default_rng(seed)
    weights, slopes = rng.normal(size=(43, 2)), rng.normal(size=(n, 2))
    assert blocks.shape == joined.shape
    assert blocks.toarray() == pytest.approx(joined, abs=1e-6)
    assert blocks @ weights == pytest.approx(joined @ weights, abs=1e-5)
    assert blocks @ weights[:, 0] == pytest.approx(joined @ weights[:, 0], abs=1e-5)
    assert blocks.T @ slopes == pytest.approx(joined.T @ slopes, abs=1e-5)
    assert blocks.gram_times(slopes) == pytest.approx(joined @ (joined.T @ slopes), abs=1e-4)
    assert blocks.gram_times(slopes[:, 0]) == pytest.approx(joined @ (joined.T @ slopes[:, 0]), abs=1e-4)
    assert blocks[::2].times(3).toarray() == pytest.approx(3 * joined[::2], abs=1e-5)
    assert blocks.squared_norm() == pytest.approx((joined**2).sum(), rel=1e-5)


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 20), m=st.integers(1, 20), seed=st.integers(0, 99))
def test_inner_products_are_those_of_the_parts_joined_and_of_equal_parts_computed_once(n, m, seed):
    rows, others = (Blocks(parts(count, seed + count), (2.0, 0.5)) for count in (n, m))
    known = RowProducts()
    assert rows.inner_products(others, known) == pytest.approx(rows.toarray() @ others.toarray().T, abs=1e-4)
    before = len(known)
    alone = Blocks(rows.parts[1:], (3.0,)).inner_products(Blocks(others.parts[1:], (1.0,)), known)
    assert alone == pytest.approx(3 * rows.parts[1].toarray() @ others.parts[1].toarray().T, abs=1e-4)
    assert len(known) == before == 2


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 30), seed=st.integers(0, 99))
def test_products_with_known_inner_products_are_those_of_the_parts(n, seed):
    dense, sparse = parts(n, seed)
    long = csr_matrix(np.random.default_rng(seed).normal(size=(n, 90)).astype(np.float32))
    blocks, known = Blocks((dense, sparse, long), (2.0, 0.5, 0.3)), RowProducts()
    slopes = np.random.default_rng(seed).normal(size=(n, 3)).astype(np.float32)
    fast = blocks.times(2.0).with_row_products(known)
    assert fast.gram_times(slopes) == pytest.approx(4 * blocks.gram_times(slopes), rel=1e-4, abs=1e-3)
    assert fast.gram_times(slopes[:, 0]) == pytest.approx(4 * blocks.gram_times(slopes[:, 0]), rel=1e-4, abs=1e-3)
    assert len(known) >= 1


def test_columns_that_are_zero_everywhere_are_left_out_and_their_places_told():
    dense, sparse = parts(20, 0)
    wide = csr_matrix((sparse.data, sparse.indices * 3, sparse.indptr), shape=(20, 130))
    blocks = Blocks((dense, wide), (1.0, 2.0))
    small, stays = blocks.compact()
    assert small.toarray() == pytest.approx(blocks.toarray()[:, stays])
    assert not np.delete(blocks.toarray(), stays, axis=1).any()
    assert small.shape[1] < blocks.shape[1]


@given(st.integers(0, 40), st.integers(0, 9), st.integers(1, 5), st.integers(1, 60), st.booleans())
def test_strips_of_any_height_add_up_to_the_whole_product(rows, width, columns, small, turned):
    draw = np.random.default_rng(rows * 100 + width)
    matrix = draw.normal(size=(rows, width)).astype(np.float32)
    matrix = matrix.T if turned else matrix
    block = draw.normal(size=(matrix.shape[1], columns)).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feature_blocks, "MAX_SMALL_PRODUCT", small)
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
