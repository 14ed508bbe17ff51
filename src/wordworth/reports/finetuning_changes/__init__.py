"""The page of a `finetuning` record: changes by layer and head, the loss landscape, and scores with layers reset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts import heat_map
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.heat_map import HeatCell
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetuning_changes.landscape import loss_figures
from wordworth.reports.finetuning_changes.record_view import has_second_seed
from wordworth.reports.finetuning_changes.styles import RANDOM, RUN, SEED, START
from wordworth.reports.number_format import exact, finite, interval, share, signed_points, tick
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, row_table, with_interval
from wordworth.sentence_formatting import points, signed

_MODELS = {"start": START, "run": RUN, "second seed": SEED, "random weights": RANDOM}


def page(record: Record) -> str:
    """Return the page of a `finetuning` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [
        ("What changed", [_layers(view), _heads(view), _patterns(view)]),
        ("Layers as they were before", [_roll_back(view)]),
        ("The loss around the model", loss_figures(view)),
    ]
    tables = [_words(view), _basins(view), _confusion(view)]
    question = f"What fine-tuning changed · {view.data['run']} · from {view.data['start']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _layers(view: RecordView) -> Figure:
    rows = view.rows("layers")
    series = (
        ("before and after", "cka", RUN),
        ("two seeds", "cka_seed", SEED),
        ("random weights", "cka_random", RANDOM),
    )
    lines = [
        _layer_line(name, style, column, rows)
        for name, column, style in series
        if any(row[column] is not None for row in rows)
    ]
    numbers = [int(row["layer"]) for row in rows]
    axis = HorizontalAxis("layer (0: input layer)", 0, max(numbers), numbers, "{:g}".format, "layer {:g}".format)
    chart = LineChart(lines, axis, "CKA of states", tick, lambda line, point: f"{line.name} {exact(point.value)}")
    pictures = drawn(partial(line_chart.draw, chart), "layers", height=300)
    return captioned_figure(view, "layers", "CKA by layer.", pictures, _layer_table(rows))


def _layer_line(name: str, style: SeriesStyle, column: str, rows: Sequence[Row]) -> Line:
    points = tuple(
        Point(row["layer"], value, finite(row.get(f"{column}_low")), finite(row.get(f"{column}_high")))
        for row in rows
        if (value := finite(row[column])) is not None
    )
    return Line(name, style, points, strong=style is RUN, may_leave_axis=style is RANDOM)


def _layer_table(rows: Sequence[Row]) -> Grid:
    return row_table(
        "By layer",
        {
            "layer": "layer",
            Column("CKA", note="of the states before and after"): lambda row: with_interval(row, "cka", prefix="cka_"),
            Column("two seeds", note="CKA of two runs that differ in their seed"): lambda row: with_interval(
                row, "cka_seed", prefix="cka_seed_"
            ),
            Column("more than luck", note="CKA of two seeds less that before and after"): lambda row: with_interval(
                row, "more", prefix="more_"
            ),
            Column("maps", note="cosine of attention maps before and after"): lambda row: with_interval(
                row, "cosine", prefix="cosine_"
            ),
            Column("maps, two seeds"): lambda row: exact(row["cosine_seed"]),
            Column("maps, random"): lambda row: exact(row["cosine_random"]),
        },
        rows,
    )


def _heads(view: RecordView) -> Figure:
    rows = view.rows("heads")
    most = max(1 - row["cosine"] for row in rows)
    cells = {(row["layer"], row["head"]): _head_cell(row, most) for row in rows}
    foot = "1 less the cosine, in hundredths" + " · * more than between seeds" * has_second_seed(view)
    data = heat_map.of_heads(cells, foot)
    pictures = drawn(partial(heat_map.draw, data), "heads", height=heat_map.height(data))
    return captioned_figure(view, "heads", "Change of attention by head.", pictures, _head_table(rows))


def _head_cell(row: Row, most: float) -> HeatCell:
    change = 1 - float(row["cosine"])
    line = (
        f"cosine {exact(row['cosine'])}, {interval(row['low'], row['high'])}; between seeds {exact(row['cosine_seed'])}"
    )
    return HeatCell(
        strength=change / most if most > 0 else 0.0,
        style=RUN,
        text=f"{100 * change:.0f}" + "*" * bool(row["sure"]),
        title=f"layer {row['layer']}, head {row['head']}",
        line=line,
    )


def _head_table(rows: Sequence[Row]) -> Grid:
    return row_table(
        "Every head",
        {
            "layer-head": lambda row: f"{row['layer']}-{row['head']}",
            Column("cosine", note="of its maps before and after"): lambda row: with_interval(row, "cosine"),
            Column("two seeds"): lambda row: exact(row["cosine_seed"]),
            Column("random weights"): lambda row: exact(row["cosine_random"]),
            "pattern before": lambda row: str(row["pattern_start"] or "—"),
            "after": lambda row: str(row["pattern"] or "—"),
        },
        rows,
        words=("pattern before", "after"),
    )


def _patterns(view: RecordView) -> Figure:
    rows = view.rows("patterns")
    if not rows:
        return captioned_figure(view, "patterns")
    names = list(dict.fromkeys(str(row["pattern"]) for row in rows))
    by_name = {name: [row for row in rows if row["pattern"] == name] for name in names}
    chart = DotChart(
        (("", tuple(_pattern_row(name, by_name[name]) for name in names)),), "share of maps", share, legend=True
    )
    pictures = dot_pictures(chart, "patterns")
    table = row_table(
        "Share of maps by pattern",
        {
            "pattern": "pattern",
            "model": "model",
            "by rules": lambda row: with_interval(row, "share", share),
            "by network": lambda row: share(row["by_network"]),
        },
        rows,
        words=("model",),
    )
    return captioned_figure(view, "patterns", "Share of attention maps by pattern.", pictures, table)


def _pattern_row(name: str, rows: Sequence[Row]) -> DotRow:
    pairs = [interval_dots(row, [(_MODELS[str(row["model"])], str(row["model"]), "share", "")], share) for row in rows]
    dots = tuple(dot for several, _ in pairs for dot in several)
    return DotRow(name, dots, tuple(words for _, described in pairs for words in described))


def _roll_back(view: RecordView) -> Figure:
    rows = view.rows("roll_back")
    style = ((RUN, "reset", "change", ""),)
    chart = DotChart(
        (("", tuple(DotRow(str(row["part"]), *interval_dots(row, style, signed_points)) for row in rows)),),
        f"change of {view.data['metric_title']}, points",
        signed,
        references=((0.0, ""),),
    )
    pictures = dot_pictures(chart, "roll-back")
    table = row_table(
        "Scores with layers as they were before fine-tuning",
        {
            "reset": "part",
            "layers": lambda row: str(row["layers"] or "—"),
            "score": lambda row: Cell(points(row["score"]), row["score"]),
            "change": lambda row: with_interval(row, "change", signed_points),
            Column("beyond doubt", note=f"corrected for {len(rows)} parts"): lambda row: "yes" if row["sure"] else "no",
        },
        rows,
        words=("layers",),
    )
    return captioned_figure(view, "roll-back", "Change of the score by part reset.", pictures, table)


def _words(view: RecordView) -> Grid:
    return row_table(
        "Words that moved most",
        {
            "word": "word",
            Column("moved", note="1 less the cosine of its last states"): lambda row: with_interval(row, "moved"),
            Column("two seeds", note="the same between two runs"): lambda row: exact(row["seed"]),
            Column("chosen at", note="in the texts that chose it"): lambda row: exact(row["chosen"]),
            "occurrences": lambda row: f"{row['occurrences']:,}",
        },
        view.rows("words"),
    )


def _basins(view: RecordView) -> Grid:
    return row_table(
        "Lines and basins",
        {
            "line": "line",
            "rows": "rows",
            "direction": "direction",
            "start": lambda row: exact(row["start"]),
            "end": lambda row: exact(row["end"]),
            Column("falling", note="share of segments from start to end"): lambda row: with_interval(
                row, "falling", share, prefix="falling_"
            ),
            Column("width", note="where the loss is under twice that of the end"): _width,
        },
        view.rows("basins"),
        words=("rows", "direction"),
    )


def _width(row: Row) -> Cell:
    cell = with_interval(row, "width", prefix="width_")
    return replace(cell, text="≥ " * bool(row["wider"]) + cell.text)


def _confusion(view: RecordView) -> Grid:
    return row_table(
        "What the rules and the network say of attention maps",
        {
            "maps": "maps",
            "by": "classifier",
            "pattern": "pattern",
            "answer": "answer",
            "maps counted": lambda row: f"{row['count']:,}",
        },
        view.rows("confusion"),
        words=("by", "pattern", "answer"),
    )
