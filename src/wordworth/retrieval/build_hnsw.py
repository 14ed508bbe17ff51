"""`build_hnsw`: build a graph for approximate search, and measure its recall on the user's own queries.

On one half of the queries the number of candidates that a search keeps (efSearch) is chosen, on the other half the
recall is measured.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from wordworth.errors import BadInput, require_package
from wordworth.files import as_path
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import floats
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.build import locked
from wordworth.retrieval.extend_hnsw_graph import extended_graph
from wordworth.retrieval.graph_recall import measure_recall
from wordworth.retrieval.index import Index
from wordworth.retrieval.manifest import GraphDescription, Manifest
from wordworth.sentence_formatting import count_of
from wordworth.settings_validation import ValidRange, at_least, setting, settings_from, validate
from wordworth.text.file_formats.in_memory import TableSource, as_file
from wordworth.text.file_formats.read import iterate_texts

FEWEST = 20
"""Fewest distinct queries that are accepted: half of them choose efSearch, the other half measures the recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HnswSettings:
    """Settings of `build_hnsw`."""

    text: str = setting("text", "Column of the queries.")
    recall: float = setting(
        0.95,
        "Share of the k nearest texts that a search is to find.",
        ValidRange(lambda value: 0 < value < 1, "more than 0 and less than 1"),
    )
    k: int = setting(10, "Number of results for which recall is measured.", at_least(1))
    m: int = setting(16, "Links of a text in each layer of the graph.", at_least(2))
    ef_construction: int = setting(100, "Candidates among which a text's links are chosen.", at_least(1))
    seed: int = setting(0, "Seed of the halves of the queries, and of the intervals.")
    threads: int | None = setting(
        None, "Threads that build the graph, by default all; with one it is the same in every run.", at_least(1)
    )

    def __post_init__(self) -> None:
        validate(self)


def build_hnsw(  # noqa: PLR0913 - the settings, each by its name
    queries: TableSource,
    index: Path | str,
    *,
    text: str = "text",
    recall: float = 0.95,
    k: int = 10,
    m: int = 16,
    ef_construction: int = 100,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> pd.DataFrame:
    """Build a graph with which an index is searched approximately, and measure its recall on queries.

    The graph is an HNSW (Malkov and Yashunin 2018). A search compares the query with few vectors, and keeps the best
    `ef_search` of them as candidates. `ef_search` is the smallest number with which the recall on a random half of the
    queries reaches the target, by the lower end of its 95 % interval. The recall is then measured on the other half.
    The recall of a query is the share of its k nearest texts, found by exhaustive search, that the graph finds too; a
    text that is as near as the k-th nearest counts too.

    After a stopped run, the same call resumes the building. After texts were added to the index, the same call adds
    them to the graph.

    Args:
        queries: a file or a table of queries such as users ask, or a list of them.
        index: folder of the index.
        text: the column of the queries.
        recall: the target.
        k: number of results for which recall is measured.
        m: number of links of a text in each layer of the graph, and twice as many in the lowest.
        ef_construction: number of candidates among which a text's links are chosen.
        seed: seed of the halves of the queries, and of the intervals.
        threads: number of threads that build the graph; None for all cores. With one the graph is the same in every
            run.
        progress: receives the progress.

    Returns:
        One row: `rows` of the graph, `m`, `ef_construction`, `ef_search`, `k`, the `recall` with its 95 % interval
        `low` to `high`, and `queries`, the number of queries on which the recall was measured. `milliseconds` is the
        median time of a query by the graph, and `exact_milliseconds` by comparing all texts; the time in which the
        query's vector is computed is left out.

    Raises:
        BadInput: there is no index or no text in it, its model cannot be read, there are fewer than 20 distinct
            queries, or the target is not reached, however many candidates a search keeps.
        MissingExtra: faiss is not installed.

    >>> build_hnsw("queries.csv", "index/", recall=0.95)  # doctest: +SKIP
    """
    settings = settings_from(locals(), HnswSettings)
    folder = as_path(index, "--index")
    require_package("faiss", "faiss", "faiss-cpu")
    Manifest.read(folder)
    with as_file(queries) as path:
        texts = _distinct(path, settings.text)
    with locked(folder):
        opened = Index.open(folder)
        if not len(opened):
            raise BadInput("all texts of this index are deleted", where=str(folder), mend="add some")
        vectors = floats(unit_or_zero(opened.query_vectors(texts).astype(np.float64)))
        wanted = GraphDescription(name="", rows=0, size=0, m=settings.m, ef_construction=settings.ef_construction)
        cores = settings.threads or os.cpu_count() or 1
        manifest = extended_graph(folder, opened.manifest, opened.vectors, wanted, cores, progress)
        reopened = Index(folder, manifest)
        measured = measure_recall(reopened, vectors, target=settings.recall, k=settings.k, seed=seed, progress=progress)
        replace(manifest, graph=measured.description).write(folder)
    return measured.table()


def _distinct(path: Path, column: str) -> list[str]:
    texts = list(dict.fromkeys(text for _, text in iterate_texts(path, column) if text.strip()))
    if len(texts) < FEWEST:
        what = f"{count_of(len(texts), 'distinct query', 'distinct queries')} cannot measure a recall"
        raise BadInput(what, where=str(path), mend=f"give at least {FEWEST}, better some hundreds")
    return texts
