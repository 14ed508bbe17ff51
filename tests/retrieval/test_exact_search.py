"""The nearest rows are those of the slow, obvious way, in every precision, under every filter."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.retrieval import exact_search
from wordworth.retrieval.exact_search import nearest
from wordworth.retrieval.stored_vectors import PRECISIONS, StoredVectors, write_vectors


def stored(vectors, precision) -> StoredVectors:
    with tempfile.TemporaryDirectory() as folder:
        write_vectors(Path(folder), [vectors], vectors.shape, precision)
        return StoredVectors.open(Path(folder), precision)  # the map outlives the file's name


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def slowly(values, query, k, passing):
    """The definition: every stored row that passes, by its product with the query, then by its number."""
    products = np.array([float(np.einsum("d,d->", value, query)) for value in values])
    rows = [row for row in np.lexsort((np.arange(len(values)), -products)) if passing[row]][:k]
    return rows, products[rows]


@given(
    seed=st.integers(0, 2**32),
    size=st.tuples(st.integers(1, 60), st.integers(1, 130)),
    k=st.integers(1, 70),
    precision=st.sampled_from([name for name in PRECISIONS if name != "bits"]),
    share=st.floats(0, 1),
    cut=st.integers(0, 60),
)
@settings(max_examples=60, deadline=None)
def test_the_fast_way_gives_the_rows_and_numbers_of_the_slow_one(seed, size, k, precision, share, cut):
    (rows, width), draw = size, np.random.default_rng(seed)
    vectors = draw.normal(size=size).astype(np.float32)
    vectors[draw.integers(0, rows, rows // 2)] = vectors[0]  # equal rows keep their order
    segments = [stored(part, precision) for part in (vectors[:cut], vectors[cut:]) if len(part)]
    values = np.concatenate([part.values(np.arange(len(part))) for part in segments])
    passing = draw.random(rows) < share
    queries = unit(draw.normal(size=(3, width)))
    for query, found in zip(queries, nearest(segments, queries, k, passing), strict=True):
        expected, products = slowly(values, query, k, passing)
        assert found.rows.tolist() == expected
        assert found.scores.tolist() == products.tolist()


@given(seed=st.integers(0, 2**32), width=st.integers(1, 200), k=st.integers(1, 20), share=st.floats(0.2, 1))
@settings(max_examples=40, deadline=None)
def test_bits_give_the_best_of_the_rows_whose_signs_differ_least(seed, width, k, share):
    draw = np.random.default_rng(seed)
    vectors = draw.normal(size=(300, width)).astype(np.float32)
    segments = [stored(vectors[:100], "bits"), stored(vectors[100:], "bits")]
    values = np.concatenate([part.values(np.arange(len(part))) for part in segments])
    passing, query = draw.random(300) < share, unit(draw.normal(size=width))
    with pytest.MonkeyPatch.context() as few:
        few.setattr(exact_search, "CANDIDATES", 30)
        (found,) = nearest(segments, query[None], k, passing)
    differ = ((unit(vectors) > 0) != (query > 0)).sum(axis=1)
    most = np.sort(differ[passing])[29]
    expected, _ = slowly(values, query, k, passing & (differ <= most))
    assert found.rows.tolist() == expected


def test_with_as_many_candidates_as_rows_bits_are_exact():
    draw = np.random.default_rng(0)
    vectors, query = draw.normal(size=(400, 96)).astype(np.float32), unit(draw.normal(size=96))
    part = stored(vectors, "bits")
    (found,) = nearest([part], query[None], 10)
    assert found.rows.tolist() == slowly(part.values(np.arange(400)), query, 10, np.ones(400, bool))[0]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_k_rows_are_found_wherever_k_rows_pass(precision):
    draw = np.random.default_rng(0)
    part = stored(draw.normal(size=(20_000, 8)).astype(np.float32), precision)
    query = unit(draw.normal(size=8))
    for number in (1, 3, 10, 500, 1500, 19_999):
        passing = np.zeros(20_000, bool)
        passing[draw.choice(20_000, number, replace=False)] = True
        (found,) = nearest([part], query[None], 10, passing)
        assert len(found.rows) == min(10, number)
        assert passing[found.rows].all()


@pytest.mark.parametrize("precision", ["float32", "float16", "int8"])
def test_products_of_the_first_pass_are_within_their_bound(precision):
    draw = np.random.default_rng(0)
    vectors = draw.normal(size=(3000, 384)).astype(np.float32) * draw.choice([1e-6, 1, 30], (3000, 384)).astype("f4")
    part, queries = stored(vectors, precision), unit(draw.normal(size=(2, 384)))
    products = np.empty((3000, 2), np.float32)
    exact_search.write_products(part, queries, products)
    exact = np.stack([part.cosines(query, np.arange(3000)) for query in queries], axis=1)
    assert np.abs(products - exact).max() <= exact_search.error_bound(384)
