"""What the page of a `similarity` record and its captions both read: kinds of word pairs, words, and pairs of texts."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.record_view import RecordView, Row

_MOST_DRAWN = 20
MOST_UNITS = 24
"""Most words of a text whose map is drawn: more squares would be too small to see."""
TOTAL = "cosine"
"""Name of the row for all word pairs together, whose parts add up to the cosine."""


def largest_parts(view: RecordView) -> list[Row]:
    """Return the rows of the words of a query that give most to the nearest texts, from the largest."""
    return sorted(view.rows("query_words"), key=lambda row: -row["mean"])[:_MOST_DRAWN]


@dataclass(frozen=True, slots=True)
class TextPair:
    """A pair of texts as its row of the table `pairs`, with the rows of its words and of its cells."""

    row: Row
    words: list[Row]
    cells: list[Row]

    @property
    def chart(self) -> str:
        """The name of the pair's chart."""
        return f"pair-{self.row['pair']}"

    @property
    def sides(self) -> list[list[Row]]:
        """Two lists: the rows of the first text's words, and the rows of the second text's words."""
        return [[word for word in self.words if word["text"] == text] for text in (1, 2)]


def pairs_with_words(view: RecordView) -> list[TextPair]:
    """Return the pairs of texts whose words the record has; none if it was kept without its texts."""
    words, cells = _by_pair(view, "words"), _by_pair(view, "cells")
    return [
        TextPair(row, words[row["pair"]], cells.get(row["pair"], []))
        for row in view.rows("pairs")
        if row["pair"] in words
    ]


def _by_pair(view: RecordView, table: str) -> dict[int, list[Row]]:
    rows: dict[int, list[Row]] = {}
    for row in view.rows(table):
        rows.setdefault(row["pair"], []).append(row)
    return rows


def with_random_weights(view: RecordView) -> list[tuple[Row, Row]]:
    """Return the row of each kind of word pair for the model, and its row for the model with random weights."""
    untrained = {row["kind"]: row for row in view.rows("random_weights")}
    return [(row, untrained[row["kind"]]) for row in view.rows("kinds") if row["kind"] in untrained]
