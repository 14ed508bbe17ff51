import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random_array

from wordworth.representations.feature_blocks import Blocks


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
    assert blocks[::2].times(3).toarray() == pytest.approx(3 * joined[::2], abs=1e-5)
    assert blocks.squares() == pytest.approx((joined**2).sum(), rel=1e-5)


def test_columns_that_are_zero_everywhere_are_left_out_and_their_places_told():
    dense, sparse = parts(20, 0)
    wide = csr_matrix((sparse.data, sparse.indices * 3, sparse.indptr), shape=(20, 130))
    blocks = Blocks((dense, wide), (1.0, 2.0))
    small, stays = blocks.compact()
    assert small.toarray() == pytest.approx(blocks.toarray()[:, stays])
    assert not np.delete(blocks.toarray(), stays, axis=1).any()
    assert small.shape[1] < blocks.shape[1]
