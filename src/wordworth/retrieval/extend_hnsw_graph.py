"""`extended_graph`: build the HNSW graph of an index, or add to it the rows that were added since.

Every minute the unfinished graph is written and named in the manifest, as a graph of the index's first rows. A run that
resumes after a stop adds the remaining rows to this graph, in the same way as rows that were added to the index later.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.progress import Progress
from wordworth.retrieval.hnsw_graph import BLOCK, HnswGraph
from wordworth.retrieval.manifest import GraphDescription, Manifest
from wordworth.retrieval.stored_vectors import StoredVectors

_SECONDS_BETWEEN = 60.0
"""Seconds after which the graph so far is written."""


def extended_graph(
    folder: Path,
    manifest: Manifest,
    segment_vectors: Sequence[StoredVectors],
    description: GraphDescription,
    threads: int,
    progress: Progress,
) -> Manifest:
    """Add to the graph of an index the rows that it lacks, and return the manifest that names the graph.

    The caller holds the index's lock.

    Args:
        folder: folder of the index.
        manifest: the index's description.
        segment_vectors: the index's vectors, in one item for each set of rows that were added together.
        description: `m` and `ef_construction` of the graph; an existing graph with other values is replaced.
        threads: number of threads; with more than one the links differ from run to run.
        progress: receives the progress.

    Raises:
        MissingExtra: faiss is not installed.
        BadInput: the graph cannot be written.
    """
    graph = _graph_to_extend(folder, manifest, description)
    if graph is None:
        graph = HnswGraph.empty(manifest.width, description.m, description.ef_construction)
    elif len(graph) == manifest.rows:
        return manifest
    with progress.step("building the graph", manifest.rows) as step:
        step.skip(len(graph))
        last_write = time.monotonic()
        for vectors in _blocks(segment_vectors, len(graph)):
            graph.add(vectors, threads)
            step.advance(len(vectors))
            if time.monotonic() - last_write > _SECONDS_BETWEEN and len(graph) < manifest.rows:
                manifest, last_write = _write(folder, manifest, graph, description), time.monotonic()
        return _write(folder, manifest, graph, description)


def _graph_to_extend(folder: Path, manifest: Manifest, description: GraphDescription) -> HnswGraph | None:
    """Return the index's graph, to be extended; None if it is missing, damaged or built with other settings."""
    there = manifest.graph
    if there is None or (there.m, there.ef_construction) != (description.m, description.ef_construction):
        return None
    try:
        graph = HnswGraph.read(folder / there.name, mapped=False)
    except BadInput:
        return None
    return graph if len(graph) == there.rows <= manifest.rows else None


def _write(folder: Path, manifest: Manifest, graph: HnswGraph, description: GraphDescription) -> Manifest:
    """Write a graph into an index, then a manifest that names the graph; return this manifest."""
    name = manifest.next_name("graph") + ".faiss"
    with atomic_write(folder / name) as neighbour:
        graph.write(neighbour)
        size = neighbour.stat().st_size
    built = GraphDescription(
        name=name, rows=len(graph), size=size, m=description.m, ef_construction=description.ef_construction
    )
    return replace(manifest, graph=built).write(folder)


def _blocks(segment_vectors: Sequence[StoredVectors], first: int) -> Iterator[NDArray[np.float32]]:
    """Yield the vectors of all rows from row `first` on, as arrays float32 [n, width]."""
    start = 0
    for vectors in segment_vectors:
        for begin in range(max(0, first - start), len(vectors), BLOCK):
            rows = np.arange(begin, min(begin + BLOCK, len(vectors)))
            yield vectors.values(rows).astype(np.float32)
        start += len(vectors)
