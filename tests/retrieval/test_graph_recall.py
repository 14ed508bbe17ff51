"""The recall of a graph is what numpy counts on the queries that did not choose efSearch."""

import numpy as np
import pytest
from tests.retrieval.small_index import WORDS, build

import wordworth as ww
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.retrieval.exact_search import Nearest
from wordworth.seeds import child

pytest.importorskip("faiss")
from wordworth.retrieval.graph_recall import recall_of

K = 5


def ranked(rows, scores):
    return Nearest(np.array(rows), np.array(scores))


def test_a_row_as_near_as_the_last_of_the_nearest_counts():
    exact = ranked([1, 2, 3], [0.9, 0.8, 0.8])
    assert recall_of(ranked([1, 2, 3], [0.9, 0.8, 0.8]), exact) == 1
    assert recall_of(ranked([1, 4, 5], [0.9, 0.8, 0.7]), exact) == pytest.approx(2 / 3)
    assert recall_of(ranked([], []), exact) == 0


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """An index with a graph, the queries, and the table of the measurement."""
    index = build(tmp_path_factory.mktemp("measured"), 1500)
    draw = np.random.default_rng(3)
    queries = sorted({" ".join(draw.choice(WORDS, 3)) for _ in range(60)})
    ww.delete_from_index(index, where="year < 1994")
    table = ww.build_hnsw(queries, index, k=K, recall=0.8, m=4, ef_construction=20, threads=1)
    return index, queries, table.loc[0]


def test_recall_is_that_of_the_other_half_of_the_queries(measured):
    index, queries, row = measured
    opened = ww.load_index(index)
    vectors = unit_or_zero(opened.query_vectors(queries).astype(np.float64))
    values = np.concatenate([each.values(np.arange(len(each))) for each in opened.vectors])
    order = child(0, "halves").permutation(len(queries))
    judged = order[len(order) // 2 :]
    shares = []
    for query in vectors[judged]:
        cosines = np.where(opened.live, values @ query, -9)
        least = np.sort(cosines)[-K]
        (found,) = opened.search_vectors(query[None], k=K)
        shares.append((cosines[found.rows] >= least - 1e-12).mean())
    assert row["queries"] == len(judged)
    assert row["recall"] == pytest.approx(np.mean(shares))
    assert row["low"] <= row["recall"] <= row["high"]
    assert row["low"] < 1


def test_efsearch_is_the_least_that_surely_reaches_the_target(measured):
    index, queries, row = measured
    assert row["ef_search"] >= 2 * K
    more = ww.build_hnsw(queries, index, k=K, recall=0.97, m=4, ef_construction=20, threads=1).loc[0]
    assert more["ef_search"] > row["ef_search"]
    assert more["recall"] >= row["recall"]
    ww.build_hnsw(queries, index, k=K, recall=0.8, m=4, ef_construction=20, threads=1)


def test_times_are_positive(measured):
    _, _, row = measured
    assert row["milliseconds"] > 0
    assert row["exact_milliseconds"] > 0
