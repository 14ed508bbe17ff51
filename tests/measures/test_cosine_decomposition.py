"""The cells of the table add up to the cosine, and groups of rows to their sums."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

from wordworth.measures.cosine_decomposition import cosine_parts, grouped_rows


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 20), st.integers(0, 999))
def test_cells_add_up_to_the_cosine_that_scipy_gives(rows, columns, width, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(rows, width)), rng.normal(size=(columns, width))
    table = cosine_parts(first, second)
    assert table.shape == (rows, columns)
    largest = max(1, np.abs(table).sum())  # cells of opposite signs may be much larger than their sum
    assert abs(table.sum() - (1 - cosine(first.sum(0), second.sum(0)))) < 1e-12 * largest


@given(st.integers(0, 99))
def test_grouping_rows_first_gives_the_sums_of_their_cells(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(6, 4)), rng.normal(size=(3, 4))
    groups = np.array([0, 1, 1, 2, 0, 1])
    table = cosine_parts(first, second)
    by_group = np.stack([table[groups == group].sum(0) for group in range(3)])
    assert np.allclose(cosine_parts(grouped_rows(first, groups, 3), second), by_group, atol=1e-12)


def test_a_vector_of_zeros_has_no_cosine():
    assert np.isnan(cosine_parts(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.ones((1, 2)))).all()
