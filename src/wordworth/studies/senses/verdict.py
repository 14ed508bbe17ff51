"""The verdict: how well every model separates senses, against baselines that need no vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.studies.senses import scores
from wordworth.text_format import join_words, signed

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]


def verdict(tables: Tables) -> Finding:
    """Say how well senses are predicted: one line per set, with every model."""
    tagged = [
        row
        for row in tables["scores"]
        if row["system"] == scores.NEAREST and row["layer"] == scores.CHOSEN and row["of"] == scores.AMBIGUOUS
    ]
    pairs = [row for row in tables["pairs"] if row["chosen"]]
    lines = [_tagged_line(tables, rows) for rows in _by_set(tagged)] + [_pairs_line(rows) for rows in _by_set(pairs)]
    numbers = {"headline": _headline(tables, [*_by_set(tagged), *_by_set(pairs)]), "tagged": tagged, "pairs": pairs}
    return Finding("verdict", "\n".join(lines), numbers)


def _by_set(rows: Sequence[Row]) -> list[list[Row]]:
    """Group the rows by set; a group has one row per model."""
    return [[row for row in rows if row["data"] == data] for data in dict.fromkeys(row["data"] for row in rows)]


def _headline(tables: Tables, sets: Sequence[Sequence[Row]]) -> str:
    """Say how far each model is above its baseline on the first set."""
    rows = sets[0]
    where = f" on {rows[0]['data']}" if len(sets) > 1 else ""
    advantages = [(str(row["model"]), *_advantage(tables, row)) for row in rows]
    what = f"{advantages[0][3]}{where}"
    above = [(name, f"{100 * gap:.1f}") for name, gap, low, _ in advantages if low > 0]
    rest = [name for name, _, low, _ in advantages if low <= 0]
    if len(rows) == 1:
        return f"{above[0][0]}: {above[0][1]} points above {what}." if above else f"Not above {what}."
    if not above:
        return f"Not above {what}: {join_words(rest)}."
    (first, points), *others = above
    more = "".join(f", {name} by {gap}" for name, gap in others)
    return f"Above {what}: {first} by {points} points{more}{f'; not {join_words(rest)}' * bool(rest)}."


def _advantage(tables: Tables, row: Row) -> tuple[float, float, str]:
    """Return how far a model is above its baseline, the lower end of the interval, and the baseline's name."""
    if "score" not in row:
        return row["test"] - row["chance"], row["low"] - row["chance"], "chance"
    if (lot := fooled(tables, row)) is not None:
        return row["score"] - lot, row["low"] - lot, "chance"
    return row["gap"], row["gap_low"], "frequency"


def _baseline(tables: Tables, row: Row, system: str) -> float:
    """Return the score of a baseline on the words of a row."""
    key = (system, row["data"], row["of"])
    return next(float(score["score"]) for score in tables["scores"] if _key(score) == key)


def _key(row: Row) -> tuple[str, str, str]:
    return row["system"], row["data"], row["of"]


def fooled(tables: Tables, row: Row) -> float | None:
    """Return the score of a random sense where the most frequent sense scores lower still; else None.

    The most frequent sense is then no baseline. This happens where a word's senses are equally frequent: with one
    occurrence left out, the other senses always have more occurrences than the left-out one's.
    """
    usual, lot = _baseline(tables, row, scores.FREQUENT), _baseline(tables, row, scores.CHANCE)
    return lot if usual < lot else None


def _tagged_line(tables: Tables, rows: Sequence[Row]) -> str:
    data, lot = rows[0]["data"], fooled(tables, rows[0])
    if lot is None:
        usual, what = _baseline(tables, rows[0], scores.FREQUENT), "the most frequent sense"
        ends = [f"{signed(row['gap_low'])} to {signed(row['gap_high'])} points" for row in rows]
    else:
        usual, what = lot, "a random sense"
        ends = [f"{percent(row['low'])} to {percent(row['high'])} %" for row in rows]
    models = ", ".join(
        f"of {row['model']} for {percent(row['score'])} % ({end}{_tie_note(row, random=lot is not None)})"
        for row, end in zip(rows, ends, strict=True)
    )
    of = " of the difference" * (lot is None)
    return (
        f"On {data} {what} is right for {percent(usual)} % of the words with several senses, the nearest sense "
        f"centroid {models}; 95 % intervals{of} in brackets."
    )


def _tie_note(row: Row, *, random: bool) -> str:
    """Note that a model's vectors separate no senses, as for a static table; its score is then the baseline's."""
    instead = "a random sense" if random else "the most frequent sense"
    return f"; all centroids are equally near, so it answers {instead}" if row["tied"] == 1 else ""


def _pairs_line(rows: Sequence[Row]) -> str:
    models = ", ".join(
        f"{row['model']} for {percent(row['test'])} % ({percent(row['low'])} to {percent(row['high'])})" for row in rows
    )
    return (
        f"On {rows[0]['data']}, one sense or two, chance is right for {percent(rows[0]['chance'])} % of the pairs, "
        f"{models}."
    )


def percent(value: float) -> str:
    """Format a share in percent, such as `58.4`."""
    return f"{100 * value:.1f}"
