"""The page of a `sentences` record: the mean score of every system, differences between systems, and scores by set."""

from __future__ import annotations

from collections.abc import Mapping

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, in_points, signed_points
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import corrected_level, points

_ALL, _WHOLE = "mean over sets", "all"
_STYLES = {
    "model": SeriesStyle(7, "circle"),
    "pooling": SeriesStyle(6, "circle"),
    "cut": SeriesStyle(6, "circle"),
    "control": SeriesStyle(1, "square"),
    "beside": SeriesStyle(2, "diamond"),
}
_HEADINGS = (("the model", ("model", "cut")), ("other poolings", ("pooling",)), ("controls", ("control", "beside")))


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `sentences` record -> its caption."""
    view = RecordView.of(record)
    by_chart = {"systems": _systems_caption(view), "differences": _differences_caption(view)}
    return by_chart | ({"concatenations": _concatenations_caption(view)} if _has_concatenations(view) else {})


def _systems_caption(view: RecordView) -> Caption:
    best, names = max(_means(view), key=lambda row: row["spearman"]), _names(view)
    title = f"{names.get(best['system'], best['system'])} is highest, {points(best['spearman'])}"
    note = "Dots with their 95 % intervals over pairs. The input layer and random weights are pooled by the mean."
    return Caption(title, (note,))


def _differences_caption(view: RecordView) -> Caption:
    rows = view.rows("comparisons")
    if not rows:
        return Caption("Differences", absent="There is no other system to compare with.")
    sure = sum(bool(row["sure"]) for row in rows)
    level = corrected_level(len(rows))
    note = f"Intervals of {level} over pairs, corrected for the number of differences: one that excludes 0 decides."
    if "corrected_low" not in rows[0]:  # the record of an older version
        note = "95 % intervals over pairs; doubt is judged at a level corrected for the number of differences."
    return Caption(f"{sure} of {count(len(rows))} differences are beyond doubt", (note,))


def _concatenations_caption(view: RecordView) -> Caption:
    best = max(view.rows("concatenations"), key=lambda row: row["accuracy"])
    return Caption(f"{best['concatenation']} is highest, {points(best['accuracy'])} %")


def page(record: Record) -> str:
    """Return the page of a `sentences` record as one self-contained HTML document."""
    view = RecordView.of(record)
    sets = _sets(view)
    heading = f"On {sets[0]}" if len(sets) == 1 else "Over all sets"
    groups = [(heading, [_systems(view), _differences(view)])]
    tables = [_by_set(view), *_by_subset(view)]
    if _has_concatenations(view):
        groups.append(("What a classifier of pairs reads", [_concatenations(view)]))
        tables.append(_by_concatenation(view))
    question = f"Sentence vectors · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, [*tables, sources(view)], question=question)


def _has_concatenations(view: RecordView) -> bool:
    return "concatenations" in view.plain["tables"]


def _whole(view: RecordView) -> list[Row]:
    """Return the rows of whole sets and of the mean over sets."""
    return [row for row in view.rows("scores") if row["subset"] == _WHOLE]


def _means(view: RecordView) -> list[Row]:
    """Return the rows of every system's mean over sets."""
    return [row for row in _whole(view) if row["set"] == _ALL]


def _sets(view: RecordView) -> list[str]:
    """Return the names of the sets, without the mean over them."""
    return [name for name in dict.fromkeys(str(row["set"]) for row in _whole(view)) if name != _ALL]


def _systems(view: RecordView) -> Figure:
    """Return the chart of every system's mean over sets."""
    rows, names = _means(view), _names(view)
    groups = tuple(
        (heading, tuple(_dot(row, names) for row in rows if row["role"] in roles))
        for heading, roles in _HEADINGS
        if any(row["role"] in roles for row in rows)
    )
    chart = DotChart(groups, "Spearman × 100", points)
    return captioned_figure(view, "systems", "Spearman's correlation by system.", dot_pictures(chart, "systems"))


def _dot(row: Row, names: Mapping[str, str]) -> DotRow:
    name = names.get(row["system"], row["system"])
    dots, described = interval_dots(row, ((_STYLES[row["role"]], name, "spearman", ""),), in_points)
    return DotRow(name, dots, described, strong=row["role"] == "model")


def _names(view: RecordView) -> Mapping[str, str]:
    """Return name of a system in the record -> its name on the page, for systems whose names differ."""
    cls = "first token (CLS)"
    pooling = view.data.get("pooling")  # which records of older versions lack
    own = f"own pooling ({cls if pooling == 'cls' else pooling})" if pooling else "own pooling"
    return {"own": own, "cls": cls}


def _differences(view: RecordView) -> Figure:
    """Return the chart of the paired differences."""
    rows = view.rows("comparisons")
    if not rows:
        return captioned_figure(view, "differences")
    axis = "difference of Spearman × 100, points"
    groups = (("", tuple(map(_difference, rows))),)
    chart = DotChart(groups, axis, signed_points, references=((0.0, "no difference"),))
    return captioned_figure(view, "differences", "Paired differences.", dot_pictures(chart, "differences"))


def _difference(row: Row) -> DotRow:
    name = f"{row['first']} − {row['second']}"
    prefix = "corrected_" if "corrected_low" in row else ""
    return DotRow(name, *interval_dots(row, ((_STYLES["model"], name, "difference", prefix),), signed_points))


def _concatenations(view: RecordView) -> Figure:
    """Return the chart of the accuracy of a linear classifier of labelled pairs, by concatenation of two vectors."""
    rows = tuple(map(_concatenation, view.rows("concatenations")))
    pictures = dot_pictures(DotChart((("", rows),), "accuracy, %", points), "concatenations")
    return captioned_figure(view, "concatenations", "Accuracy by concatenation.", pictures)


def _concatenation(row: Row) -> DotRow:
    name = str(row["concatenation"])
    return DotRow(name, *interval_dots(row, ((_STYLES["model"], name, "accuracy", ""),), in_points))


def _by_concatenation(view: RecordView) -> Grid:
    """Return the table of the concatenations, each compared with the concatenation u, v, |u − v|."""
    heads = (
        Column("read of two vectors", numeric=False),
        "numbers",
        "accuracy, %",
        Column("beside u, v, |u − v|", note="points, with the 95 % interval"),
        Column("beyond doubt", numeric=False),
    )
    cells = [
        (
            str(row["concatenation"]),
            Cell(count(row["numbers"]), row["numbers"]),
            with_interval(row, "accuracy", in_points),
            Cell("") if row["change"] is None else with_interval(row, "change", signed_points, prefix="change_"),
            "" if row["sure"] is None else "yes" if row["sure"] else "no",
        )
        for row in view.rows("concatenations")
    ]
    return plain("What a linear classifier of labelled pairs reads", heads, cells)


def _by_set(view: RecordView) -> Grid:
    """Return the table of every system by set."""
    rows = _whole(view)
    sets = _sets(view)
    names = [*sets, *[_ALL] * (len(sets) > 1)]
    heads: tuple[str | Column, ...] = (
        Column("system", numeric=False),
        *names,
        Column("Pearson", note="mean over sets" if _ALL in names else ""),
    )
    titles, cells = _names(view), list[tuple[str | Cell, ...]]()
    for system in dict.fromkeys(row["system"] for row in rows):
        own = {row["set"]: row for row in rows if row["system"] == system}
        scores = [with_interval(own[name], "spearman", in_points) for name in names]
        mean = own[_ALL]
        name, pearson = titles.get(system, system), with_interval(mean, "pearson", in_points, prefix="pearson_")
        cells.append((name, *scores, pearson))
    return plain("Spearman's correlation × 100 by set", heads, cells)


def _by_subset(view: RecordView) -> list[Grid]:
    """Return the table of the model's own score by subset, in a list that is empty if no set has subsets."""
    rows = [row for row in view.rows("scores") if row["subset"] != _WHOLE and row["role"] == "model"]
    heads = (Column("set", numeric=False), Column("subset", numeric=False), "pairs", "Spearman × 100", "Pearson × 100")
    cells = [
        (
            str(row["set"]),
            str(row["subset"]),
            Cell(count(row["pairs"]), row["pairs"]),
            with_interval(row, "spearman", in_points),
            with_interval(row, "pearson", in_points, prefix="pearson_"),
        )
        for row in rows
    ]
    return [plain("The model with its own pooling, by subset", heads, cells)] if rows else []
