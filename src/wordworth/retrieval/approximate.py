"""`ApproximateSearch`: find the nearest rows by an HNSW graph if that is faster than comparing all vectors.

If the graph is not faster, all vectors are compared. Rows that the graph finds are scored once more with the stored
vectors, so that their scores equal the scores of an exact search. If a share s of the rows meets the search's
condition, the search keeps 1 / s times as many candidates. If the graph finds fewer rows than wanted, all rows that
meet the condition are compared, so that a condition never shortens the list of results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.retrieval.exact_search import Nearest, nearest, rescored
from wordworth.retrieval.hnsw_graph import HnswGraph
from wordworth.retrieval.manifest import GraphDescription, Manifest
from wordworth.retrieval.stored_vectors import StoredVectors

_RANDOM_ACCESS = 4
"""Number of vectors that a scan compares in the time in which a walk over the graph compares one of its vectors."""
_MEND = "make it whole with wordworth search hnsw"
_SPARE = 2
"""Number of rows that are asked of the graph for each result: its float16 numbers may order them otherwise."""


@dataclass(frozen=True, slots=True)
class ApproximateSearch:
    """The HNSW graph of an index, with the stored vectors by which the rows that it finds are scored.

    Attributes:
        graph: the graph, which has a vector for each row of the index, deleted ones included.
        description: the graph's description in the manifest, with the recall that was measured.
        segment_vectors: the stored vectors of each segment (rows that were added together); rows are numbered through
            all segments in order.
        deleted_since: whether rows were deleted after recall was measured.
    """

    graph: HnswGraph
    description: GraphDescription
    segment_vectors: Sequence[StoredVectors]
    deleted_since: bool = False

    @classmethod
    def open(cls, folder: Path, manifest: Manifest, segment_vectors: Sequence[StoredVectors]) -> ApproximateSearch:
        """Open the graph of an index.

        Args:
            folder: folder of the index.
            manifest: the index's description.
            segment_vectors: the index's vectors, in one item for each set of rows that were added together.

        Raises:
            MissingExtra: faiss is not installed.
            BadInput: there is no graph, it does not hold all rows, its recall was not measured, or it is damaged.
        """
        search = cls.open_unmeasured(folder, manifest, segment_vectors)
        if search.description.ef_search is None:
            raise BadInput("the graph's recall was not measured", where=str(folder), mend=_MEND)
        return search

    @classmethod
    def open_unmeasured(
        cls, folder: Path, manifest: Manifest, segment_vectors: Sequence[StoredVectors]
    ) -> ApproximateSearch:
        """Open the graph of an index as `open` does, also if its recall was not measured.

        Args:
            folder: folder of the index.
            manifest: description of the index.
            segment_vectors: the index's vectors, in one item for each set of rows that were added together.
        """
        description = manifest.graph
        if description is None or description.rows < manifest.rows:
            held = 0 if description is None else description.rows
            raise BadInput(f"the graph holds {held:,} of {manifest.rows:,} texts", where=str(folder), mend=_MEND)
        path = folder / description.name
        if not path.is_file() or path.stat().st_size != description.size:
            raise BadInput("the graph is missing or damaged", where=str(path), mend=_MEND)
        return cls(HnswGraph.read(path), description, segment_vectors, description.deleted != manifest.deleted)

    def nearest(self, queries: Floats, k: int, passing: Flags | None = None) -> tuple[list[Nearest], str]:
        """Return for each query the `k` nearest rows, by the graph if that is faster, and a note for the user.

        The note says whether the graph was searched, with which measured recall, or why all rows were compared.

        Args:
            queries: unit vectors, float64 [queries, width].
            k: number of rows for each query; fewer only if fewer may be returned.
            passing: mask of the rows that may be returned, bool [rows]; None for all.
        """
        allowed = len(self.graph) if passing is None else int(passing.sum())
        ef_search = self.ef_search(k, allowed)
        if 2 * self.description.m * ef_search * _RANDOM_ACCESS > allowed:
            what = f"all {allowed:,} texts" + ("" if passing is None else " that pass") + " were compared"
            note = f"{what}, which the graph would not do faster" if allowed else "no text passes"
            return list(nearest(self.segment_vectors, queries, k, passing)), note
        results, exact = [], 0
        for query in queries:
            result = self.by_graph(query, k, ef_search, passing)
            if len(result.rows) < min(k, allowed):
                exact += 1
                (result,) = nearest(self.segment_vectors, query[None], k, passing)
            results.append(result)
        if exact:
            whose = "" if len(queries) == 1 else f"for {exact} of {len(queries)} queries "
            return results, f"{whose}all texts that pass were compared, as the graph had fewer than {k} results"
        return results, self._recall_in_words(ef_search, k)

    def ef_search(self, k: int, allowed: int) -> int:
        """Return efSearch, the number of candidates that a search of the HNSW graph keeps, for one search.

        The fewer rows meet the search's condition, the more candidates are kept.

        Args:
            k: number of rows to find.
            allowed: number of rows that meet the search's condition.
        """
        chosen = self.description.ef_search or 0
        return ceil(chosen * max(1, k / max(1, self.description.k)) * len(self.graph) / max(1, allowed))

    def by_graph(self, query: Floats, k: int, ef_search: int, passing: Flags | None = None) -> Nearest:
        """Return the `k` best of the rows that the graph finds for a query, by their stored vectors.

        Args:
            query: a unit vector, float64 [width].
            k: largest number of rows to return.
            ef_search: number of candidates that the search keeps.
            passing: mask of the rows that may be returned, bool [rows]; None for all.
        """
        rows = np.sort(self.graph.candidates(query, _SPARE * k, ef_search, passing))
        return rescored(self.segment_vectors, query, rows, k)

    def _recall_in_words(self, ef_search: int, k: int) -> str:
        description = self.description
        measured = (
            f"{description.recall:.3f} ({description.low:.3f} to {description.high:.3f}) of the {description.k} nearest"
        )
        words = f"approximate, efSearch {ef_search}: {measured} were found for {description.queries} measured queries"
        words += ", before texts were deleted" if self.deleted_since else ""
        return words if k <= description.k else f"{words}; {k} were asked for"
