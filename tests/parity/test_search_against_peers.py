"""Search gives the rows of faiss' exact index, the scores of bm25s and the pairs of sentence-transformers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.retrieval.small_index import WORDS, made_up_rows
from tests.retrieval.test_bm25 import postings
from tests.retrieval.test_exact_search import stored, unit

from wordworth.retrieval.bm25 import scores, words_of
from wordworth.retrieval.exact_search import nearest
from wordworth.retrieval.paraphrase_mining import MineSettings, most_similar_pairs

pytestmark = pytest.mark.peers


def test_rows_and_cosines_are_those_of_faiss():
    faiss = pytest.importorskip("faiss")
    draw = np.random.default_rng(0)
    vectors = unit(draw.normal(size=(5000, 96))).astype(np.float32)
    queries = unit(draw.normal(size=(20, 96))).astype(np.float32)
    flat = faiss.IndexFlatIP(96)
    flat.add(vectors)
    cosines, rows = flat.search(queries, 10)
    for number, found in enumerate(nearest([stored(vectors, "float32")], unit(queries.astype(np.float64)), 10)):
        assert found.rows.tolist() == rows[number].tolist()
        assert np.allclose(found.scores, cosines[number], atol=1e-6)


def test_a_graph_is_the_one_of_faiss_and_its_filtered_search_too():
    faiss = pytest.importorskip("faiss")
    from wordworth.retrieval.hnsw_graph import HnswGraph

    draw = np.random.default_rng(0)
    vectors = unit(draw.normal(size=(3000, 32))).astype(np.float32)
    queries = unit(draw.normal(size=(20, 32))).astype(np.float32)
    ours, theirs = HnswGraph.empty(32, 8, 50), faiss.index_factory(32, "HNSW8_SQfp16", faiss.METRIC_INNER_PRODUCT)
    ours.add(vectors)
    faiss.omp_set_num_threads(1)
    theirs.hnsw.efConstruction, theirs.hnsw.rng = 50, faiss.RandomGenerator(0)
    theirs.train(vectors)
    theirs.add(vectors)
    passing = draw.random(3000) < 0.4
    chosen = faiss.IDSelectorBatch(np.flatnonzero(passing))
    for mask, selector in ((None, None), (passing, chosen)):
        _, rows = theirs.search(queries, 10, params=faiss.SearchParametersHNSW(efSearch=40, sel=selector))
        for query, found in zip(queries.astype(np.float64), rows, strict=True):
            assert set(ours.candidates(query, 10, 40, mask)) == set(found.tolist()) - {-1}


def test_scores_by_words_are_those_of_bm25s():
    bm25s = pytest.importorskip("bm25s")
    texts = [str(row["text"]) for row in made_up_rows(300)]
    peer = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    peer.index([words_of(text) for text in texts], show_progress=False)
    for query in WORDS[:30]:
        ours = scores([postings(texts)], f"{query} {WORDS[7]}")
        assert np.allclose(ours, peer.get_scores([query, WORDS[7]]), atol=1e-5)


def test_pairs_are_those_of_sentence_transformers():
    util = pytest.importorskip("sentence_transformers.util")
    import torch

    draw = np.random.default_rng(0)
    vectors = draw.normal(size=(700, 24)).astype(np.float32)
    expected = util.paraphrase_mining_embeddings(
        torch.from_numpy(vectors), query_chunk_size=90, corpus_chunk_size=200, max_pairs=3000, top_k=5
    )
    settings = MineSettings(threshold=-1, k=5, max_pairs=3000)
    pairs, cosines = most_similar_pairs([stored(vectors, "float32")], np.ones(700, bool), settings)
    theirs = {(min(pair), max(pair)): score for score, *pair in expected}
    ours = dict(zip(map(tuple, pairs.tolist()), cosines.tolist(), strict=True))
    assert ours.keys() == theirs.keys()
    assert all(ours[pair] == pytest.approx(theirs[pair], abs=1e-5) for pair in ours)
