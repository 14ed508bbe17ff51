"""A graph finds rows that pass, is the same when it is written and goes on, and a damaged file is refused."""

import numpy as np
import pytest
from tests.retrieval.test_exact_search import unit

from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import floats

pytest.importorskip("faiss")
from wordworth.retrieval.hnsw_graph import HnswGraph

ROWS, WIDTH = 600, 12


def drawn(rows, seed=0):
    return unit(np.random.default_rng(seed).normal(size=(rows, WIDTH))).astype(np.float32)


@pytest.fixture(scope="module")
def graph():
    made = HnswGraph.empty(WIDTH, 8, 40)
    made.add(drawn(ROWS))
    return made


def test_with_as_many_candidates_as_rows_the_nearest_are_found(graph):
    query = floats(drawn(1, seed=1)[0].astype(np.float64))
    nearest = np.argsort(-(drawn(ROWS) @ query))[:10]
    assert set(graph.candidates(query, 10, ROWS)) == set(nearest)


def test_only_rows_that_pass_are_found(graph):
    passing = np.random.default_rng(2).random(ROWS) < 0.3
    for query in drawn(5, seed=3):
        rows = graph.candidates(floats(query.astype(np.float64)), 10, 60, passing)
        assert passing[rows].all()
        assert len(set(rows)) == len(rows) == 10


def test_a_graph_that_goes_on_from_its_file_is_the_one_that_was_never_written(tmp_path):
    vectors = drawn(ROWS)
    alone, begun = HnswGraph.empty(WIDTH, 8, 40), HnswGraph.empty(WIDTH, 8, 40)
    for start in range(0, ROWS, 200):
        alone.add(vectors[start : start + 200])
    begun.add(vectors[:200])
    begun.write(tmp_path / "begun")
    resumed = HnswGraph.read(tmp_path / "begun", mapped=False)
    for start in (200, 400):
        resumed.add(vectors[start : start + 200])
    alone.write(tmp_path / "alone")
    resumed.write(tmp_path / "resumed")
    assert (tmp_path / "alone").read_bytes() == (tmp_path / "resumed").read_bytes()
    query = floats(drawn(1, seed=4)[0].astype(np.float64))
    mapped = HnswGraph.read(tmp_path / "alone")
    assert mapped.candidates(query, 10, 30).tolist() == resumed.candidates(query, 10, 30).tolist()


@pytest.mark.parametrize("mapped", [False, True])
def test_a_file_that_is_missing_cut_or_another_is_refused(graph, tmp_path, mapped):
    import faiss

    graph.write(tmp_path / "whole")
    (tmp_path / "cut").write_bytes((tmp_path / "whole").read_bytes()[:-9])
    (tmp_path / "text").write_text("hello, this is no graph")
    faiss.write_index(faiss.IndexFlatIP(WIDTH), str(tmp_path / "flat"))
    for name in ("nothing", "cut", "text", "flat"):
        with pytest.raises(BadInput, match=f"{name}: this file of the index's graph is missing or damaged; make it"):
            HnswGraph.read(tmp_path / name, mapped=mapped)


def test_the_number_of_threads_is_what_it_was(graph):
    import faiss

    before = faiss.omp_get_max_threads()
    graph.candidates(floats(drawn(1)[0].astype(np.float64)), 3, 10)
    assert faiss.omp_get_max_threads() == before
