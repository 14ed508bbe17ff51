"""The pairs of texts that the study compares: two texts, the rows of a table, or a query and its nearest texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Integers
from wordworth.models.batched_inference import Floats as Floats32
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.sentence_formatting import count_of
from wordworth.studies.similarity.settings import SimilaritySettings, require_effect
from wordworth.tasks.usual_columns import FIRST_TEXTS, PAIRS, TEXTS, usual_column
from wordworth.text.file_formats.read import read_rows
from wordworth.text.file_formats.table import TextTable

Mode = Literal["pair", "pairs", "query"]
_TWO = 2


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """The vectors of the texts that a query is compared with, and the nearest of these texts.

    Attributes:
        vectors: float32 [texts, width], the vector of each text, of length 1.
        nearest: int64 [k], indices of the texts with the largest cosine to the query, the nearest first.
    """

    vectors: Floats32
    nearest: Integers


@dataclass(frozen=True, slots=True, eq=False)
class TextPairs:
    """Pairs of texts, and how they were chosen.

    Attributes:
        mode: `pair` for two texts, `pairs` for the rows of a table, `query` for a query and its nearest texts.
        first, second: the first and the second text of each pair.
        facts: description of the data for the record.
        collection: for a query, all texts that it was compared with; None for other modes.
    """

    mode: Mode
    first: tuple[str, ...]
    second: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    collection: Collection | None = None

    def __len__(self) -> int:
        return len(self.first)


def read_pairs(
    texts: Sequence[str], settings: SimilaritySettings, encoder: TextEncoder, progress: Progress
) -> TextPairs:
    """Return the pairs of texts to compare: the two texts, the rows of a table, or a query and its nearest texts.

    Args:
        texts: two texts; empty if the settings name a table.
        settings: the settings of the study.
        encoder: the encoder, by which the texts nearest to a query are found.
        progress: receives the progress of the search for the nearest texts.

    Raises:
        BadInput: there are not two texts or one table, a column is missing, or no row has texts.
    """
    require_inputs(texts, settings)
    if settings.data is None:
        return TextPairs("pair", (texts[0],), (texts[1],), {"name": "two texts"})
    table = read_rows(settings.data)
    source = {"path": settings.data.name, "sha256": table.sha256, "rows": len(table)}
    facts = {"name": settings.data.name, "sources": [source]}
    if settings.query is None:
        return _rows(table, settings, facts)
    return _nearest(table, settings, facts, (encoder, progress))


def require_inputs(texts: Sequence[str], settings: SimilaritySettings) -> None:
    """Raise BadInput unless the inputs are either two texts that are not empty, or a table.

    Raises:
        BadInput: there are both texts and a table, neither texts nor a table, an empty text, or a setting without
            effect on them.
    """
    mend = "give two texts, or a table with --data"
    if texts and settings.data is not None:
        raise BadInput("both texts and a table are given", mend=mend)
    if settings.data is None and (settings.query is not None or len(texts) != _TWO):
        if settings.query is not None:
            raise BadInput("a query has no texts to be compared with", mend="give a table with --data")
        raise BadInput(f"got {count_of(len(texts), 'text')}", mend=mend)
    if settings.query is not None and settings.text_b is not None:
        raise BadInput("a query is compared with one column of texts", mend="leave --text-b out")
    if any(not text.strip() for text in (*texts, *filter(None, [settings.query]))) or settings.query == "":
        raise BadInput("a text is empty", mend="give texts with words")
    require_effect(settings.changed, table=settings.data is not None, query=settings.query is not None)


def _rows(table: TextTable, settings: SimilaritySettings, facts: Mapping[str, Any]) -> TextPairs:
    """Return the pairs of a table, at most as many as the limit, in the table's order."""
    first, second = (table.column(name) for name in _pair_columns(table, settings))
    filled = np.array([row for row in range(len(table)) if first[row].strip() and second[row].strip()], dtype=np.int64)
    _require_rows(table, filled)
    drawn = seeds.child(settings.seed, "similarity", "pairs").permutation(filled)[: settings.limit]
    rows = np.sort(drawn)
    different = len({(first[row], second[row]) for row in rows})
    numbers = {"blank": len(table) - len(filled), "pairs": len(rows), "repeated": len(rows) - different}
    texts = [tuple(column[row] for row in rows) for column in (first, second)]
    return TextPairs("pairs", texts[0], texts[1], {**facts, **numbers})


def _nearest(
    table: TextTable,
    settings: SimilaritySettings,
    facts: Mapping[str, Any],
    reading: tuple[TextEncoder, Progress],
) -> TextPairs:
    """Return pairs of the query and each of its nearest texts by cosine, nearest first; equal texts count once."""
    name = settings.text or usual_column(table.columns, TEXTS)
    if name is None:
        raise BadInput("no column looks like texts", where=table.path, mend="name it with --text")
    texts = [text for text in dict.fromkeys(table.column(name, "the texts")) if text.strip()]
    _require_rows(table, np.arange(len(texts)))
    encoder, progress = reading
    query = str(settings.query)
    vectors = encoder.encode([query, *texts], normalize=True, long_texts="window", progress=progress)
    cosines = vectors[1:] @ vectors[0]
    order = np.argsort(-cosines, kind="stable")[: settings.top]
    numbers = {"texts": len(texts), "median_cosine": float(np.median(cosines))}
    second = tuple(texts[row] for row in order)
    return TextPairs("query", (query,) * len(order), second, {**facts, **numbers}, Collection(vectors[1:], order))


def _pair_columns(table: TextTable, settings: SimilaritySettings) -> tuple[str, str]:
    """Return the columns of the first and the second texts: those that the user named, or usual ones.

    Raises:
        BadInput: only one is named, or no two columns have usual names.
    """
    if (settings.text is None) != (settings.text_b is None):
        raise BadInput("one column of the pairs is named", mend="name both, with --text and --text-b")
    if settings.text is not None and settings.text_b is not None:
        if settings.text == settings.text_b:
            raise BadInput(f"both texts are of column {settings.text!r}", mend="name two with --text and --text-b")
        return settings.text, settings.text_b
    for first, second in PAIRS:
        names = usual_column(table.columns, (first,)), usual_column(table.columns, (second,))
        if names[0] is not None and names[1] is not None:
            return names[0], names[1]
    alone = usual_column(table.columns, FIRST_TEXTS)
    mend = "name two with --text and --text-b" + (", or give a --query" if alone else "")
    raise BadInput("no two columns look like pairs of texts", where=table.path, mend=mend)


def _require_rows(table: TextTable, rows: np.ndarray) -> None:
    if not len(rows):
        raise BadInput("no row has texts", where=table.path, mend="give rows with texts in these columns")
