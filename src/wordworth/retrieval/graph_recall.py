"""Choose how many candidates a search of a graph keeps, to reach a target recall, and measure the recall on queries.

Recall is the share of the k nearest texts, found by comparing the query with all texts, that a search of the graph
finds too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import pandas as pd

from wordworth.errors import BadInput
from wordworth.measures.bootstrap import Interval, interval, mean_draws
from wordworth.measures.weighted_sums import Flags, Floats, floats
from wordworth.progress import Progress
from wordworth.retrieval.approximate import ApproximateSearch
from wordworth.retrieval.exact_search import Nearest, nearest
from wordworth.retrieval.index import Index
from wordworth.retrieval.manifest import GraphDescription
from wordworth.retrieval.stored_vectors import StoredVectors
from wordworth.seeds import child

_WIDENED = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""Candidates that a search keeps for each of the 2 k rows that are asked of the graph: the values that are tried."""
_TIMED = 50
_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class GraphRecall:
    """The measured recall and speed of an index's HNSW graph.

    Attributes:
        description: the graph's description, with efSearch and the recall.
        milliseconds: median time of a query by the graph.
        exact_milliseconds: median time of a query by comparing all texts.
    """

    description: GraphDescription
    milliseconds: float
    exact_milliseconds: float

    def table(self) -> pd.DataFrame:
        """Return the measurement as the table of one row that `build_hnsw` describes."""
        names = ("rows", "m", "ef_construction", "ef_search", "k", "recall", "low", "high", "queries")
        row = {name: getattr(self.description, name) for name in names}
        times = {"milliseconds": self.milliseconds, "exact_milliseconds": self.exact_milliseconds}
        return pd.DataFrame([{**row, **times}])


def measure_recall(
    index: Index, queries: Floats, *, target: float, k: int, seed: int, progress: Progress
) -> GraphRecall:
    """Choose efSearch on a random half of the queries, and measure recall and time on the other half.

    Args:
        index: an index whose graph holds all rows.
        queries: unit vectors, float64 [queries, width].
        target: the recall that is to be reached.
        k: number of results.
        seed: seed of the halves and of the intervals.
        progress: receives the progress.

    Raises:
        BadInput: the target is not reached, however many candidates a search keeps.
    """
    passing = None if len(index) == index.manifest.rows else index.live
    exact = _exact(index, queries, k, passing, progress)
    order = child(seed, "halves").permutation(len(queries))
    choosing, judged = order[: len(order) // 2], order[len(order) // 2 :]
    trial = _Trial(ApproximateSearch.open_unmeasured(index.folder, index.manifest, index.vectors), passing, k, seed)
    with progress.step("choosing efSearch"):
        ef_search = trial.chosen(queries[choosing], [exact[row] for row in choosing], target)
        recalls = trial.recalls(ef_search, queries[judged], [exact[row] for row in judged])
        times = trial.timed(ef_search, queries[judged[:_TIMED]])
    ends = _ends(recalls, seed)
    measured = replace(
        trial.search.description,
        ef_search=ef_search,
        k=k,
        recall=float(recalls.mean()),
        low=ends.low,
        high=ends.high,
        queries=len(judged),
        deleted=index.manifest.deleted,
    )
    return GraphRecall(measured, *times)


def _exact(index: Index, queries: Floats, k: int, passing: Flags | None, progress: Progress) -> list[Nearest]:
    """Return the `k` nearest rows of each query, found by comparing the query with all rows."""
    segment_vectors = [
        StoredVectors(each.numbers, each.steps) for each in index.vectors
    ]  # without signs, which leave rows out
    exact = []
    with progress.step("comparing all texts", len(queries)) as step:
        for each in nearest(segment_vectors, queries, k, passing):
            exact.append(each)
            step.advance()
    return exact


@dataclass(frozen=True, slots=True)
class _Trial:
    """A graph to be searched with several values of efSearch.

    Attributes:
        search: the graph with the vectors that are compared exactly.
        passing: mask of the rows that are not deleted; None for all.
        k: number of results.
        seed: seed of the intervals.
    """

    search: ApproximateSearch
    passing: Flags | None
    k: int
    seed: int

    def by_graph(self, ef_search: int, query: Floats) -> Nearest:
        """Return the `k` nearest rows that the graph finds.

        As in a user's search, the number of candidates grows from `ef_search` with the share of deleted rows.
        """
        description = replace(self.search.description, ef_search=ef_search, k=self.k)
        search = replace(self.search, description=description)
        allowed = len(search.graph) if self.passing is None else int(self.passing.sum())
        return search.by_graph(query, self.k, search.ef_search(self.k, allowed), self.passing)

    def recalls(self, ef_search: int, queries: Floats, exact: Sequence[Nearest]) -> Floats:
        """Return the recall of each query with `ef_search` candidates, float64 [queries].

        Args:
            ef_search: number of candidates that the search keeps.
            queries: unit vectors, float64 [queries, width].
            exact: the nearest rows of each query among all rows.
        """
        results = (self.by_graph(ef_search, query) for query in queries)
        return floats([recall_of(result, best) for result, best in zip(results, exact, strict=True)])

    def chosen(self, queries: Floats, exact: Sequence[Nearest], target: float) -> int:
        """Return the smallest efSearch tried with which the lower end of the recall's interval reaches the target.

        Raises:
            BadInput: no efSearch that was tried reaches it.
        """
        recalls = floats([0.0])
        for factor in _WIDENED:
            ef_search = int(2 * self.k * factor)
            recalls = self.recalls(ef_search, queries, exact)
            if _ends(recalls, self.seed).low >= target:
                return ef_search
        low = _ends(recalls, self.seed).low
        what = f"with {ef_search:,} candidates the recall is {recalls.mean():.3f}, or at least {low:.3f}"
        mend = "give a lower --recall or a higher --m, or search without a graph"
        raise BadInput(f"{what}: --recall {target:g} is not reached", mend=mend)

    def timed(self, ef_search: int, queries: Floats) -> tuple[float, float]:
        """Return the median milliseconds of a query by the graph, and of a query that is compared with all rows."""
        times: tuple[list[float], list[float]] = ([], [])
        for query in queries:
            began = time.perf_counter()
            self.by_graph(ef_search, query)
            between = time.perf_counter()
            list(nearest(self.search.segment_vectors, query[None], self.k, self.passing))
            times[0].append(between - began)
            times[1].append(time.perf_counter() - between)
        return 1000 * median(times[0]), 1000 * median(times[1])


def recall_of(result: Nearest, exact: Nearest) -> float:
    """Return the share of the exact results that are in `result`; a row as near as the last exact one counts too."""
    return float((result.scores >= exact.scores[-1]).sum() / len(exact.scores))


def _ends(recalls: Floats, seed: int) -> Interval:
    return interval(mean_draws(recalls[:, None], _DRAWS, child(seed, "draws")))
