"""The tables of a `similarity` page: the words with the largest shares of the cosines, and the pairs of texts."""

from __future__ import annotations

from wordworth.reports.number_format import count, exact, finite, interval, two_decimals
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import within

_KINDS = ("same_words", "different_words", "special_tokens")
_MOST_PAIRS = 100
_LONGEST = 60


def word_shares(view: RecordView) -> Grid | None:
    """Return the table of words with the largest shares of the cosines.

    Only a study of the pairs of texts in the rows of a table has such words; for other studies the result is None.
    """
    listed = view.rows("word_shares")
    beside_random = any("gap" in row for row in listed)  # records of before have none
    cells: list[tuple[Cell | str, ...]] = [
        (
            str(row["word"]),
            Cell(count(row["pairs"]), row["pairs"]),
            with_interval(row, "share", prefix="share_"),
            Cell(two_decimals(row["ratio"]), row["ratio"], detail=interval(row["ratio_low"], row["ratio_high"])),
            *([with_interval(row, "gap", prefix="gap_")] if beside_random else []),
        )
        for row in listed
    ]
    heads: tuple[str | Column, ...] = (
        "word",
        Column("pairs", note="pairs with this word, of the half that is measured"),
        Column("share of all cosines"),
        Column("beside average tokens", note="its part, divided by that of as many average tokens in the same texts"),
    )
    if beside_random:
        note = "its part of a pair's cosine, less that of a random pair's, in the mean over pairs"
        heads = (*heads, Column("more than in random pairs", note=note))
    return plain("Words with the largest shares, with 95 % intervals", heads, cells) if cells else None


def pairs(view: RecordView) -> Grid | None:
    """Return the table of the pairs of texts: cosine, and what each kind of word pair contributes to it.

    The result is None for a record of a single pair.
    """
    rows = view.rows("pairs")
    if len(rows) < 2:  # noqa: PLR2004 - a table of one row
        return None
    cells: list[tuple[Cell | str, ...]] = [
        (
            str(row["pair"]),
            Cell(within(str(row["first"]), _LONGEST)),
            Cell(within(str(row["second"]), _LONGEST)),
            *(Cell(exact(row[name]), finite(row[name])) for name in ("cosine", *_KINDS)),
        )
        for row in rows[:_MOST_PAIRS]
    ]
    heads = ("pair", "first text", "second text", "cosine", *(name.replace("_", " ") for name in _KINDS))
    caption = "Pairs" if len(rows) <= _MOST_PAIRS else f"The first {_MOST_PAIRS} of {len(rows):,} pairs"
    return plain(caption, heads, cells, words=("first text", "second text"))
