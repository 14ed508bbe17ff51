"""A graph is asked by itself once its recall is measured, and what changed the index since is never overlooked."""

import logging

import numpy as np
import pytest
from tests.retrieval.small_index import build, made_up_rows, queries

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.retrieval.manifest import Manifest

QUERIES = queries(40)
SMALL = {"recall": 0.7, "k": 5, "m": 4, "ef_construction": 20, "threads": 1}


@pytest.fixture
def index(tmp_path):
    pytest.importorskip("faiss")
    return build(tmp_path, 1500)


def said(caplog, index, **settings):
    """What is said when the index is asked, and the results."""
    caplog.clear()
    with caplog.at_level(logging.INFO, "wordworth"):
        results = ww.search("word1 word2", index, k=5, **settings)
    return " ".join(record.getMessage() for record in caplog.records), results


def test_the_index_is_asked_by_its_graph_unless_all_is_to_be_compared(index, caplog):
    said_before, before = said(caplog, index)
    assert said_before == ""
    row = ww.build_hnsw(QUERIES, index, **SMALL).loc[0]
    assert (row["rows"], row["k"], row["queries"]) == (1500, 5, 20)
    how, results = said(caplog, index)
    assert how.startswith(f"approximate, efSearch {int(row['ef_search'])}: {row['recall']:.3f} ({row['low']:.3f} to ")
    assert len(results) == 5
    how, exact = said(caplog, index, exact=True)
    assert how == ""
    assert exact.equals(before)
    assert list(results.columns) == list(exact.columns)
    assert set(results["score"]) <= set(ww.search("word1 word2", index, k=1500, exact=True)["score"])


def test_after_a_change_the_graph_is_not_asked_for_what_it_does_not_hold(index, caplog):
    ww.build_hnsw(QUERIES, index, **SMALL)
    best = ww.search("word1 word2", index, k=1, exact=True)["id"][0]
    ww.delete_from_index(index, where=f"id = '{best}'")
    how, results = said(caplog, index)
    assert "approximate" in how
    assert "before texts were deleted" in how
    assert best not in set(results["id"])
    assert len(results) == 5
    ww.add_to_index(made_up_rows(5, seed=9), index)
    how, results = said(caplog, index)
    assert how.startswith("all texts were compared: ")
    assert "the graph holds 1,500 of 1,505 texts; make it whole with wordworth search hnsw" in how
    ww.build_hnsw(QUERIES, index, **SMALL)
    assert "approximate" in said(caplog, index)[0]
    (index / Manifest.read(index).graph.name).unlink()
    assert "the graph is missing or damaged; make it whole with wordworth search hnsw" in said(caplog, index)[0]


def test_both_rankings_are_joined_and_conditions_cost_no_results(index, caplog):
    ww.build_hnsw(QUERIES, index, **SMALL)
    assert len(said(caplog, index, method="hybrid")[1]) == 5
    how, results = said(caplog, index, where="year = 2001 AND lang = 'en'")
    assert "texts that pass were compared" in how
    assert results.equals(said(caplog, index, where="year = 2001 AND lang = 'en'", exact=True)[1])


@pytest.mark.parametrize("precision", ["float16", "int8", "bits"])
def test_every_precision_has_graphs(tmp_path, precision):
    pytest.importorskip("faiss")
    index = build(tmp_path, 600, precision=precision)
    row = ww.build_hnsw(QUERIES, index, **SMALL).loc[0]
    assert row["low"] > 0.5


def test_a_target_that_is_not_reached_leaves_all_compared(index, caplog, monkeypatch):
    from wordworth.retrieval.hnsw_graph import HnswGraph

    with monkeypatch.context() as patch:
        patch.setattr(HnswGraph, "candidates", lambda *_: np.array([0]))
        with pytest.raises(BadInput, match=r"with 2,560 candidates the recall is 0\.\d+, .*: `recall` 0\.7 is not rea"):
            ww.build_hnsw(QUERIES, index, **SMALL)
    how, _ = said(caplog, index)
    assert "all texts were compared: " in how
    assert "the graph's recall was not measured" in how


def test_what_cannot_be_measured_is_refused_before_anything_is_built(index, tmp_path):
    (tmp_path / "few.txt").write_text("word1\nword2\nword1\n")
    before = sorted(path.name for path in index.iterdir())
    for asked, words in (
        (tmp_path / "few.txt", "2 distinct queries cannot measure a recall; give at least 20"),
        ([{"question": "word1"}] * 30, "column 'text' not found"),
        ([*QUERIES, "zzz"], "the query 'zzz' has no word that table.txt knows"),
    ):
        with pytest.raises(BadInput, match=words):
            ww.build_hnsw(asked, index)
    with pytest.raises(BadInput, match="`recall` 1 is out of range; give more than 0 and less than 1"):
        ww.build_hnsw(QUERIES, index, recall=1)
    with pytest.raises(BadInput, match="there is no index here"):
        ww.build_hnsw(QUERIES, tmp_path / "none")
    assert sorted(path.name for path in index.iterdir()) == before
    ww.delete_from_index(index, where="year > 0")
    with pytest.raises(BadInput, match="all texts of this index are deleted"):
        ww.build_hnsw(QUERIES, index)


def test_without_faiss_it_says_what_to_install_and_search_compares_all(index, caplog, monkeypatch):
    ww.build_hnsw(QUERIES, index, **SMALL)
    monkeypatch.setattr("wordworth.errors.find_spec", lambda _: None)
    with pytest.raises(BadInput, match="this needs faiss-cpu, which is not installed"):
        ww.build_hnsw(QUERIES, index, **SMALL)
    how, results = said(caplog, index)
    assert "this needs faiss-cpu, which is not installed" in how
    assert len(results) == 5
