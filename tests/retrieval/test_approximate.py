"""By a graph there are as many results as by comparing all, under any condition, with the same scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.test_exact_search import stored, unit

from wordworth.errors import BadInput
from wordworth.retrieval.exact_search import nearest
from wordworth.retrieval.manifest import GraphDescription

pytest.importorskip("faiss")
from wordworth.retrieval.approximate import ApproximateSearch
from wordworth.retrieval.hnsw_graph import HnswGraph

ROWS, WIDTH, K = 4000, 12, 5


def drawn(rows, seed=0):
    return unit(np.random.default_rng(seed).normal(size=(rows, WIDTH)))


@pytest.fixture(scope="module")
def search():
    vectors = drawn(ROWS).astype(np.float32)
    graph = HnswGraph.empty(WIDTH, 6, 40)
    graph.add(vectors)
    entry = GraphDescription(
        name="", rows=ROWS, size=0, m=6, ef_construction=40, ef_search=20, k=K, recall=0.9, queries=50
    )
    return ApproximateSearch(graph, entry, [stored(vectors[:1500], "float32"), stored(vectors[1500:], "float32")])


@given(share=st.sampled_from([0, 0.001, 0.1, 0.6, 1]), seed=st.integers(0, 99), k=st.sampled_from([1, 5, 40]))
def test_there_are_k_results_that_pass_with_the_scores_of_the_stored_vectors(search, share, seed, k):
    passing = np.random.default_rng(seed).random(ROWS) < share
    (query,) = drawn(1, seed=seed + 1)
    (result,), _ = search.nearest(query[None], k, passing)
    assert len(result.rows) == len(set(result.rows)) == min(k, passing.sum())
    assert passing[result.rows].all()
    values = np.concatenate([each.values(np.arange(len(each))) for each in search.segment_vectors])
    assert np.allclose(result.scores, values[result.rows] @ query, atol=1e-12)
    assert (np.diff(result.scores) <= 0).all()


def test_it_says_how_texts_were_found(search):
    query = drawn(1, seed=1)
    _, how = search.nearest(query, K)
    assert how.startswith(
        "approximate, efSearch 20: 0.900 (0.000 to 0.000) of the 5 nearest were found for 50 measured"
    )
    _, how = search.nearest(query, 10)
    assert "efSearch 40" in how
    assert how.endswith("; 10 were asked for")
    few = np.zeros(ROWS, bool)
    few[:90] = True
    (result,), how = search.nearest(query, K, few)
    assert how == "all 90 texts that pass were compared, which the graph would not do faster"
    assert search.nearest(drawn(1), K, np.zeros(ROWS, dtype=bool))[1] == "no text passes"
    assert result.rows.tolist() == next(nearest(search.segment_vectors, query, K, few)).rows.tolist()


def test_where_the_graph_finds_too_few_all_are_compared(search, monkeypatch):
    monkeypatch.setattr(HnswGraph, "candidates", lambda *_: np.array([3, 4]))
    query = drawn(2, seed=1)
    (result,), how = search.nearest(query[:1], K)
    assert result.rows.tolist() == next(nearest(search.segment_vectors, query[:1], K)).rows.tolist()
    assert how == "all texts that pass were compared, as the graph had fewer than 5 results"
    _, how = search.nearest(query, K)
    assert how == "for 2 of 2 queries all texts that pass were compared, as the graph had fewer than 5 results"


def test_a_condition_widens_the_search_by_what_it_leaves_out(search):
    assert search.ef_search(K, ROWS) == 20
    assert search.ef_search(K, ROWS // 4) == 80
    assert search.ef_search(2 * K, ROWS) == 40
    assert search.ef_search(1, ROWS) == 20


def test_an_index_without_a_whole_graph_is_refused(tmp_path):
    from tests.retrieval.small_index import build

    import wordworth as ww

    index = ww.load_index(build(tmp_path, 10))
    with pytest.raises(BadInput, match="the graph holds 0 of 10 texts"):
        ApproximateSearch.open(index.folder, index.manifest, index.vectors)
