"""The page of a `heads` record: pruning curves, the importance of each head, and smaller models by speed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts import heat_map
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.axes import nice_ticks, padded
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.heat_map import HeatCell
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.heads.record_view import ABLATIONS
from wordworth.reports.number_format import count, interval, signed_points
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.speed_cells import speedup
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval
from wordworth.sentence_formatting import points, signed

_IMPORTANCE, _POSITION, _GATES, _ALONE, _RANDOM, _REVERSE = (
    SeriesStyle(6, "circle"),
    SeriesStyle(3, "diamond"),
    SeriesStyle(4, "cross"),
    SeriesStyle(5, "down"),
    SeriesStyle(1, "square"),
    SeriesStyle(7, "triangle"),
)
_LOSS, _GAIN = SeriesStyle(7, "circle"), SeriesStyle(6, "circle")
_ORDERS = (
    ("importance", "least important first", _IMPORTANCE),
    ("by position", "the same by position", _POSITION),
    ("gates", "by learned gates", _GATES),
    ("by ablation", "by what each alone costs", _ALONE),
    ("reverse", "most important first", _REVERSE),
)
_LAYER_DOTS = (
    (_REVERSE, "no head, by zero", "zero", "zero_"),
    (SeriesStyle(4, "square"), "no head, by their mean", "mean", "mean_"),
    (SeriesStyle(5, "diamond"), "uniform attention", "uniform", "uniform_"),
    (_IMPORTANCE, "one head kept", "kept_one", "kept_one_"),
)


def page(record: Record) -> str:
    """Return the page of a `heads` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [
        ("What can go", [_curves(view), _frontier(view)]),
        ("Heads and layers", [_heads(view), _layers(view)]),
    ]
    question = f"Heads that a fine-tuned model needs · {view.data['run']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, question=question)


def _curves(view: RecordView) -> Figure:
    by_order: dict[str, list[Row]] = {}
    for row in view.rows("curves"):
        by_order.setdefault(str(row["order"]), []).append(row)
    random = [rows for name, rows in by_order.items() if name.startswith("random")]
    lines = [
        _line(by_order[name], title, style, strong=name == "importance")
        for name, title, style in _ORDERS
        if name in by_order  # records of before have no order by ablation
    ]
    lines.append(_random_line(random))
    heads = view.verdict["heads"]
    chart = LineChart(
        lines,
        HorizontalAxis("heads pruned", 0, heads, nice_ticks(0, heads), "{:g}".format, "{:g} heads pruned".format),
        f"change of {view.data['metric_title']}, points",
        signed,
        lambda line, point: f"{line.name} {signed(point.value)}",
    )
    pictures = drawn(partial(line_chart.draw, chart), "curves", height=330)
    return captioned_figure(
        view, "curves", "Change of the score by number of heads pruned.", pictures, _table(by_order)
    )


def _line(rows: Sequence[Row], title: str, style: SeriesStyle, *, strong: bool) -> Line:
    drawn_points = tuple(Point(row["pruned"], row["change"], row["low"], row["high"]) for row in rows)
    return Line(title, style, (Point(0, 0.0), *drawn_points), strong=strong, band=strong)


def _random_line(orders: Sequence[Sequence[Row]]) -> Line:
    """Return the line of the mean change over random orders of pruning, with a band from the least to the largest."""
    drawn_points = [Point(0, 0.0)]
    for rows in zip(*orders, strict=True):
        changes = [float(row["change"]) for row in rows]
        drawn_points.append(Point(rows[0]["pruned"], sum(changes) / len(changes), min(changes), max(changes)))
    return Line("random orders", _RANDOM, tuple(drawn_points))


def _table(by_order: dict[str, list[Row]]) -> Grid:
    names = list(by_order)
    numbers = [row["pruned"] for row in by_order[names[0]]]
    cells: list[tuple[str | Cell, ...]] = [
        (str(number), *(Cell(signed(by_order[name][index]["change"])) for name in names))
        for index, number in enumerate(numbers)
    ]
    return plain("Change of the score in points, by number of heads pruned", ("heads pruned", *names), cells)


def _frontier(view: RecordView) -> Figure:
    rows = view.rows("frontier")
    whole, smaller = rows[0], rows[1:]
    layers = [row for row in smaller if row["layers"] < whole["layers"]]
    heads = [row for row in smaller if row["heads"] < whole["heads"] and row["layers"] == whole["layers"]]
    int8 = [row for row in smaller if row["heads"] == whole["heads"]]
    ways = ((heads, "heads removed", _IMPORTANCE), (layers, "layers dropped", _REVERSE), (int8, "int8", _GATES))
    lines = [_speed_line([whole, *chosen], name, style) for chosen, name, style in ways if chosen]
    low, high = padded([row["milliseconds_32"] for row in rows])
    chart = LineChart(
        lines,
        HorizontalAxis(
            "milliseconds a text, in batches of 32", low, high, nice_ticks(low, high), "{:g}".format, "{:.2f} ms".format
        ),
        f"{view.data['metric_title']}, points",
        points,
        lambda line, point: f"{line.name} {points(point.value)}",
    )
    pictures = drawn(partial(line_chart.draw, chart), "frontier", height=300)
    return captioned_figure(view, "frontier", "Score by speed.", pictures, _models(rows))


def _speed_line(rows: Sequence[Row], name: str, style: SeriesStyle) -> Line:
    ordered = sorted(rows, key=lambda row: -row["milliseconds_32"])
    whole = rows[0]["score"]
    drawn_points = [
        Point(row["milliseconds_32"], row["score"], whole + row["low"], whole + row["high"]) for row in ordered
    ]
    return Line(name, style, tuple(drawn_points))


def _models(rows: Sequence[Row]) -> Grid:
    heads = (
        "model",
        "heads",
        Column("parameters", note="of the encoder"),
        "score",
        Column("change", note="points, with its 95 % interval over rows"),
        Column("ms a text", note="in batches of 32"),
        Column("speedup", note="in batches of 32: median, least and most over rounds"),
        Column("speedup one by one", note="median, least and most over rounds"),
    )
    cells: list[tuple[str | Cell, ...]] = [
        (
            str(row["model"]),
            count(row["heads"]),
            count(row["parameters"]),
            Cell(points(row["score"]), row["score"]),
            with_interval(row, "change", signed_points),
            Cell(f"{row['milliseconds_32']:.2f}", row["milliseconds_32"]),
            *(speedup(row, batch) for batch in (32, 1)),
        )
        for row in rows
    ]
    return plain("Cheaper models, none trained again", heads, cells)


def _heads(view: RecordView) -> Figure:
    rows = view.rows("heads")
    largest = max(abs(row["zero"]) for row in rows)
    cells = {(row["layer"], row["head"]): _cell(row, largest) for row in rows}
    data = heat_map.of_heads(cells, "rows: layers · columns: heads · * beyond doubt")
    pictures = drawn(partial(heat_map.draw, data), "heads", height=heat_map.height(data))
    return captioned_figure(view, "heads", "Change of the score by head.", pictures, _head_table(rows))


def _cell(row: Row, largest: float) -> HeatCell:
    change = float(row["zero"])
    return HeatCell(
        strength=abs(change) / largest if largest else 0.0,
        style=_LOSS if change < 0 else _GAIN,
        text=signed(change) + "*" * bool(row["zero_sure"]),
        title=f"layer {row['layer']}, head {row['head']}",
        line=f"{signed(change)} points, {interval(row['zero_low'], row['zero_high'], signed_points)}",
    )


def _head_table(rows: Sequence[Row]) -> Grid:
    heads: tuple[str | Column, ...] = (
        "layer-head",
        Column("rank", note="in the order of pruning; kept: the last of its layer"),
        Column("importance", note="|dL/dxi|, mean over rows"),
        Column("by position", note="absolute at each position"),
        Column("gate", note="probability that it is open"),
        *(Column(name, note="change in points, with its 95 % interval") for name in ABLATIONS),
    )
    cells: list[tuple[str | Cell, ...]] = [
        (
            f"{row['layer']}-{row['head']}",
            "kept" if row["rank"] is None else str(row["rank"]),
            Cell(f"{row['importance']:.4f}", row["importance"]),
            Cell(f"{row['importance_by_position']:.5f}", row["importance_by_position"]),
            Cell(f"{row['gate']:.2f}", row["gate"]),
            *(with_interval(row, name, signed_points, prefix=f"{name}_") for name in ABLATIONS),
        )
        for row in rows
    ]
    return plain("Every head, removed alone", heads, cells)


def _layers(view: RecordView) -> Figure:
    rows = view.rows("layers")
    chart = DotChart(
        (("", tuple(map(_layer_row, rows))),),
        f"change of {view.data['metric_title']}, points",
        signed,
        references=((0.0, ""),),
        legend=True,
    )
    pictures = dot_pictures(chart, "layers")
    return captioned_figure(view, "layers", "Change of the score by layer.", pictures, _layer_table(rows))


def _layer_row(row: Row) -> DotRow:
    dots, described = interval_dots(row, _LAYER_DOTS, signed_points)
    return DotRow(f"layer {row['layer']}", dots, described)


def _layer_table(rows: Sequence[Row]) -> Grid:
    heads: tuple[str | Column, ...] = (
        "layer",
        *(Column(name, note="every head of the layer: change in points") for name in ABLATIONS),
        Column("one head kept", note="the best one by the other half of the rows"),
    )
    cells: list[tuple[str | Cell, ...]] = [
        (
            str(row["layer"]),
            *(with_interval(row, name, signed_points, prefix=f"{name}_") for name in ABLATIONS),
            Cell(
                signed(row["kept_one"]),
                row["kept_one"],
                detail=f"head {row['kept']}, {interval(row['kept_one_low'], row['kept_one_high'], signed_points)}",
            ),
        )
        for row in rows
    ]
    return plain("Every head of a layer ablated, or all but one", heads, cells)
