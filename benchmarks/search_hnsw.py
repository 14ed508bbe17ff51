"""A graph over an index: seconds to build it, and for several targets recall and milliseconds beside comparing all.

    python benchmarks/search_hnsw.py --folder search/ --texts 100000 --out docs/records/search_hnsw.json

Texts and queries are those of `benchmarks/search.py`. One thread builds the graph and asks. Half of the queries choose
efSearch for a target, the other half measures; under conditions, the latter are asked too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from pyarrow import parquet

import wordworth as ww
from measure import report
from search import interval, material, quantiles
from wordworth.cli.scripts import run_script, writable_path
from wordworth.progress import SILENT
from wordworth.retrieval.build import locked
from wordworth.retrieval.extend_hnsw_graph import extended_graph
from wordworth.retrieval.graph_recall import recall_of
from wordworth.retrieval.index import Index
from wordworth.retrieval.manifest import GraphDescription
from wordworth.seeds import child

TARGETS = (0.9, 0.95, 0.99)
CONDITIONS = ("words = 12", "words = 7", "text LIKE 'the %'", "text LIKE '%zebra%'")
_K, _M, _EF_CONSTRUCTION = 10, 16, 100
_MB = 1 << 20


class Notes(list[str]):
    """A `Progress` that keeps messages alone."""

    step = SILENT.step

    def note(self, message: str) -> None:
        """Keep a message."""
        self.append(message)


def under(index: Index, where: str, queries: np.ndarray) -> Mapping[str, Any]:
    """Ask under a condition by the graph and by comparing all; return recall, milliseconds, and what was said."""
    index.passing(where)  # which is read from the file once
    notes, shares, fewest = Notes(), [], _K
    seconds: dict[str, list[float]] = {"graph": [], "exact": []}
    for query in queries:
        began = time.perf_counter()
        (by_graph,) = index.search_vectors(query[None], k=_K, where=where, progress=notes)
        between = time.perf_counter()
        (exact,) = index.search_vectors(query[None], k=_K, where=where, exact=True)
        seconds["graph"].append(1000 * (between - began))
        seconds["exact"].append(1000 * (time.perf_counter() - between))
        shares.append(recall_of(by_graph, exact))
        fewest = min(fewest, len(by_graph.rows))
    times = {f"{name}_p50": median(each) for name, each in seconds.items()}
    passing = int(index.passing(where).sum())
    return {"where": where, "passing": passing, **interval(shares), **times, "fewest": fewest, "said": notes[-1]}


def build(folder: Path, model: str) -> dict[str, float]:
    """Build the index and its graph on one thread; return the seconds and the size of the graph in MB."""
    index = folder / "float32"
    options: dict[str, Any] = {"model": model, "vectors": folder / "texts.npy", "overwrite": True, "threads": 1}
    ww.build_index(folder / "texts.parquet", index, **options)
    opened, wanted = (
        Index.open(index),
        GraphDescription(name="", rows=0, size=0, m=_M, ef_construction=_EF_CONSTRUCTION),
    )
    began, processor = time.perf_counter(), time.process_time()
    with locked(index):
        manifest = extended_graph(index, opened.manifest, opened.vectors, wanted, 1, SILENT)
    seconds = {"seconds": time.perf_counter() - began, "processor_seconds": time.process_time() - processor}
    assert manifest.graph is not None
    return {**seconds, "size": manifest.graph.size / _MB}


def first_query(folder: Path, queries: np.ndarray) -> dict[str, float]:
    """Return the milliseconds of the first query to an index that was just opened, as by the command."""
    milliseconds = []
    for query in queries:
        index = ww.load_index(folder)
        began = time.perf_counter()
        index.search_vectors(query[None], k=_K)
        milliseconds.append(1000 * (time.perf_counter() - began))
    return quantiles(milliseconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where texts, vectors and the index are kept")
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=600)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--out", type=writable_path)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    material(chosen.folder, chosen.texts, chosen.queries, chosen.model)
    record: dict[str, Any] = {"model": chosen.model, "texts": chosen.texts, "queries": chosen.queries}
    record["graph"] = build(chosen.folder, chosen.model)
    queries, folder = (
        parquet.read_table(chosen.folder / "queries.parquet")["text"].to_pylist(),
        chosen.folder / "float32",
    )
    options: dict[str, Any] = {"m": _M, "ef_construction": _EF_CONSTRUCTION, "threads": 1}
    record["targets"] = [
        {"target": target, **ww.build_hnsw(queries, folder, recall=target, **options).to_dict("records")[0]}
        for target in TARGETS
    ]
    index = ww.load_index(folder)
    judged = child(0, "halves").permutation(len(queries))[len(queries) // 2 :]
    vectors = index.query_vectors([queries[number] for number in judged[:100]])
    record["conditions"] = [under(index, where, vectors) for where in CONDITIONS]
    record["first_query"] = first_query(folder, vectors[:20])
    report(record, chosen.out)


if __name__ == "__main__":
    run_script(main)
