"""The page of a `layers` record: the best layer for each label, where tasks are encoded, and each task by layer."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.layer_figure import layer_figure
from wordworth.reports.number_format import (
    count,
    figures,
    finite,
    in_points,
    interval,
    share,
    signed_points,
    tick,
    two_decimals,
)
from wordworth.reports.page import simple_page
from wordworth.reports.probed_layers.record_view import (
    cost_sentences,
    expected_layers,
    has_control_task,
    rows_of_task,
    speed_by_layer,
)
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Field, Grid, plain, table_of, value, with_interval
from wordworth.sentence_formatting import quoted

_OWN, _AGAIN, _CENTRE = SeriesStyle(6, "circle"), SeriesStyle(4, "square"), SeriesStyle(3, "diamond")
_RANDOM, _MIX, _CONTROL = SeriesStyle(2, "triangle"), SeriesStyle(7, "square"), SeriesStyle(1, "cross")
_BYTES = 4
_CONTROL_FIELDS: tuple[Field, ...] = (
    (Column("control task, %"), value("control", in_points)),
    (
        Column("selectivity, points", note="the score less that of the control task, on words that were trained on"),
        lambda row: with_interval(row, "selectivity", signed_points, prefix="selectivity_"),
    ),
)


def page(record: Record) -> str:
    """Return the page of a `layers` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [("The layer to take", [_choices(view)])]
    if view.rows("expected"):
        groups.append(("Where each task is found", _expected(view)))
    groups += [(_heading(row), _task(view, number, str(row["task"]))) for number, row in enumerate(view.rows("tasks"))]
    question = f"Layers that hold a label · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, [_tasks(view)], question=question)


def _heading(row: Row) -> str:
    return f"{quoted(str(row['task']))}: {row['title']}"


def _choices(view: RecordView) -> Figure:
    rows, speed = view.rows("choices"), speed_by_layer(view)
    series = ((_OWN, "the layer to take", "f1", ""), (_MIX, "mix of all layers", "whole", "whole_"))
    chart_rows = []
    for row in rows:
        dots, described = interval_dots(row, series, share)
        chart_rows.append(
            DotRow(str(row["task"]), dots, described, title=f"{row['task']}: {_taken(row)}", overlaid=True)
        )
    chart = DotChart((("", tuple(chart_rows)),), "micro F1", share, legend=True, references=())
    pictures = dot_pictures(chart, "choices")
    return captioned_figure(view, "choices", "Micro F1 of the layer to take.", pictures, _choice_table(rows, speed))


def verdict_with_costs(record: Record) -> str:
    """Return the verdict of a `layers` record, with a sentence on the time saved by stopping at the best layer."""
    return "\n".join([record.verdict, *cost_sentences(RecordView.of(record))])


def _taken(row: Row) -> str:
    return f"layers 0–{row['layer']}, mixed" if row["mix"] else f"layer {row['layer']}"


def _whole(layer: object) -> str:
    return count(finite(layer))


def _choice_table(rows: list[Row], speed: dict[tuple[str, int], Row]) -> Grid:
    heads = (
        "label",
        Column(
            "take", numeric=False, note="with the 95 % interval of the layer, over resamples of the texts that chose"
        ),
        Column("micro F1, %", note="with its 95 % interval"),
        Column("all layers"),
        Column("difference, points", note="to the mix of all layers, on the same texts"),
        Column("ms a text", note="up to that layer"),
        Column("of all layers", note="share of the time of all layers"),
        Column("probe, kB"),
    )
    return plain("The layer to take for each label", heads, [_choice_cells(row, speed) for row in rows])


def _choice_cells(row: Row, speed: dict[tuple[str, int], Row]) -> tuple[str | Cell, ...]:
    time = speed.get((str(row["task"]), int(row["layer"])), {})
    milliseconds, of_all = finite(time.get("milliseconds")), finite(time.get("share"))
    size = _BYTES * int(row["numbers"]) / 1_000
    return (
        str(row["task"]),
        Cell(_taken(row), detail=interval(row.get("layer_low"), row.get("layer_high"), _whole)),
        with_interval(row, "f1", in_points),
        with_interval(row, "whole", in_points, prefix="whole_"),
        with_interval(row, "change", signed_points, prefix="change_"),
        Cell(figures(milliseconds), milliseconds),
        Cell(share(of_all), of_all),
        Cell(figures(size), size),
    )


def _expected(view: RecordView) -> list[Figure]:
    table, known = _expected_table(view.rows("expected")), expected_layers(view)
    if not known:
        return [captioned_figure(view, "expected", table=table)]
    rows = tuple(map(_expected_row, known))
    chart = DotChart((("", rows),), "expected layer", tick, legend=True, references=())
    pictures = dot_pictures(chart, "expected")
    return [captioned_figure(view, "expected", "Expected layers.", pictures, table)]


def _expected_row(row: Row) -> DotRow:
    series = ((_OWN, "expected layer", "expected", ""), (_AGAIN, "second seed", "again", "again_"))
    dots, described = interval_dots(row, series, two_decimals)
    centre = dict(row) | {"centre_low": None, "centre_high": None}
    of_centre, _ = interval_dots(centre, ((_CENTRE, "centre of gravity", "centre", "centre_"),), two_decimals)
    lines = (*described, (_CENTRE, f"centre of gravity {two_decimals(row['centre'])}"))
    return DotRow(str(row["task"]), (*dots, *of_centre), lines)


def _expected_table(rows: list[Row]) -> Grid:
    heads = (
        "task",
        Column("expected layer", note="with its 95 % interval"),
        "second seed",
        Column("centre", note="of gravity of the mixing weights"),
        Column("KL", note="of the mixing weights from equal ones, nats"),
        Column("words alone, %", note="micro F1 of layer 0"),
        Column("all layers, %"),
        Column("random weights, %", note="all layers of an encoder that was not trained"),
        Column("losing layers", note="whose gain is below 0"),
    )
    cells = [
        (
            str(row["task"]),
            with_interval(row, "expected", two_decimals),
            Cell(two_decimals(row["again"]), row["again"]),
            Cell(two_decimals(row["centre"]), row["centre"]),
            Cell(two_decimals(row["kl"]), row["kl"]),
            Cell(in_points(row["words"]), row["words"]),
            with_interval(row, "f1", in_points, prefix="f1_"),
            with_interval(row, "random", in_points, prefix="random_"),
            Cell(count(row["negative"]), row["negative"]),
        )
        for row in rows
    ]
    return plain("Edge probes by task", heads, cells)


def _task(view: RecordView, number: int, task: str) -> list[Figure]:
    rows, depths = (rows_of_task(view, table, task) for table in ("layers", "depths"))
    drawings = [_by_layer(view, rows, f"layers-{number}"), _codes(view, rows, f"codes-{number}")]
    return [_by_depth(view, depths, f"depths-{number}"), *drawings] if depths else drawings


def _depth(view: RecordView) -> int:
    return int(view.data["layers"])


def _model(
    name: str, style: SeriesStyle, depth: int, rows: Sequence[Row], column: str, prefix: str | None = None
) -> Curve:
    """Return the curve of a column's values by layer.

    Args:
        name: name of the curve.
        style: colour and marker.
        depth: number of layers above the input layer.
        rows: rows of a table of the record, one for each layer.
        column: column of the values.
        prefix: prefix of the columns `low` and `high` of the interval; None without an interval.
    """
    ends = () if prefix is None else (f"{prefix}low", f"{prefix}high")
    levels = tuple(
        LayerValue(int(row["layer"]), value, *(finite(row[end]) for end in ends))
        for row in rows
        if (value := finite(row[column])) is not None
    )
    return Curve(name, depth, levels, style)


def _by_depth(view: RecordView, rows: list[Row], name: str) -> Figure:
    depth = _depth(view)
    models = [
        _model("edge probe", _OWN, depth, rows, "f1", ""),
        _model("second seed", _AGAIN, depth, rows, "again"),
    ]
    heads = (
        "layer",
        "micro F1, %",
        "gain, points",
        Column("second seed, %"),
        Column("weight", note="in the mix of all layers"),
    )
    cells = [
        (
            str(row["layer"]),
            with_interval(row, "f1", in_points),
            with_interval(row, "gain", signed_points, prefix="gain_"),
            Cell(in_points(row["again"]), row["again"]),
            Cell(two_decimals(row["share"]), row["share"]),
        )
        for row in rows
    ]
    table = plain("Edge probes by the highest layer that they mix", heads, cells)
    data = CurvesByLayer(models, "micro F1", share, share)
    return layer_figure(view, name, data, table, description="Micro F1 by depth.")


def _by_layer(view: RecordView, rows: list[Row], name: str) -> Figure:
    depth = _depth(view)
    models = [
        _model("this layer alone", _OWN, depth, rows, "f1", ""),
        _model("mix up to it", _MIX, depth, rows, "mix", "mix_"),
        _model("random weights", _RANDOM, depth, rows, "random", "random_"),
        _model("control task", _CONTROL, depth, rows, "control"),
    ]
    fields: list[Field] = [
        (Column("layer", numeric=False), lambda row: str(row["layer"])),
        (Column("micro F1, %"), lambda row: with_interval(row, "f1", in_points)),
        (Column("mix up to it, %"), lambda row: with_interval(row, "mix", in_points, prefix="mix_")),
        (Column("random weights, %"), value("random", in_points)),
    ]
    table = table_of("Linear probes by layer", [*fields, *(_CONTROL_FIELDS if has_control_task(rows) else ())], rows)
    data = CurvesByLayer([model for model in models if model.values], "micro F1", share, share)
    return layer_figure(view, name, data, table, description="Micro F1 by layer.")


def _codes(view: RecordView, rows: list[Row], name: str) -> Figure:
    models = [_model("online code", _OWN, _depth(view), rows, "code")]
    heads = ("layer", "bits a target", Column("compression", note="the uniform code's bits over these"))
    cells = [
        (str(row["layer"]), Cell(two_decimals(row["code"]), row["code"]), Cell(two_decimals(row["compression"])))
        for row in rows
    ]
    data = CurvesByLayer(models, "bits a target", two_decimals, tick)
    table = plain("Description length by layer", heads, cells)
    return layer_figure(view, name, data, table, description="Description length by layer.", height=220)


def _tasks(view: RecordView) -> Grid:
    heads = (
        "task",
        Column("asks", numeric=False),
        "texts that train",
        "decide",
        "measure",
        "targets measured",
        "labels",
    )
    numbers = ("train", "dev", "test", "targets", "labels")
    cells: list[list[str | Cell]] = [
        [str(row["task"]), str(row["title"]), *(Cell(count(row[name]), row[name]) for name in numbers)]
        for row in view.rows("tasks")
    ]
    return plain("Tasks", heads, cells)
