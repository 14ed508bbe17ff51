"""A graph whose building was stopped goes on, and is the same; rows that were added are taken in."""

from contextlib import contextmanager

import pytest
from tests.retrieval.small_index import build, made_up_rows

import wordworth as ww
from wordworth.progress import SILENT, STILL
from wordworth.retrieval.manifest import GraphDescription, Manifest

pytest.importorskip("faiss")
from wordworth.retrieval import extend_hnsw_graph as module

WANTED = GraphDescription(name="", rows=0, size=0, m=4, ef_construction=20)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 100)


def extended(folder, wanted=WANTED, progress=SILENT):
    """The manifest with the graph of an index."""
    index = ww.load_index(folder)
    return module.extended_graph(folder, index.manifest, index.vectors, wanted, 1, progress)


def graph_bytes(folder):
    return (folder / Manifest.read(folder).graph.name).read_bytes()


class Stopping:
    """A progress that stops the work at the third block."""

    def __init__(self):
        self.blocks = 0

    @contextmanager
    def step(self, _title, _total=None):
        yield self

    def advance(self, _amount):
        self.blocks += 1
        if self.blocks == 3:
            raise KeyboardInterrupt

    def skip(self, amount):
        STILL.skip(amount)

    note = skip


def test_a_stopped_run_goes_on_to_the_same_graph(tmp_path, monkeypatch):
    index = build(tmp_path, 450)
    extended(index)
    whole = graph_bytes(index)
    ww.build_index(tmp_path / "rows.jsonl", index, model=str(tmp_path / "table.txt"), overwrite=True, precision="int8")
    assert Manifest.read(index).graph is None
    assert not list(index.glob("graph-*"))
    ww.build_index(tmp_path / "rows.jsonl", index, model=str(tmp_path / "table.txt"), overwrite=True)
    monkeypatch.setattr(module, "_SECONDS_BETWEEN", -1)
    with pytest.raises(KeyboardInterrupt):
        extended(index, progress=Stopping())
    assert Manifest.read(index).graph.rows == 200
    assert extended(index).graph.rows == 450
    assert graph_bytes(index) == whole
    assert len(list(index.glob("*graph-*"))) == 1


def test_rows_that_were_added_are_taken_in(tmp_path):
    index = build(tmp_path, 150)
    first = extended(index).graph
    assert extended(index).graph == first
    ww.add_to_index(made_up_rows(60, seed=1), index)
    assert Manifest.read(index).graph == first
    assert extended(index).graph.rows == 210


@pytest.mark.parametrize("change", ["other links", "damaged", "gone"])
def test_a_graph_that_is_another_or_damaged_is_built_anew(tmp_path, change):
    index = build(tmp_path, 150)
    path = index / extended(index).graph.name
    whole = path.read_bytes()
    if change == "other links":
        extended(index, GraphDescription(name="", rows=0, size=0, m=6, ef_construction=20))
        assert Manifest.read(index).graph.m == 6
    elif change == "damaged":
        path.write_bytes(whole[:-5])
    else:
        path.unlink()
    extended(index)
    assert graph_bytes(index) == whole
