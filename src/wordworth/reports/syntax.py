"""The page of a `syntax` record: structural probes by layer and rank, attention probe, parser, drawings of trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from wordworth.records import Record
from wordworth.reports.charts import lines, measure_by_layer
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined, published_dot
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import (
    ABSENT,
    count,
    exact,
    finite,
    in_points,
    interval,
    points_tick,
    share,
    signed_points,
)
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.syntax_parser_section import parser_figures
from wordworth.reports.syntax_trees_section import tree_figures
from wordworth.reports.syntax_word_pairs_section import pair_figures
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import decimal

_OWN, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(2, "triangle")
_KINDS = {"distance": ("edges found (UUAS), %", "edges"), "depth": ("roots found, %", "roots")}
_CORRELATIONS = {"distance": "rank correlation of distances", "depth": "rank correlation of depths"}


def page(record: Record) -> str:
    """Return the page of a `syntax` record as one self-contained HTML document."""
    view = RecordView.of(record)
    rows = view.rows("probes")
    groups = [
        ("By layer", [_by_layer(view, kind) for kind in _KINDS]),
        ("Beside controls", [_controls(view), _by_rank(rows)]),
    ]
    if pairs := pair_figures(view):
        groups.append(("Attention and relations", pairs))
    if parsers := parser_figures(view):
        groups.append(("A parser", parsers))
    if trees := tree_figures(view):
        groups.append(("Trees in the plane", trees))
    question = f"Trees in vectors and attention · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, question=question)


def _rows(rows: Sequence[Row], kind: str, source: str) -> list[Row]:
    return [row for row in rows if (row["probe"], row["source"]) == (kind, source)]


def _by_layer(view: RecordView, kind: str) -> Figure:
    """Return the chart by layer for the model and for random weights, with the linear chain as a dotted line."""
    rows = view.rows("probes")
    own = _rows(rows, kind, "model")
    best = next(row for row in own if row["chosen"])
    own = [row for row in own if row["rank"] == best["rank"]]
    chain, *_ = _rows(rows, kind, "linear chain")
    depth = int(view.data["layers"])
    curves = [
        _curve(str(view.data["model"]), own, _OWN, depth, chain["share"]),
        _curve("random weights", _rows(rows, kind, "random weights"), _RANDOM, depth, None),
    ]
    axis, what = _KINDS[kind]
    of_best, of_chain = share(best["share"]), share(chain["share"])
    title = f"Layer {best['layer']} was chosen: {of_best} of the {what}, a linear chain {of_chain}"
    pictures = drawn(
        partial(measure_by_layer.draw, CurvesByLayer(curves, axis, in_points, points_tick)),
        f"{kind}-layers",
        height=300,
    )
    notes = (
        f"Probes of rank {best['rank']}; bands are 95 % intervals over documents, dotted the linear chain.",
        "The layer is chosen by its loss on sentences that do not measure it.",
    )
    table = _probe_table([row for row in rows if row["probe"] == kind])
    return Figure(f"{kind}-layers", title, f"{axis} by layer. {title}.", pictures, table, notes)


def _curve(name: str, rows: Sequence[Row], style: SeriesStyle, depth: int, null: float | None) -> Curve:
    levels = tuple(LayerValue(row["layer"], row["share"], row["share_low"], row["share_high"], null) for row in rows)
    return Curve(name, depth, levels, style)


def _by_rank(rows: list[Row]) -> Figure:
    """Return the chart of the shares of edges and roots found at the best layer, by rank of the probe."""
    curves, titles = [], []
    for (kind, (_, what)), style in zip(_KINDS.items(), (_OWN, SeriesStyle(4, "triangle")), strict=True):
        own = _rows(rows, kind, "model")
        layer = next(row["layer"] for row in own if row["chosen"])
        own = sorted((row for row in own if row["layer"] == layer), key=lambda row: row["rank"])
        values = tuple(Point(row["rank"], row["share"], row["share_low"], row["share_high"]) for row in own)
        curves.append(Line(what, style, values, strong=True))
        best = max(own, key=lambda row: row["share"])
        most = "" if best in (own[0], own[-1]) else f" (most at rank {best['rank']}, {share(best['share'])})"
        titles.append(f"{share(own[0]['share'])} to {share(own[-1]['share'])} of the {what}{most}")
    ranks = [row["rank"] for row in own]
    ticks = [rank for index, rank in enumerate(ranks) if index % 2 == 0]
    axis = HorizontalAxis("rank of the probe", ranks[0], ranks[-1], ticks, count, "rank {:.0f}".format, log=True)
    chart = LineChart(
        curves, axis, "found, %", points_tick, lambda line, point: f"{line.name} {in_points(point.value)}"
    )
    title = f"By rank, from 1 to {ranks[-1]}: {' and '.join(titles)}"
    pictures = drawn(partial(lines.draw, chart), "ranks", height=300)
    return Figure("ranks", title, f"Shares by rank of the probe. {title}.", pictures)


def _controls(view: RecordView) -> Figure:
    rows = view.rows("differences")
    shares = [row for row in rows if row["measure"] == "share"]
    number = sum(row["ahead"] for row in shares)
    title = f"The best layer is surely ahead in {number} of {len(shares)} comparisons"
    groups = tuple(
        (f"{what}: the best layer less …", tuple(_control(row) for row in shares if row["probe"] == kind))
        for kind, (_, what) in _KINDS.items()
    )
    chart = DotChart(groups, "points of 100", points_tick, include=(0.0,), legend=True)
    pictures = dot_pictures(chart, "controls")
    notes = (
        "Bold: above 0 at a level corrected for all differences. Another seed is what chance alone does.",
        "Control trees: only the form of words decides them, so that a probe can but memorise (selectivity).",
        "Their root is the first word, which takes no memory: of roots they are no control.",
    )
    return Figure("controls", title, f"Differences. {title}.", pictures, _control_table(rows), notes)


def _control(row: Row) -> DotRow:
    pairs = [interval_dots(row, ((_OWN, "this model", "gap", ""),), signed_points), published_dot(row, signed_points)]
    return DotRow(str(row["other"]), *joined(pairs), strong=bool(row["ahead"]), overlaid=True)


def _control_table(rows: list[Row]) -> Grid:
    heads = ("measure", Column("other", numeric=False), "difference", Column("published", note="for BERT-base"))
    cells = [_control_cells(row) for row in rows]
    return plain("The best layer less its controls; shares in points of 100", heads, cells)


def _control_cells(row: Row) -> tuple[str | Cell, ...]:
    kind = str(row["probe"])
    ends = interval(row["low"], row["high"], lambda end: _difference(row, end))
    return (
        _KINDS[kind][1] if row["measure"] == "share" else _CORRELATIONS[kind],
        str(row["other"]),
        Cell(_difference(row, row["gap"]), row["gap"], detail=ends),
        _difference(row, row["published"]),
    )


def _difference(row: Row, value: object) -> str:
    """Format a difference: in points if the row's measure is a share, unchanged if it is a correlation."""
    if (number := finite(value)) is None:
        return ABSENT
    return signed_points(number) if row["measure"] == "share" else f"{'+' if number > 0 else ''}{decimal(number)}"


def _probe_table(rows: list[Row]) -> Grid:
    heads = (
        Column("probe of", numeric=False),
        "layer",
        "rank",
        Column("found, %", note="edges (UUAS) or roots, with the 95 % interval"),
        Column("correlation", note="Spearman's of distances (DSpr) or depths (NSpr)"),
        Column("held-out loss", note="in edges"),
        Column("published", note="found and correlation, for BERT-base"),
    )
    return plain("Every probe", heads, [_probe_cells(row) for row in rows])


def _probe_cells(row: Row) -> tuple[str | Cell, ...]:
    published = ABSENT
    if finite(row["published_share"]) is not None:
        published = f"{in_points(row['published_share'])}, {exact(row['published_correlation'])}"
    return (
        f"{row['source']}{', chosen' if row['chosen'] else ''}",
        Cell(ABSENT if row["layer"] is None else str(row["layer"]), row["layer"]),
        Cell(str(row["rank"]) if row["rank"] else ABSENT, row["rank"]),
        with_interval(row, "share", in_points, prefix="share_"),
        with_interval(row, "correlation", prefix="correlation_"),
        Cell(exact(row["loss"]), row["loss"]),
        published,
    )
