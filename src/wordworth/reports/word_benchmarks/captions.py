"""The sentences of the charts of a words record: which table is ahead, and on how many sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import exact, finite
from wordworth.reports.record_view import Row
from wordworth.reports.word_benchmarks.tables import POLICIES, Scores, View


def captions(record: Record) -> dict[str, Caption]:
    """Return the caption of every chart by the chart's name."""
    view = View.of(record)
    return {name: _caption(view, part) for name, part in view.charts.items()}


def _caption(view: View, part: Scores) -> Caption:
    title = _leader(view, part)
    if all(finite(row["score"]) is None for rows in part.values() for row in rows.values()):
        return Caption(title, absent="No set has a score; the doubts below say why.")
    return Caption(title, (f"Dots with 95 % intervals, over {POLICIES[view.policy]}.",))


def _leader(view: View, part: Scores) -> str:
    """Return who is ahead on how many sets; for a single table, its lowest and highest score."""
    known = {key: rows for key, rows in part.items() if all(row["score"] is not None for row in rows.values())}
    if not known:
        return "Nothing here could be scored"
    if len(view.labels) == 1:
        ranked = sorted((next(iter(rows.values())) for rows in known.values()), key=lambda row: float(row["score"]))
        low, high = (f"{exact(row['score'])} on {row['title']}" for row in (ranked[0], ranked[-1]))
        return f"From {low} to {high}" if len(ranked) > 1 else high
    of = "sets" if len({name for name, _ in known}) == len(known) else "rows"
    wins = Counter(winner for rows in known.values() if (winner := _winner(rows)))
    if not wins:
        return f"No table is ahead on any of {len(known)} {of}"
    leader, most = wins.most_common(1)[0]
    return f"{view.labels[leader]} scores highest on {most} of {len(known)} {of}"


def _winner(rows: Mapping[str, Row]) -> str:
    """Return the table with the highest score; empty if two have it."""
    first, second = sorted(rows, key=lambda name: -float(rows[name]["score"]))[:2]
    return "" if rows[first]["score"] == rows[second]["score"] else first
