"""The section of a `relations` page on dependency probes: their attachment scores, and differences between probes."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined, published_dot
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import (
    ABSENT,
    count,
    finite,
    in_points,
    interval,
    points_tick,
    share,
    signed_points,
)
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import signed

_OWN, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(2, "triangle")
_OF_RANDOM = ", random weights"


def probe_captions(view: RecordView) -> dict[str, Caption]:
    """Return name of each chart of dependency probes -> its caption; empty for a record without probes."""
    if not (systems := view.rows("probes")):
        return {}
    differences = view.rows("probe_differences")
    return {"probes": _systems_caption(systems), "probe-differences": _differences_caption(differences)}


def _systems_caption(rows: list[Row]) -> Caption:
    best = _of_model(rows)[0]
    notes = (
        "Dots with 95 % intervals over documents, on the half that trained no probe; punctuation left out.",
        "Published shares are BERT-base's, on other text and other trees: their order compares, their size does not.",
    )
    return Caption(f"The best probe, {best['system']}, finds {share(best['uas'])} of the syntactic heads", notes)


def _differences_caption(rows: list[Row]) -> Caption:
    number = sum(row["ahead"] for row in rows)
    title = f"{number} of {len(rows)} differences between probes and their controls are surely above 0"
    note = "The first less the second, on the same words. Bold: above 0 at a level corrected for their number."
    return Caption(title, (note,))


def probe_figures(view: RecordView) -> list[Figure]:
    """Return the figures of the dependency probes' scores and their differences; empty for a record without probes."""
    return [_systems(view), _differences(view)] if view.rows("probes") else []


def _of_model(rows: list[Row]) -> list[Row]:
    """Return the rows of the probes and baselines that are not on random weights, the best first."""
    return [row for row in rows if not _is_random(str(row["system"]))]


def _systems(view: RecordView) -> Figure:
    rows = view.rows("probes")
    random = {str(row["system"]).removesuffix(_OF_RANDOM): row for row in rows if _is_random(str(row["system"]))}
    chart_rows = tuple(_system(row, random.get(str(row["system"]))) for row in _of_model(rows))
    chart = DotChart((("", chart_rows),), "share of words whose head is found", share, include=(0.0,), legend=True)
    pictures = dot_pictures(chart, "probes")
    return captioned_figure(view, "probes", "Share of heads by probe.", pictures, _systems_table(rows))


def _is_random(system: str) -> bool:
    return system.endswith(_OF_RANDOM)


def _system(row: Row, random: Row | None) -> DotRow:
    pairs = [interval_dots(row, ((_OWN, "this model", "uas", ""),), share), published_dot(row, share)]
    if random is not None:
        pairs.insert(1, interval_dots(random, ((_RANDOM, "random weights", "uas", ""),), share))
    name = str(row["system"])
    return DotRow(_brief(name), *joined(pairs), title=name, overlaid=True)


def _brief(name: str) -> str:
    """Return a name that fits in one line on a phone."""
    return name.replace(" and ", " + ")


def _systems_table(rows: list[Row]) -> Grid:
    heads = (
        "system",
        Column("heads found, %", note="of all words but punctuation, with its 95 % interval"),
        Column("published", note="for BERT-base"),
        Column("another seed", note="of the training, less the first, in points"),
        Column("weights", note="of the probe"),
    )
    return plain("Probes and baselines, the best first", heads, [_system_cells(row) for row in rows])


def _system_cells(row: Row) -> tuple[str | Cell, ...]:
    weights = row["parameters"]
    return (
        str(row["system"]),
        with_interval(row, "uas", in_points),
        Cell(in_points(row["published"]), row["published"]),
        _gap(row, "again", "again_"),
        Cell(ABSENT if weights is None else count(weights), weights),
    )


def _differences(view: RecordView) -> Figure:
    rows = view.rows("probe_differences")
    groups = tuple(
        (f"{first} less …", tuple(_difference(row) for row in rows if row["first"] == first))
        for first in dict.fromkeys(row["first"] for row in rows)
    )
    chart = DotChart(groups, "points of 100", points_tick, include=(0.0,), legend=True)
    pictures = dot_pictures(chart, "probe-differences")
    return captioned_figure(
        view, "probe-differences", "Differences of shares of heads.", pictures, _differences_table(rows)
    )


def _difference(row: Row) -> DotRow:
    own = interval_dots(row, ((_OWN, "this model", "difference", ""),), signed_points)
    dots, described = joined([own, published_dot(row, signed_points)])
    second, title = str(row["second"]), f"{row['first']} less {row['second']}"
    name = "random weights" if _is_random(second) else _brief(second)
    return DotRow(name, dots, described, title=title, strong=bool(row["ahead"]), overlaid=True)


def _differences_table(rows: list[Row]) -> Grid:
    heads = ("first", Column("second", numeric=False), "difference, points", Column("published", note="for BERT-base"))
    cells = [
        (
            str(row["first"]),
            str(row["second"]),
            _gap(row, "difference", ""),
            Cell(signed_points(row["published"]) or ABSENT),
        )
        for row in rows
    ]
    return plain("Differences, the first less the second", heads, cells)


def _gap(row: Row, column: str, prefix: str) -> Cell:
    if (value := finite(row[column])) is None:
        return Cell(ABSENT)
    return Cell(signed(value), value, detail=interval(row[f"{prefix}low"], row[f"{prefix}high"], signed_points))
