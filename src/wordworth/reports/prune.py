"""The page of a `prune` record: score, size and speed of a smaller model and the whole one, and the remaining heads."""

from __future__ import annotations

from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import heat_map
from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.heat_map import HeatCell
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, finite, interval, signed_points, size_in_bytes
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.speed_cells import speed_by_model, speed_cells, speed_columns, speed_lines, speed_rows
from wordworth.reports.tables import Cell, Column, Grid, plain
from wordworth.sentence_formatting import count_of, points, signed

_KEPT, _CHANGE, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(7, "circle"), SeriesStyle(1, "square")


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `prune` record -> its caption: what was scored, and the heads that are left."""
    view = RecordView.of(record)
    by_chart = {"change": _score_caption(view), "heads": _heads_caption(view)}
    return {chart: caption for chart, caption in by_chart.items() if caption}


def _score_caption(view: RecordView) -> Caption | None:
    """Return the caption of the change of the score; None if nothing was scored."""
    whole, smaller = view.rows("models")
    if finite(smaller["change"]) is None:
        return None
    title = f"{points(smaller['score'])} beside the whole model's {points(whole['score'])}"
    notes = ("Dots with their 95 % intervals over rows. Nothing was trained again.", *view.sentences("random"))
    return Caption(title, notes)


def _heads_caption(view: RecordView) -> Caption | None:
    """Return the caption of the heads' importance; None if layers were dropped."""
    rows = view.rows("heads")
    if not rows:
        return None
    gone = sum(row["rank"] is not None for row in rows)
    title = f"{gone} of {count_of(len(rows), 'head')} {_how(view)}, {len(rows) - gone} left"
    note = "The darker, the more important within its layer, by the rows that rank. A layer keeps its best head."
    return Caption(title, (note,))


def _how(view: RecordView) -> str:
    """Return in words what was done to heads: `removed`, or `set to zero`."""
    return "set to zero" if view.verdict["form"] == "heads set to zero" else "removed"


def page(record: Record) -> str:
    """Return the page of a `prune` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [
        (heading, [figure]) for heading, figure in (("What it loses", _score(view)), ("Heads", _heads(view))) if figure
    ]
    question = f"A smaller model · {view.data['run']} · {view.data['name']}"
    return simple_page(
        record,
        str(view.verdict["headline"]),
        groups,
        [_models(view)],
        question=question,
        timed=speed_lines(speed_rows(view), "before"),
    )


def _score(view: RecordView) -> Figure | None:
    """Return the chart of the change of the score, with the control of random heads; None if nothing was scored."""
    smaller = view.rows("models")[1]
    if finite(smaller["change"]) is None:
        return None
    compared = [(str(view.verdict["form"]), _CHANGE, smaller)]
    compared += [("as many at random", _RANDOM, finding["numbers"]) for finding in view.findings("random")]
    chart = DotChart(
        (("", tuple(_dot(*each) for each in compared)),),
        f"change of {view.data['metric_title']}, points",
        signed,
        references=((0.0, "the whole model"),),
    )
    pictures = dot_pictures(chart, "change")
    return captioned_figure(view, "change", "Change of the score.", pictures)


def _dot(name: str, style: SeriesStyle, row: Row) -> DotRow:
    dots, described = interval_dots(row, ((style, name, "change", ""),), signed_points)
    return DotRow(name, dots, described)


def _heads(view: RecordView) -> Figure | None:
    """Return the heat map of the heads' importance, with removed heads marked; None if layers were dropped."""
    rows = view.rows("heads")
    if not rows:
        return None
    how = _how(view)
    largest = {row["layer"]: 0.0 for row in rows}
    for row in rows:
        largest[row["layer"]] = max(largest[row["layer"]], float(row["importance"]))
    cells = {(row["layer"], row["head"]): _cell(row, largest[row["layer"]], how) for row in rows}
    data = heat_map.of_heads(cells, f"rows: layers · columns: heads · × {how}")
    pictures = drawn(partial(heat_map.draw, data), "heads", height=heat_map.height(data))
    return captioned_figure(view, "heads", "Heads that are left.", pictures, _head_table(rows))


def _cell(row: Row, largest: float, how: str) -> HeatCell:
    importance, left = float(row["importance"]), row["rank"] is None
    line = f"importance {importance:.4f}" if left else f"{how}, importance {importance:.4f}"
    strength = importance / largest if largest and left else 0.0
    return HeatCell(strength, _KEPT, "" if left else "×", f"layer {row['layer']}, head {row['head']}", line)


def _head_table(rows: list[Row]) -> Grid:
    heads = (
        "layer-head",
        Column("importance", note="|dL/dxi|, mean over rows"),
        Column("gone as", note="1 is the first"),
    )
    cells: list[tuple[str | Cell, ...]] = [
        (
            f"{row['layer']}-{row['head']}",
            Cell(f"{row['importance']:.4f}", row["importance"]),
            "left" if row["rank"] is None else str(row["rank"]),
        )
        for row in rows
    ]
    return plain("Every head of the whole model", heads, cells)


def _models(view: RecordView) -> Grid:
    """Return the table of both models; columns that were not measured are left out."""
    speed = speed_by_model(view)
    heads: list[str | Column] = ["model", "heads", "layers", Column("parameters", note="of the encoder")]
    heads.append(Column("weights", note="size of the files"))
    scored = finite(view.rows("models")[0]["score"]) is not None
    heads += ["score", Column("change", note="points, with its 95 % interval over rows")] if scored else []
    heads += speed_columns("the whole model") if speed else []
    cells = [_model(row, speed.get(row["model"]), scored=scored) for row in view.rows("models")]
    return plain("The smaller model beside the whole one", heads, cells)


def _model(row: Row, speed: Row | None, *, scored: bool) -> tuple[str | Cell, ...]:
    cells: list[str | Cell] = [str(row["model"]), *(count(row[name]) for name in ("heads", "layers", "parameters"))]
    cells.append(Cell(size_in_bytes(row["bytes"]), row["bytes"]))
    if scored:
        cells.append(Cell(points(row["score"]), row["score"]))
        ends = interval(row["low"], row["high"], signed_points)
        cells.append("" if row["change"] is None else Cell(signed(row["change"]), row["change"], detail=ends))
    return (*cells, *([] if speed is None else speed_cells(speed, whole="whole")))
