"""The page of a `words` record: the best static table, scores by benchmark, coverage, warnings, and the method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption, caption_of
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.dots_from_rows import dot_pictures
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import exact, finite, interval, tick
from wordworth.reports.page import KeyFigure, ReportHeader, machine, render_page, settings, time_spent
from wordworth.reports.record_view import Row
from wordworth.reports.word_benchmarks.tables import (
    POLICIES,
    Scores,
    View,
    coverage,
    decisive_gaps,
    files,
    gaps,
    means,
    misjudged,
    scores,
)
from wordworth.sentence_formatting import join_words

_TITLES = {
    "similarity": "Similarity of word pairs",
    "analogy": "Analogies",
    "category": "Categories, {metric}",
    "relation": "Relations",
}
_AXES = {"similarity": "Spearman’s correlation with people’s ratings"}
_OTHER = "share right, purity, or Spearman’s correlation"


def page(record: Record) -> str:
    """Return the page of a `words` record as one self-contained HTML document."""
    view = View.of(record)
    figures = [_figure(view, name, part) for name, part in view.charts.items()]
    return render_page(
        "words.html.j2",
        view,
        _header(view),
        figures=figures,
        method=(settings(view), files(view), machine(view), time_spent(view, "set")),
        charts=figures,
        counted=coverage(view),
        leads=decisive_gaps(view),
        gaps=gaps(view),
        means=means(view),
        misjudged=misjudged(view),
    )


def _header(view: View) -> ReportHeader:
    """Return the header of the page: the question, the leading table, and a key figure for each of several tables."""
    numbers = view.verdict
    headline, rows = str(numbers["headline"]), numbers.get("scores", ())
    tiles = [KeyFigure(view.labels[r["model"]], exact(r["score"]), interval(r["low"], r["high"])) for r in rows]
    return ReportHeader(
        question=f"Word benchmarks · {join_words(list(view.labels.values()))}",
        headline=headline,
        sentences=(str(numbers.get("over") or view.sentences("verdict")[0]),),
        key_figures=tuple(tiles) if len(tiles) > 1 else (),
        title=f"{headline} · word benchmarks",
    )


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `words` record -> its caption."""
    view = View.of(record)
    return {name: _caption(view, part) for name, part in view.charts.items()}


def _caption(view: View, part: Scores) -> Caption:
    title = _leader(view, part)
    if all(finite(row["score"]) is None for rows in part.values() for row in rows.values()):
        return Caption(title, absent="No set has a score; the doubts below say why.")
    return Caption(title, (f"Dots with 95 % intervals, over {POLICIES[view.policy]}.",))


def _leader(view: View, part: Scores) -> str:
    """Return in words which table is ahead on how many benchmarks; for a single table, its lowest and highest score."""
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
    """Return the name of the static table with the highest score; empty if two tables share it."""
    first, second = sorted(rows, key=lambda name: -float(rows[name]["score"]))[:2]
    return "" if rows[first]["score"] == rows[second]["score"] else first


def _figure(view: View, name: str, part: Scores) -> Figure:
    caption, table = caption_of(view, name), scores(view, part)
    if caption.absent:
        return captioned_figure(view, name, table=table)
    chart = DotChart(_groups(view, name, part), _AXES.get(name, _OTHER), tick, legend=True)
    pictures = dot_pictures(chart, name)
    return captioned_figure(view, name, pictures=pictures, table=table, details=" ".join(caption.notes))


def _groups(view: View, name: str, part: Scores) -> tuple[tuple[str, tuple[DotRow, ...]], ...]:
    groups: dict[str, list[DotRow]] = {}
    mean = [row for row in view.rows("means") if row["policy"] == view.policy]
    if name == "similarity" and mean and int(mean[0]["sets"]) > 1:
        rows = {str(row["model"]): row for row in mean}
        title = f"mean of {mean[0]['sets']} sets"
        groups[_TITLES[name]] = [_row(view, rows, title, title.removesuffix(" sets"), strong=True)]
    for (_, metric), rows_by_table in part.items():
        row = next(iter(rows_by_table.values()))
        absent = f"{row['items']:,} of {row['of']:,}: not scored"
        new = _row(view, rows_by_table, str(row["title"]), str(row["set"]), absent=absent)
        groups.setdefault(_TITLES[str(row["kind"])].format(metric=metric), []).append(new)
    return tuple((title, tuple(rows)) for title, rows in groups.items())


def _row(
    view: View, rows: Mapping[str, Row], name: str, short: str, *, strong: bool = False, absent: str = ""
) -> DotRow:
    dots = tuple(
        Dot(
            style=view.styles[table],
            value=finite(row["score"]),
            low=finite(row["low"]),
            high=finite(row["high"]),
            name=view.labels[table],
        )
        for table, row in rows.items()
    )
    described = tuple((dot.style, _dot_in_words(dot)) for dot in dots)
    return DotRow(name, dots, described, short=short, strong=strong, absent=absent)


def _dot_in_words(dot: Dot) -> str:
    if dot.value is None:
        return f"{dot.name}: not scored"
    return f"{dot.name} {exact(dot.value)} ({interval(dot.low, dot.high)})"
