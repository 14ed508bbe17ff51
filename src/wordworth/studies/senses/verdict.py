"""The verdict: how far every model tells senses apart, beside what needs no vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.studies.senses import scores
from wordworth.text_format import join_words, signed

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]


def verdict(tables: Tables) -> Finding:
    """How far senses are told apart: a line a set, with every model."""
    told = [
        row
        for row in tables["scores"]
        if row["system"] == scores.NEAREST and row["layer"] == scores.CHOSEN and row["of"] == scores.AMBIGUOUS
    ]
    pairs = [row for row in tables["pairs"] if row["chosen"]]
    lines = [_told(tables, rows) for rows in _by_set(told)] + [_paired(rows) for rows in _by_set(pairs)]
    numbers = {"headline": _headline(tables, [*_by_set(told), *_by_set(pairs)]), "tagged": told, "pairs": pairs}
    return Finding("verdict", "\n".join(lines), numbers)


def _by_set(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each set, a row a model."""
    return [[row for row in rows if row["data"] == data] for data in dict.fromkeys(row["data"] for row in rows)]


def _headline(tables: Tables, sets: Sequence[Sequence[Row]]) -> str:
    """Of the first set: how far each model is above what needs no vectors."""
    rows = sets[0]
    where = f" on {rows[0]['data']}" if len(sets) > 1 else ""
    ahead = [(str(row["model"]), *_ahead(tables, row)) for row in rows]
    what = f"{ahead[0][3]}{where}"
    above = [(name, f"{100 * gap:.1f}") for name, gap, low, _ in ahead if low > 0]
    rest = [name for name, _, low, _ in ahead if low <= 0]
    if len(rows) == 1:
        return f"{above[0][0]}: {above[0][1]} points above {what}." if above else f"Not above {what}."
    if not above:
        return f"Not above {what}: {join_words(rest)}."
    (first, points), *others = above
    more = "".join(f", {name} by {gap}" for name, gap in others)
    return f"Above {what}: {first} by {points} points{more}{f'; not {join_words(rest)}' * bool(rest)}."


def _ahead(tables: Tables, row: Row) -> tuple[float, float, str]:
    """How far a model is above what it is held against, the lower end of the interval, and what that is."""
    if "score" not in row:
        return row["test"] - row["chance"], row["low"] - row["chance"], "chance"
    if (lot := fooled(tables, row)) is not None:
        return row["score"] - lot, row["low"] - lot, "chance"
    return row["gap"], row["gap_low"], "frequency"


def _plain(tables: Tables, row: Row, system: str) -> float:
    """The score of what needs no vectors, on the words of a row."""
    asked = (system, row["data"], row["of"])
    return next(float(one["score"]) for one in tables["scores"] if (one["system"], one["data"], one["of"]) == asked)


def fooled(tables: Tables, row: Row) -> float | None:
    """The score of a sense by lot, where the most frequent one is right less often and so is nothing to beat.

    Of a word whose senses are equally frequent, the others always show more of every sense but the one left out.
    """
    usual, lot = _plain(tables, row, scores.FREQUENT), _plain(tables, row, scores.CHANCE)
    return lot if usual < lot else None


def _told(tables: Tables, rows: Sequence[Row]) -> str:
    data, lot = rows[0]["data"], fooled(tables, rows[0])
    if lot is None:
        usual, what = _plain(tables, rows[0], scores.FREQUENT), "the most frequent sense"
        ends = [f"{signed(row['gap_low'])} to {signed(row['gap_high'])} points" for row in rows]
    else:
        usual, what = lot, "a sense by lot"
        ends = [f"{percent(row['low'])} to {percent(row['high'])} %" for row in rows]
    models = ", ".join(
        f"of {row['model']} for {percent(row['score'])} % ({end}{_tied(row, by_lot=lot is not None)})"
        for row, end in zip(rows, ends, strict=True)
    )
    of = " of the difference" * (lot is None)
    return (
        f"On {data} {what} is right for {percent(usual)} % of the words that have a choice, the nearest sense centroid "
        f"{models}; 95 % intervals{of} in brackets."
    )


def _tied(row: Row, *, by_lot: bool) -> str:
    """That a model's vectors tell no sense from another, as a static table's; its score is then of what needs none."""
    instead = "a sense by lot" if by_lot else "the most frequent sense"
    return f"; all centroids are equally near, so it answers {instead}" if row["tied"] == 1 else ""


def _paired(rows: Sequence[Row]) -> str:
    models = ", ".join(
        f"{row['model']} for {percent(row['test'])} % ({percent(row['low'])} to {percent(row['high'])})" for row in rows
    )
    return (
        f"On {rows[0]['data']}, one sense or two, chance is right for {percent(rows[0]['chance'])} % of the pairs, "
        f"{models}."
    )


def percent(value: float) -> str:
    """A share as points of 100: `58.4`."""
    return f"{100 * value:.1f}"
