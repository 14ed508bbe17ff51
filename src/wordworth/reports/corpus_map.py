"""The page of a `corpus_map` record: clusters of the texts of an index on a map, with their words and texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption, caption_of
from wordworth.reports.charts import lines, point_map
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import PLAIN, SERIES, SeriesStyle, key
from wordworth.reports.charts.point_map import MapLabel, MapPoint, PointMap
from wordworth.reports.charts.svg import Markup
from wordworth.reports.figure import PHONE, WIDE, Figure, drawn
from wordworth.reports.number_format import count, exact, share, tick, two_decimals
from wordworth.reports.page import KeyFigure, machine, render_page, settings, time_spent, verdict_header
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, CellMakers, Column, Grid, plain, row_table, value
from wordworth.sentence_formatting import count_of, percent, quoted, within

_SHOWN_VALUES = len(SERIES)
"""Most values of a column that are drawn and listed each by itself; the rest are taken together."""
_OTHERS = SeriesStyle(0, "disc-hole")
_MOST_NAMED = 15
"""Most clusters whose labels on the map have words; more would cover it."""
_NAMED, _LISTED, _LABEL = 3, 6, 22
"""Words of a cluster in its name and in the table, and characters of a label on the map."""
_TEXT_BYTES, _MAP_TEXT, _COLUMN_TEXT = 240, 500_000, 200_000
"""Most bytes of a text in a tooltip, and of all texts of the map and of the map of the column, as JSON."""
_EXAMPLE = 400
"""Characters of a text beside its cluster, above which it is folded."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text of a cluster, with its cosine to the centroid and, if the text is long, its beginning (else empty)."""

    beginning: str
    text: str
    cosine: str


@dataclass(frozen=True, slots=True)
class ClusterTexts:
    """A cluster on the page, with its marker, number, name, a phrase that gives its number of texts, and some texts."""

    key: Markup
    number: int
    name: str
    size: str
    central: tuple[Example, ...]
    outlying: tuple[Example, ...]


def captions(record: Record) -> Mapping[str, Caption]:
    """Return name of each chart of a map of a corpus -> its caption."""
    view = RecordView.of(record)
    by_chart = {"map": _map_caption(view), "agreement": _agreement_caption(view)}
    return by_chart | ({"column": _column_caption(view)} if view.findings("column") else {})


def _map_caption(view: RecordView) -> Caption:
    verdict, points = view.verdict, len(view.rows("points"))
    kept, k = percent(verdict["kept_neighbours"]), verdict["neighbours"]
    drawn_texts = f"{count_of(points, 'text')} of {view.data['rows']:,}" if points < view.data["rows"] else "All texts"
    kept_note = (
        f"{drawn_texts}. Of the {k} nearest texts of each, by their whole vectors, {kept} are among its {k} nearest "
        f"here; chance alone gives {percent(verdict['chance_neighbours'], 1)}."
    )
    reading = (
        "Near texts are alike; distances between far places, sizes and gaps mean nothing (t-SNE). A number stands in "
        "the middle of its cluster."
    )
    return Caption(f"The map keeps {kept} of each text's nearest texts near it", (kept_note, reading))


def _agreement_caption(view: RecordView) -> Caption:
    tried = view.rows("agreement")
    note = (
        "Adjusted Rand index of the clusters of two halves of the texts: 1 is full agreement, 0 is chance. Bands run "
        "from the least to the most."
    )
    if len(tried) == 1:
        return Caption("Only the given number was tried", (note,), "There is no curve of a single number.")
    best = max(tried, key=lambda row: row["mean"] - row["cloud"])
    title = f"Halves agree most beyond a single cloud about {best['clusters']} clusters"
    return Caption(title, (note,))


def _column_caption(view: RecordView) -> Caption:
    finding = view.findings("column")[0]
    name, information = quoted(finding["numbers"]["column"]), two_decimals(finding["numbers"]["information"])
    return Caption(f"Clusters and {name} share {information} of their information", (str(finding["text"]),))


def page(record: Record) -> str:
    """Return the page of a `corpus_map` record as one self-contained HTML document."""
    view = RecordView.of(record)
    column = _column_map(view)
    figures = [_map(view), _agreement(view), *([column] if column else [])]
    return render_page(
        "corpus_map.html.j2",
        view,
        verdict_header(view, f"Map of a corpus · {view.data['name']}", _tiles(view)),
        figures=figures,
        method=(settings(view), machine(view), time_spent(view, "part")),
        map=figures[0],
        agreement=figures[1],
        column=column,
        clusters=_cluster_table(view),
        spread=_spread_table(view) if column else None,
        legend=_legend(view) if column else (),
        texts=_texts(view),
    )


def _tiles(view: RecordView) -> list[KeyFigure]:
    verdict = view.verdict
    ends = f"{two_decimals(verdict['agreement_low'])} to {two_decimals(verdict['agreement_high'])}"
    return [
        KeyFigure("texts", count(verdict["texts"]), str(view.data["model"])),
        KeyFigure("agreement of halves", two_decimals(verdict["agreement"]), ends),
        KeyFigure("of a single cloud", two_decimals(verdict["cloud"]), "same mean and covariance"),
        KeyFigure("neighbours kept by the map", share(verdict["kept_neighbours"])),
    ]


def _style(cluster: int) -> SeriesStyle:
    """Return the style of a cluster; no two of the first 49 have the same colour and shape."""
    turn, position = divmod(cluster - 1, len(SERIES))
    return SeriesStyle(SERIES[position].slot, SERIES[(position + turn) % len(SERIES)].marker)


def _name(row: Row, most: int = _NAMED) -> str:
    """Return the first `most` keywords of a cluster as text, or a dash if it has no keywords."""
    return ", ".join(map(str, row["words"][:most])) or "–"


def _map(view: RecordView) -> Figure:
    rows, names = view.rows("points"), {row["cluster"]: _name(row) for row in view.rows("clusters")}
    most = min(_TEXT_BYTES, _MAP_TEXT // len(rows))
    points = [
        MapPoint(
            row["x"],
            row["y"],
            _style(row["cluster"]),
            f"{row['cluster']} · {names[row['cluster']]}",
            fitting(str(row["text"]), most),
        )
        for row in rows
    ]
    text = f"A map of {count_of(len(rows), 'text')}, a shape and colour for each cluster."
    return _point_figure(
        view, "map", points, text, wide=_labels(view, words=len(names) <= _MOST_NAMED), phone=_labels(view, words=False)
    )


def _labels(view: RecordView, *, words: bool) -> list[MapLabel]:
    """Return the labels of the clusters on the map: their numbers and, if `words` is True, their first keywords."""
    labels = []
    for row in view.rows("clusters"):
        if row["x"] is not None:
            text = f"{row['cluster']} {within(_name(row, 2), _LABEL)}" if words else str(row["cluster"])
            labels.append(MapLabel(row["x"], row["y"], _style(row["cluster"]), text))
    return labels


def _point_figure(
    view: RecordView,
    name: str,
    points: Sequence[MapPoint],
    text: str,
    *,
    wide: Sequence[MapLabel] = (),
    phone: Sequence[MapLabel] = (),
) -> Figure:
    pictures = tuple(
        point_map.draw(PointMap(points, labels), size, f"{name}-title")
        for labels, size in ((wide, Size("wide", WIDE, 520)), (phone, Size("phone", PHONE, 358)))
    )
    return captioned_figure(view, name, text, pictures)


def _values(view: RecordView) -> list[str]:
    """Return the values of the column that have a colour of their own, the most frequent first."""
    totals: dict[str, int] = {}
    for row in view.rows("spread"):
        totals[row["value"]] = totals.get(row["value"], 0) + row["texts"]
    return sorted(totals, key=lambda name: -totals[name])[:_SHOWN_VALUES]


def _value_styles(view: RecordView) -> dict[str, SeriesStyle]:
    """Return value -> style, for the values with a colour of their own.

    Styles are in the reverse order of the clusters' styles, so that values are not taken for clusters.
    """
    return dict(zip(_values(view), reversed(SERIES), strict=False))


def _legend(view: RecordView) -> list[tuple[Markup, str, str]]:
    """Return marker, name and number of texts of each value with a colour of its own, and of all others together."""
    totals: dict[str, int] = {}
    for row in view.rows("spread"):
        totals[row["value"]] = totals.get(row["value"], 0) + row["texts"]
    styles = _value_styles(view)
    lines = [(key(style), cell_text(name), f"({totals[name]:,})") for name, style in styles.items()]
    if len(totals) > len(styles):
        rest = sum(totals.values()) - sum(totals[name] for name in styles)
        lines.append((key(_OTHERS), f"{len(totals) - len(styles)} others", f"({rest:,})"))
    return lines


def _column_map(view: RecordView) -> Figure | None:
    """Return the map in the colours of the column; None without a column."""
    if not view.findings("column"):
        return None
    rows, styles = view.rows("points"), _value_styles(view)
    most = min(_TEXT_BYTES, _COLUMN_TEXT // len(rows))
    points = [
        MapPoint(
            row["x"],
            row["y"],
            styles.get(row["value"], _OTHERS),
            f"{within(cell_text(row['value']), 60)} · cluster {row['cluster']}",
            fitting(str(row["text"]), most),
        )
        for row in rows
    ]
    return _point_figure(view, "column", points, "The same map, a shape and colour for each value of the column.")


def _cluster_table(view: RecordView) -> Grid:
    cells: CellMakers = {
        Column("cluster", numeric=False): lambda row: Cell(
            str(row["cluster"]), row["cluster"], picture=key(_style(row["cluster"]))
        ),
        Column("words", numeric=False): lambda row: _name(row, _LISTED),
        "texts": value("texts", count),
        "share": lambda row: Cell(share(row["share"]), row["share"]),
        Column("mean cosine", note="of a text with the centroid of its cluster"): value("cosine", exact),
    }
    grid = row_table("Clusters by size, and the words that are theirs", cells, view.rows("clusters"))
    return Grid(grid.caption, grid.columns, grid.rows, sortable=True)


def _spread_table(view: RecordView) -> Grid:
    """Return the table of the share of each value of the column in each cluster; rarer values share a column."""
    values, counts = _values(view), dict[int, dict[str, int]]()
    for row in view.rows("spread"):
        counts.setdefault(row["cluster"], {})[row["value"]] = row["texts"]
    rarer = len({row["value"] for row in view.rows("spread")} - set(values))
    heads = [Column("cluster", numeric=False), Column("words", numeric=False)]
    heads += [Column(within(cell_text(name), 40)) for name in values]
    heads += [Column(f"{rarer} others")] if rarer else []
    rows = list[list[Cell | str]]()
    for row in view.rows("clusters"):
        own, texts = counts.get(row["cluster"], {}), row["texts"]
        shares = [own.get(name, 0) / texts for name in values]
        shares += [sum(number for name, number in own.items() if name not in values) / texts] if rarer else []
        rows.append([str(row["cluster"]), _name(row), *(Cell(share(each), each) for each in shares)])
    return plain(f"Values of {quoted(str(view.settings['colour']))} in each cluster", heads, rows)


def _texts(view: RecordView) -> list[ClusterTexts]:
    by_cluster: dict[tuple[int, str], list[Example]] = {}
    for row in view.rows("texts"):
        by_cluster.setdefault((row["cluster"], row["place"]), []).append(_example(row))
    return [
        ClusterTexts(
            key(_style(row["cluster"])),
            row["cluster"],
            _name(row, _LISTED),
            f"{count_of(row['texts'], 'text')}, {share(row['share'])} of all",
            tuple(by_cluster.get((row["cluster"], "central"), ())),
            tuple(by_cluster.get((row["cluster"], "outlying"), ())),
        )
        for row in view.rows("clusters")
    ]


def _example(row: Row) -> Example:
    text = str(row["text"])
    return Example(within(text, _EXAMPLE) if len(text) > _EXAMPLE else "", text, two_decimals(row["cosine"]))


def _agreement(view: RecordView) -> Figure:
    rows = view.rows("agreement")
    cells: CellMakers = {
        "clusters": value("clusters", count),
        "the texts": lambda row: Cell(exact(row["mean"]), row["mean"], f"{exact(row['low'])} to {exact(row['high'])}"),
        "single clouds": lambda row: Cell(
            exact(row["cloud"]), row["cloud"], f"{exact(row['cloud_low'])} to {exact(row['cloud_high'])}"
        ),
    }
    table = row_table("Agreement of two halves", cells, rows)
    if caption_of(view, "agreement").absent:
        return captioned_figure(view, "agreement", table=table)
    pictures = drawn(partial(lines.draw, _curves(rows)), "agreement", height=330)
    text = "Agreement of two halves by the number of clusters."
    return captioned_figure(view, "agreement", text, pictures, table)


def _curves(rows: Sequence[Row]) -> LineChart:
    texts = tuple(Point(row["clusters"], row["mean"], row["low"], row["high"]) for row in rows)
    clouds = tuple(Point(row["clusters"], row["cloud"], row["cloud_low"], row["cloud_high"]) for row in rows)
    numbers = [row["clusters"] for row in rows]
    return LineChart(
        [Line("the texts", SERIES[0], texts, strong=True), Line("a single cloud", PLAIN, clouds)],
        HorizontalAxis(
            "clusters (log)", min(numbers), max(numbers), numbers, "{:g}".format, "{:g} clusters".format, log=True
        ),
        "agreement of two halves",
        tick,
        lambda line, point: f"{line.name} {exact(point.value)}",
    )


def cell_text(cell: object) -> str:
    """Return a value of a column as text; for an empty value the text says that it is empty."""
    return str(cell) if str(cell).strip() else "(empty)"


def fitting(text: str, most: int) -> str:
    """Return a text, shortened until its JSON without the quotation marks has at most a given number of bytes.

    Args:
        text: the text.
        most: most bytes of the JSON.

    >>> fitting("one two three", 10), fitting("東京都", 13)
    ('one two th…', '東京…')
    """
    size = 0
    for position, letter in enumerate(text):
        size += len(json.dumps(letter)) - 2
        if size > most:
            return f"{text[:position]}…"
    return text
