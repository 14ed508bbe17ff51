"""`mine_paraphrases`: the pairs of an index's texts whose vectors have the largest cosines, in bounded memory.

Every text is compared with every other text, a few hundred at a time. The nearest texts of each text make pairs with
it, and the best of all pairs are returned. Time grows with the square of the number of texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from wordworth.files import as_path, atomic_write, require_distinct
from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.exact_search import write_products
from wordworth.retrieval.index import Index
from wordworth.retrieval.stored_vectors import StoredVectors, values_of
from wordworth.settings_validation import ValidRange, at_least, setting, settings_from, validate
from wordworth.text.file_formats.base import ColumnType
from wordworth.text.file_formats.read import require_writable

_QUERIES, _ROWS = 256, 32_768
"""Number of texts that are compared at once, and of texts that they are compared with: their cosines take 32 MB."""
_COLUMNS: Mapping[str, ColumnType] = {
    "score": "number",
    "id_a": "text",
    "text_a": "text",
    "id_b": "text",
    "text_b": "text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MineSettings:
    """Settings of `mine_paraphrases`."""

    threshold: float = setting(
        0.8, "Least cosine of a pair.", ValidRange(lambda value: -1 <= value <= 1, "a number from -1 to 1")
    )
    k: int = setting(10, "Nearest texts of each text that make a pair with it.", at_least(1))
    max_pairs: int = setting(100_000, "Most pairs; the best are kept.", at_least(1))
    where: str | None = setting(None, "Condition on columns that both texts pass.")

    def __post_init__(self) -> None:
        validate(self)


def mine_paraphrases(  # noqa: PLR0913 - the settings, each by its name
    index: Path | str,
    out: Path | str | None = None,
    *,
    threshold: float = 0.8,
    k: int = 10,
    max_pairs: int = 100_000,
    where: str | None = None,
    progress: Progress = SILENT,
) -> pd.DataFrame:
    """Find paraphrases and duplicates among the texts of an index.

    Args:
        index: folder of the index.
        out: a .csv, .jsonl or .parquet to write the pairs to; None writes nothing.
        threshold: least cosine of a pair.
        k: each text makes pairs with its `k` nearest texts.
        max_pairs: largest number of pairs to return; pairs with the largest cosines are returned.
        where: a condition on columns that both texts must meet.
        progress: receives the progress.

    Returns:
        A row for each pair, the largest cosine first: `score` (the cosine), `id_a`, `text_a`, `id_b`, `text_b`, where
        text a comes before text b in the index.

    Raises:
        BadInput: there is no index or it is damaged, the condition cannot be read, or `out` cannot be written.

    >>> mine_paraphrases("index/", threshold=0.95)  # doctest: +SKIP
    """
    settings = settings_from(locals(), MineSettings)
    target = None if out is None else as_path(out, "--out")
    written_as = None if target is None else require_writable(target)
    opened = Index.open(as_path(index, "--index"))
    if target is not None:
        require_distinct(target, opened.folder)
    passing = opened.live if settings.where is None else opened.passing(settings.where)
    pairs, scores = most_similar_pairs(opened.vectors, passing, settings, progress)
    rows = list(_described(opened, pairs, scores))
    if target is not None and written_as is not None:
        with atomic_write(target) as neighbour:
            written_as.write(neighbour, iter(rows), _COLUMNS)
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def most_similar_pairs(
    segment_vectors: Sequence[StoredVectors], passing: Flags, settings: MineSettings, progress: Progress = SILENT
) -> tuple[Integers, Floats]:
    """Return the pairs of row numbers with the largest cosines, int64 [pairs, 2], and the cosines, float64 [pairs].

    Args:
        segment_vectors: the stored vectors of each segment (rows that were added together); rows are numbered through
            all segments in order.
        passing: mask of the rows that may be in a pair, bool [rows].
        settings: least cosine, number of nearest texts and largest number of pairs.
        progress: receives the progress.
    """
    rows, best_pairs = np.flatnonzero(passing), _BestPairs(settings.max_pairs)
    with progress.step("comparing texts", len(rows)) as step:
        for start in range(0, len(rows), _QUERIES):
            queries = rows[start : start + _QUERIES]
            near, scores = _nearest_others(segment_vectors, queries, passing, min(settings.k, len(rows) - 1))
            firsts = np.repeat(queries[:, None], near.shape[1], axis=1)
            is_alike = scores >= settings.threshold
            pairs = np.sort(np.stack([firsts[is_alike], near[is_alike]], axis=1), axis=1)
            best_pairs.add(pairs, scores[is_alike])
            step.advance(len(queries))
    return best_pairs.best()


class _BestPairs:
    """A collection of pairs with scores that holds at most four times `most` pairs, and returns the best `most`."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self.pairs, self.scores = list[Integers](), list[Floats]()

    def add(self, pairs: Integers, scores: Floats) -> None:
        self.pairs.append(pairs)
        self.scores.append(scores)
        self.size += len(pairs)
        if self.size > 4 * self.most:
            pairs, scores = self.best()
            self.pairs, self.scores, self.size = [pairs], [scores], len(pairs)

    def best(self) -> tuple[Integers, Floats]:
        """Return the best distinct pairs and their scores, the best first, ties in the order of their rows."""
        pairs = np.concatenate([np.zeros((0, 2), np.int64), *self.pairs])
        scores = np.concatenate([np.zeros(0), *self.scores])
        pairs, first = np.unique(pairs, axis=0, return_index=True)
        order = np.argsort(-scores[first], kind="stable")[: self.most]
        return pairs[order], scores[first][order]


def _nearest_others(
    segment_vectors: Sequence[StoredVectors], queries: Integers, passing: Flags, k: int
) -> tuple[Integers, Floats]:
    """Return the `k` nearest other rows of some rows, int64 [queries, k], and their cosines, float64 [queries, k].

    If there are fewer than `k` other rows that may be in a pair, the rest of the cosines are -inf.

    Args:
        segment_vectors: the stored vectors of each segment.
        queries: int64 [queries], the numbers of the rows whose nearest rows are found.
        passing: mask of the rows that may be in a pair, bool [rows].
        k: number of nearest rows for each.
    """
    vectors = values_of(segment_vectors, queries)
    rows, products = np.zeros((len(queries), 0), np.int64), np.zeros((len(queries), 0), np.float32)
    for start, block in _blocks(segment_vectors):
        own = np.empty((len(block), len(queries)), np.float32)
        write_products(block, vectors, own)
        own[~passing[start : start + len(block)]] = -np.inf
        inside = (queries >= start) & (queries < start + len(block))
        own[queries[inside] - start, np.flatnonzero(inside)] = -np.inf
        best = np.argpartition(own, max(0, len(block) - k), axis=0)[-k:].T if k else np.zeros((len(queries), 0), int)
        rows = np.concatenate([rows, best + start], axis=1)
        products = np.concatenate([products, np.take_along_axis(own.T, best, axis=1)], axis=1)
        order = np.argsort(-products, axis=1, kind="stable")[:, :k]
        rows, products = np.take_along_axis(rows, order, axis=1), np.take_along_axis(products, order, axis=1)
    values = values_of(segment_vectors, rows.ravel()).reshape(*rows.shape, vectors.shape[1])
    exact = np.einsum("nkd,nd->nk", values, vectors)
    return rows, np.where(np.isfinite(products), exact, -np.inf)


def _blocks(segment_vectors: Sequence[StoredVectors]) -> Iterator[tuple[int, StoredVectors]]:
    """Yield the rows of all segments in blocks, each with the number of its first row."""
    first = 0
    for vectors in segment_vectors:
        for start in range(0, len(vectors), _ROWS):
            part = slice(start, start + _ROWS)
            steps = None if vectors.steps is None else vectors.steps[part]
            yield first + start, StoredVectors(vectors.numbers[part], steps)
        first += len(vectors)


def _described(index: Index, pairs: Integers, scores: Floats) -> Iterator[dict[str, Any]]:
    """Yield a row of the table for each pair."""
    manifest = index.manifest
    names = [manifest.text] if manifest.id is None else [manifest.text, manifest.id]
    numbers, position = np.unique(pairs, return_inverse=True)
    cells = index.rows.take(numbers, names)
    for (first, second), score in zip(position.reshape(-1, 2).tolist(), scores.tolist(), strict=True):
        row: dict[str, Any] = {"score": score}
        for letter, number in (("a", first), ("b", second)):
            row[f"id_{letter}"] = str(numbers[number]) if manifest.id is None else cells[number][manifest.id]
            row[f"text_{letter}"] = cells[number][manifest.text]
        yield row
