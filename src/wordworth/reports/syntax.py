"""The page of a `syntax` record: structural probes by layer and rank, attention probe, parser, drawings of trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import lines
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots, joined, published_dot
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.layer_figure import layer_figure
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
from wordworth.reports.syntax_parser_section import parser_captions, parser_figures
from wordworth.reports.syntax_trees_section import tree_captions, tree_figures
from wordworth.reports.syntax_word_pairs_section import pair_captions, pair_figures
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import decimal

_OWN, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(2, "triangle")
_KINDS = {"distance": ("edges found (UUAS), %", "edges"), "depth": ("roots found, %", "roots")}
_CORRELATIONS = {"distance": "rank correlation of distances", "depth": "rank correlation of depths"}


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `syntax` record -> its caption."""
    view = RecordView.of(record)
    return {
        **{f"{kind}-layers": _layers_caption(view, kind) for kind in _KINDS},
        "controls": _controls_caption(view),
        "ranks": _ranks_caption(view),
        **pair_captions(view),
        **parser_captions(view),
        **tree_captions(view),
    }


def _layers_caption(view: RecordView, kind: str) -> Caption:
    best, chain = _chosen(view, kind), _rows(view, kind, "linear chain")[0]
    of_best, of_chain = share(best["share"]), share(chain["share"])
    notes = (
        f"Probes of rank {best['rank']}; bands are 95 % intervals over documents, dotted the linear chain.",
        "The layer is chosen by its loss on sentences that do not measure it.",
    )
    _, what = _KINDS[kind]
    return Caption(f"Layer {best['layer']} was chosen: {of_best} of the {what}, a linear chain {of_chain}", notes)


def _controls_caption(view: RecordView) -> Caption:
    shares = _compared_shares(view)
    number = sum(row["ahead"] for row in shares)
    notes = (
        "Bold: above 0 at a level corrected for all differences. Another seed is what chance alone does.",
        "Control trees: only the form of words decides them, so that a probe can but memorise (selectivity).",
        "Their root is the first word, which takes no memory: of roots they are no control.",
    )
    return Caption(f"The best layer is surely ahead in {number} of {len(shares)} comparisons", notes)


def _ranks_caption(view: RecordView) -> Caption:
    highest = _by_rank(view, "depth")[-1]["rank"]
    shares = [_ends_and_most(_by_rank(view, kind), what) for kind, (_, what) in _KINDS.items()]
    return Caption(f"By rank, from 1 to {highest}: {' and '.join(shares)}")


def _ends_and_most(rows: list[Row], what: str) -> str:
    """Return the shares found at the least and at the highest rank, and at a rank between them if it finds most."""
    first, last, best = rows[0], rows[-1], max(rows, key=lambda row: row["share"])
    most = "" if best in (first, last) else f" (most at rank {best['rank']}, {share(best['share'])})"
    return f"{share(first['share'])} to {share(last['share'])} of the {what}{most}"


def page(record: Record) -> str:
    """Return the page of a `syntax` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [
        ("By layer", [_layers(view, kind) for kind in _KINDS]),
        ("Beside controls", [_controls(view), _ranks(view)]),
    ]
    if pairs := pair_figures(view):
        groups.append(("Attention and relations", pairs))
    if parsers := parser_figures(view):
        groups.append(("A parser", parsers))
    if trees := tree_figures(view):
        groups.append(("Trees in the plane", trees))
    question = f"Trees in vectors and attention · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, question=question)


def _rows(view: RecordView, kind: str, source: str) -> list[Row]:
    """Return the rows of the table `probes` for one kind of probe on one source of vectors."""
    return [row for row in view.rows("probes") if (row["probe"], row["source"]) == (kind, source)]


def _chosen(view: RecordView, kind: str) -> Row:
    return next(row for row in _rows(view, kind, "model") if row["chosen"])


def _by_rank(view: RecordView, kind: str) -> list[Row]:
    """Return the rows of a model's probes of one kind at the chosen layer, by rank."""
    layer = _chosen(view, kind)["layer"]
    return sorted(
        (row for row in _rows(view, kind, "model") if row["layer"] == layer),
        key=lambda row: row["rank"],
    )


def _layers(view: RecordView, kind: str) -> Figure:
    """Return the chart by layer for the model and for random weights, with the linear chain as a dotted line."""
    name, (axis, _) = f"{kind}-layers", _KINDS[kind]
    rank, chain = _chosen(view, kind)["rank"], _rows(view, kind, "linear chain")[0]
    own = [row for row in _rows(view, kind, "model") if row["rank"] == rank]
    depth = int(view.data["layers"])
    curves = [
        _curve(str(view.data["model"]), own, _OWN, depth, chain["share"]),
        _curve("random weights", _rows(view, kind, "random weights"), _RANDOM, depth, None),
    ]
    data = CurvesByLayer(curves, axis, in_points, points_tick)
    table = _probe_table([row for row in view.rows("probes") if row["probe"] == kind])
    return layer_figure(view, name, data, table, description=f"{axis} by layer.")


def _curve(name: str, rows: Sequence[Row], style: SeriesStyle, depth: int, null: float | None) -> Curve:
    levels = tuple(LayerValue(row["layer"], row["share"], row["share_low"], row["share_high"], null) for row in rows)
    return Curve(name, depth, levels, style)


def _ranks(view: RecordView) -> Figure:
    """Return the chart of the shares of edges and roots found at the best layer, by rank of the probe."""
    curves = []
    for (kind, (_, what)), style in zip(_KINDS.items(), (_OWN, SeriesStyle(4, "triangle")), strict=True):
        own = _by_rank(view, kind)
        values = tuple(Point(row["rank"], row["share"], row["share_low"], row["share_high"]) for row in own)
        curves.append(Line(what, style, values, strong=True))
    ranks = [row["rank"] for row in own]
    ticks = [rank for index, rank in enumerate(ranks) if index % 2 == 0]
    axis = HorizontalAxis("rank of the probe", ranks[0], ranks[-1], ticks, count, "rank {:.0f}".format, log=True)
    chart = LineChart(
        curves, axis, "found, %", points_tick, lambda line, point: f"{line.name} {in_points(point.value)}"
    )
    pictures = drawn(partial(lines.draw, chart), "ranks", height=300)
    return captioned_figure(view, "ranks", "Shares by rank of the probe.", pictures)


def _compared_shares(view: RecordView) -> list[Row]:
    """Return the rows of the table `differences` that compare shares of edges or roots, not correlations."""
    return [row for row in view.rows("differences") if row["measure"] == "share"]


def _controls(view: RecordView) -> Figure:
    shares = _compared_shares(view)
    groups = tuple(
        (f"{what}: the best layer less …", tuple(_control(row) for row in shares if row["probe"] == kind))
        for kind, (_, what) in _KINDS.items()
    )
    chart = DotChart(groups, "points of 100", points_tick, include=(0.0,), legend=True)
    pictures = dot_pictures(chart, "controls")
    table = _control_table(view.rows("differences"))
    return captioned_figure(view, "controls", "Differences.", pictures, table)


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
