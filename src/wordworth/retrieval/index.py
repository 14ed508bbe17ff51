"""`Index`: an opened index, to search many times; its vectors are memory-mapped, its model is loaded once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wordworth.errors import BadInput, NotFound
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Flags, floats
from wordworth.models.load import Loaded
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.approximate import ApproximateSearch
from wordworth.retrieval.bm25 import Postings, best_rows
from wordworth.retrieval.exact_search import Nearest, nearest
from wordworth.retrieval.filter_rows import passing
from wordworth.retrieval.manifest import Manifest
from wordworth.retrieval.query_model import QueryModel, require_queries
from wordworth.retrieval.rank_fusion import DEPTH, fused
from wordworth.retrieval.settings import Method, SearchSettings
from wordworth.retrieval.stored_rows import StoredRows
from wordworth.retrieval.stored_vectors import StoredVectors
from wordworth.settings_validation import settings_from

ID = "id"
_KEPT = 7
"""Number of earlier conditions whose matching rows stay in memory for later queries."""
OWN_COLUMNS = ("query", "rank", ID, "score")
"""Columns of a table of results; a column of the texts with one of these names is called `NAME_` in that table."""


class Index:
    """An opened index: a folder of texts with their vectors and words, to search many times.

    Attributes:
        folder: folder of the index.
        manifest: the index's description: model, columns and segments (the rows that were added together).
        rows: the texts and their other columns.
        vectors: the stored vectors of each segment.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.rows = StoredRows(folder, manifest)
        self.vectors = [StoredVectors.open(folder / segment.name, manifest.precision) for segment in manifest.segments]
        self._deleted = manifest.deleted_rows(folder)
        self._model: Loaded | None = None
        self._passing: dict[str, Flags] = {}

    @classmethod
    def open(cls, folder: Path | str) -> Index:
        """Open an index, with its vectors memory-mapped, so that a search reads them from the disk or its cache.

        Raises:
            BadInput: there is no index in `folder`, or it is damaged.
        """
        return cls(Path(folder), Manifest.read(Path(folder)))

    def __repr__(self) -> str:
        made = f"by {self.manifest.model}, {self.manifest.width} wide, {self.manifest.precision}"
        return f"<Index {str(self.folder)!r}: {len(self):,} texts {made}>"

    def __len__(self) -> int:
        return self.manifest.rows - len(self._deleted)

    def load_model(self, model: str | None = None, threads: int | None = None) -> Loaded:
        """Load the index's model in the data type in which it computed the vectors, with the prompt of queries.

        Args:
            model: where the model is now; None for where it was when the index was built.
            threads: number of threads.

        Raises:
            BadInput: there is no model, or it is not the one that computed the index's vectors.
        """
        if self._model is None or model is not None:
            self._model = self.query_model.load(model, threads)
        return self._model

    def require_space(self, fingerprint: str, model: str) -> None:
        """Check that a model's vectors are in the same space as the vectors of the index.

        Args:
            fingerprint: hash of everything that decides the model's vectors of documents, their prompt included.
            model: name of the model, for the error.

        Raises:
            BadInput: the index's model has another fingerprint.
        """
        self.query_model.require_space(fingerprint, model)

    @property
    def query_model(self) -> QueryModel:
        """The description of the model that computed the vectors."""
        about = self.manifest
        return QueryModel(
            about.model, about.dtype, about.long_texts, about.fingerprint, str(self.folder), about.prompts
        )

    def search(
        self,
        query: str | Sequence[str],
        *,
        k: int = 10,
        method: Method = "dense",
        where: str | None = None,
        exact: bool = False,
        progress: Progress = SILENT,
    ) -> pd.DataFrame:
        """Find the texts that are nearest to a query.

        Args:
            query: a text, or several.
            k: number of results. There are fewer if fewer texts meet the condition or, with `bm25`, if fewer have a
                word of the query.
            method: `dense` ranks by the cosine of vectors, `bm25` by words, and `hybrid` fuses both rankings by
                reciprocal ranks.
            where: a condition on columns that results must meet, such as `lang = 'en' AND year >= 2020`.
            exact: whether to compare all vectors, also if the index has a graph.
            progress: receives a message on how vectors were searched, if the index has a graph.

        Returns:
            A row for each result, the best first: `rank` from 1, `id`, `score` and the columns of the texts; with
            several queries, also `query`, the number of the query from 0.

        Raises:
            BadInput: an argument is invalid, a query is empty, the model is not the one that the index was built with,
                or it is a static table that knows no word of a query.
        """
        settings_from(locals(), SearchSettings)
        texts = require_queries([query] if isinstance(query, str) else query)
        allowed = self._live_rows if where is None else self.passing(where)
        depth = max(k, DEPTH) if method == "hybrid" else k
        if method == "bm25":
            return self.table(self.word_rankings(texts, depth, allowed), is_single=isinstance(query, str))
        results = self._nearest(self.query_vectors(texts), depth, allowed, exact=exact, progress=progress)
        if method == "hybrid":
            both = results, self.word_rankings(texts, depth, allowed)
            results = [fused(*each, k, self.manifest.dense_weight) for each in zip(*both, strict=True)]
        return self.table(results, is_single=isinstance(query, str))

    def dense_rankings(self, texts: Sequence[str], k: int) -> list[Nearest]:
        """Return for each query the rows with the largest cosines, the best first, by exhaustive search.

        Deleted rows are left out.

        Args:
            texts: the queries.
            k: number of rows for each query.
        """
        return self._nearest(self.query_vectors(texts), k, self._live_rows, exact=True)

    def word_rankings(self, texts: Sequence[str], k: int, passing: Flags | None = None) -> list[Nearest]:
        """Return for each query the rows with the largest BM25 scores, the best first.

        Args:
            texts: the queries.
            k: number of rows for each query.
            passing: mask of the rows that may be returned, bool [rows]; None for all that are not deleted.
        """
        allowed = self._live_rows if passing is None else passing
        return [best_rows(self._postings, text, k, allowed) for text in texts]

    def ids(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the id of every row as a pyarrow chunked array of strings.

        If the index has no column of ids, an id is the row's number from 0.
        """
        return self._column(self.manifest.id) if self.manifest.id is not None else self._numbers()

    def query_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of queries by the index's model, float32 [texts, width].

        Raises:
            BadInput: the model is not the one that the index was built with, or it is a static table that knows no word
                of a query.
        """
        return self.query_model.vectors(self.load_model(), texts)

    def search_vectors(
        self,
        vectors: NDArray[np.floating],
        *,
        k: int = 10,
        where: str | None = None,
        exact: bool = False,
        progress: Progress = SILENT,
    ) -> list[Nearest]:
        """Return for each query vector the rows with the largest cosines, the best first.

        Args:
            vectors: vectors of the index's model, float [queries, width]; their length does not matter.
            k: number of rows for each query.
            where: a condition on columns that results must meet.
            exact: whether to compare all vectors, also if the index has a graph.
            progress: receives a message on how vectors were searched, if the index has a graph.

        Raises:
            BadInput: `k` is less than 1, the vectors have another width or are not finite, or the condition is wrong.
        """
        settings_from(locals(), SearchSettings)
        if vectors.ndim != 2 or vectors.shape[1] != self.manifest.width:  # noqa: PLR2004 - queries and width
            shape = " x ".join(map(str, vectors.shape))
            what = f"vectors [{shape}], and those of the index have {self.manifest.width} numbers"
            raise BadInput(what, where=str(self.folder), mend="give vectors [queries, width] of the index's model")
        if not (finite := np.isfinite(vectors).all(axis=1)).all():
            what = f"vector {finite.argmin()} (the first is 0) is not finite"
            raise BadInput(what, where=str(self.folder), mend="leave it out")
        allowed = self._live_rows if where is None else self.passing(where)
        return self._nearest(vectors, k, allowed, exact=exact, progress=progress)

    def passing(self, where: str) -> Flags:
        """Return a mask of the rows that meet a condition and are not deleted, bool [rows].

        Raises:
            BadInput: the condition cannot be read, or names a column that does not exist.
        """
        if where not in self._passing:
            for oldest in list(self._passing)[: len(self._passing) - _KEPT]:
                del self._passing[oldest]
            self._passing[where] = passing(where, self._column) & self.live
        return self._passing[where]

    @cached_property
    def live(self) -> Flags:
        """Mask of the rows that are not deleted, bool [rows]."""
        live = np.ones(self.manifest.rows, dtype=bool)
        live[self._deleted] = False
        return live

    @property
    def _live_rows(self) -> Flags | None:
        """Mask of the rows that are not deleted; None if no row is deleted."""
        return self.live if len(self._deleted) else None

    @cached_property
    def _postings(self) -> list[Postings]:
        return [Postings.open(self.folder / segment.name) for segment in self.manifest.segments]

    def _column(self, name: str) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return a column's cells for all rows; `id` has the row numbers if the texts have no column of that name."""
        try:
            return self.rows.column(name)
        except NotFound:
            if name != ID or self.manifest.id is not None:
                raise
            return self._numbers()

    def _numbers(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        import pyarrow as pa

        return pa.chunked_array([pa.array(map(str, range(self.manifest.rows)), pa.large_string())])

    @cached_property
    def _approximate(self) -> ApproximateSearch:
        return ApproximateSearch.open(self.folder, self.manifest, self.vectors)

    def _nearest(
        self, vectors: NDArray[np.floating], k: int, allowed: Flags | None, *, exact: bool, progress: Progress = SILENT
    ) -> list[Nearest]:
        """Return the `k` nearest rows of each vector, by the graph if there is one that holds all rows.

        `allowed` is the mask of the rows that may be returned, bool [rows]; None for all.
        """
        queries = floats(unit_or_zero(vectors.astype(np.float64)))
        if not exact and self.manifest.graph is not None:
            try:
                search = self._approximate
            except BadInput as error:
                progress.note(f"all texts were compared: {error.in_flags}")
            else:
                results, how = search.nearest(queries, k, allowed)
                progress.note(how)
                return results
        return list(nearest(self.vectors, queries, k, allowed))

    def table(self, results: Sequence[Nearest], *, is_single: bool) -> pd.DataFrame:
        """Return results as a table, with the columns that `search` describes.

        Args:
            results: the ranked rows of each query.
            is_single: whether there is one query, so that the table has no column `query`.
        """
        columns = self.rows.columns()
        named = {name: f"{name}_" if name in OWN_COLUMNS and name != self.manifest.id else name for name in columns}
        lines = []
        for query, (rows, scores) in enumerate(results):
            for rank, (row, score, cells) in enumerate(
                zip(rows.tolist(), scores.tolist(), self.rows.take(rows, columns), strict=True), start=1
            ):
                own = {"query": query, "rank": rank, ID: row if self.manifest.id is None else cells[self.manifest.id]}
                others = {named[name]: cell for name, cell in cells.items() if name != self.manifest.id}
                lines.append({**own, "score": score, **others})
        names = [*OWN_COLUMNS, *(named[name] for name in columns if name != self.manifest.id)]
        table = pd.DataFrame(lines, columns=names)
        return table.drop(columns="query") if is_single else table
