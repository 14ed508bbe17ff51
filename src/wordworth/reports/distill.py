"""The page of a `distill` record: students compared with their teacher, and with students trained without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures, interval_dots
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import (
    count,
    finite,
    in_points,
    interval,
    points_tick,
    signed_points,
    size_in_bytes,
)
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.speed_cells import speed_cells, speed_columns, speed_lines, speed_rows
from wordworth.reports.tables import Cell, Column, Grid, plain, row_table, with_interval
from wordworth.sentence_formatting import count_of, points, signed, signed_with_range, with_capital

_TEACHER, _START, _WITHOUT, _TAUGHT = (
    SeriesStyle(1, "square"),
    SeriesStyle(0, "triangle"),
    SeriesStyle(6, "diamond"),
    SeriesStyle(7, "circle"),
)
_STYLES = {"teacher": _TEACHER, "first layers": _START, "finetune": _WITHOUT}


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `distill` record -> its caption."""
    view = RecordView.of(record)
    scores = {"scores": _scores_caption(view)}
    return {**scores, "gains": _gains_caption(view)} if _compared(view) else scores


def _scores_caption(view: RecordView) -> Caption:
    rows = view.rows("models")
    students = [row for row in rows if finite(row["loss"]) is not None and row["runs"] is not None]
    chosen = next((row for row in students if row["model"] == view.verdict["method"]), None)
    student = "no run ended" if chosen is None else f"{chosen['model']} is {signed(chosen['loss'])} points from it"
    notes = (
        "Dots of students are means over seeds, with 95 % intervals over seeds and test rows.",
        *view.sentences("order"),
        *view.sentences("noise"),
    )
    return Caption(f"The teacher has {points(rows[0]['score'])}; {student}", notes)


def _gains_caption(view: RecordView) -> Caption:
    title = str(view.verdict.get("gained", "each method beside the same student without a teacher"))
    note = "Beside students of the same start and seeds that had no teacher, with 95 % intervals."
    return Caption(with_capital(title), (note,))


def _compared(view: RecordView) -> list[Row]:
    """Return the rows of the methods that were compared with students without a teacher."""
    return [row for row in view.rows("models") if finite(row["gain"]) is not None]


def page(record: Record) -> str:
    """Return the page of a `distill` record as one self-contained HTML document."""
    view = RecordView.of(record)
    groups = [("What it scores", [_scores(view)])]
    gains = _gains(view)
    groups += [("What the teacher gives", [gains])] if gains is not None else []
    question = f"A student of {view.data['run']} · {view.data['name']}"
    headline = str(view.verdict["headline"])
    speed = speed_rows(view)
    tables = [_models(view), _sizes(view), _methods(view), _runs(view)]
    return simple_page(record, headline, groups, tables, question=question, timed=speed_lines(speed, "the teacher"))


def method_lines(view: RecordView) -> Iterator[str]:
    """Yield a line for each method of distillation: its score, and its gain over students without a teacher.

    Scores and gains have their 95 % intervals. Nothing is yielded for a record of a single method.
    """
    rows = [row for row in view.rows("models") if row["runs"] is not None]
    if len(rows) > 1:
        yield from (f"{row['model']}: {_in_words(row)}." for row in rows)


def _in_words(row: Row) -> str:
    """Return the score of a method in words, and its gain if there is one."""
    if finite(row["score"]) is None:
        return "every run failed"
    score = f"{in_points(row['score'])} ({interval(row['low'], row['high'], in_points)})"
    if finite(row["gain"]) is None:
        return score
    gain = signed_with_range(row["gain"], row["gain_low"], row["gain_high"])
    beside = f"{score}; beside finetune {gain}, {'shown' if row['sure'] else 'not shown'}"
    if finite(row.get("over_kd")) is None:
        return beside
    return f"{beside}; beside kd {signed_with_range(row['over_kd'], row['over_kd_low'], row['over_kd_high'])}"


def _scores(view: RecordView) -> Figure:
    """Return the chart of the scores of the teacher, its first layers without further training, and the students."""
    rows = view.rows("models")
    chart = DotChart(
        (("", tuple(_score(row) for row in rows)),),
        f"{view.data['metric_title']}, points",
        points_tick,
        references=((float(rows[0]["score"]), "the teacher"),),
    )
    pictures = dot_pictures(chart, "scores")
    return captioned_figure(view, "scores", "Scores of teacher and students.", pictures)


def _score(row: Row) -> DotRow:
    style, name = _STYLES.get(str(row["model"]), _TAUGHT), str(row["model"])
    if finite(row["low"]) is not None:
        dots, described = interval_dots(row, ((style, name, "score", ""),), in_points)
        return DotRow(name, dots, described)
    score = finite(row["score"])
    return DotRow(name, (Dot(style, score),), ((style, in_points(row["score"])),), absent="every run failed")


def _gains(view: RecordView) -> Figure | None:
    """Return the chart of each method's gain over students without a teacher; None if nothing was compared."""
    rows = _compared(view)
    if not rows:
        return None
    dots = tuple(DotRow(str(row["model"]), *_gain(row)) for row in rows)
    chart = DotChart(
        (("", dots),), f"gain of {view.data['metric_title']}, points", signed, references=((0.0, "no teacher"),)
    )
    pictures = dot_pictures(chart, "gains")
    return captioned_figure(view, "gains", "Gains of each method.", pictures)


def _gain(row: Row) -> tuple[tuple[Dot, ...], dot_intervals.Described]:
    return interval_dots(row, ((_TAUGHT, str(row["model"]), "gain", "gain_"),), signed_points)


def _models(view: RecordView) -> Grid:
    """Return the table of the scores of all models."""
    heads: list[str | Column] = [
        "model",
        "score",
        Column("beside the teacher", note="points, with the 95 % interval"),
        Column("gain by the teacher", note="points beside the same student without one, with the 95 % interval"),
    ]
    rows, differences = view.rows("models"), ["loss", "gain"]
    if any(finite(row.get("over_kd")) is not None for row in rows):
        heads.append(
            Column("beside kd", note="points beside the same student of answers alone, with the 95 % interval")
        )
        differences.append("over_kd")
    return plain("Students beside their teacher", heads, [_model(row, differences) for row in rows])


def _model(row: Row, differences: Sequence[str]) -> tuple[str | Cell, ...]:
    ends = "" if finite(row["low"]) is None else interval(row["low"], row["high"], in_points)
    return (
        str(row["model"]),
        Cell(in_points(row["score"]), row["score"], detail=ends),
        *(
            Cell("") if finite(row[name]) is None else with_interval(row, name, signed_points, prefix=f"{name}_")
            for name in differences
        ),
    )


def _sizes(view: RecordView) -> Grid:
    """Return the table of sizes and times of the teacher and of a student; they are the same for all students."""
    teacher, student = view.rows("models")[0], view.rows("models")[-1]
    cells: list[tuple[str | Cell, ...]] = [
        ("layers", count(teacher["layers"]), count(student["layers"])),
        ("parameters of the encoder", count(teacher["parameters"]), count(student["parameters"])),
        ("size of the weights", *(Cell(size_in_bytes(row["bytes"]), row["bytes"]) for row in (teacher, student))),
    ]
    timed = [speed_cells(row, whole="teacher") for row in speed_rows(view)]
    names = [column.title for column in speed_columns("the teacher")]
    cells += [(name, *each) for name, *each in zip(names, *timed, strict=True)] if timed else []
    return plain("Sizes and times, on one thread", ["", "teacher", "a student"], cells)


def _methods(view: RecordView) -> Grid:
    return row_table(
        "What each method compares",
        {
            "method": "method",
            "T": lambda row: "" if row["temperature"] is None else f"{row['temperature']:g}",
            "α": lambda row: f"{row['alpha']:.3g}",
            "β": lambda row: "" if row["beta"] is None else f"{row['beta']:.3g}",
            "student's layers": "student_layers",
            "teacher's layers": "teacher_layers",
            "source": "source",
        },
        view.rows("methods"),
        words=("student's layers", "teacher's layers", "source"),
    )


def _runs(view: RecordView) -> Grid:
    return row_table(
        f"{count_of(len(view.rows('runs')), 'run')}",
        {
            "method": "method",
            "seed": "seed",
            "state": "state",
            "dev": lambda row: Cell(in_points(row["dev"]), row["dev"]),
            "test": lambda row: Cell(in_points(row["test"]), row["test"]),
            "update kept": lambda row: f"{row['kept_step']:,} of {row['steps']:,}",
            "in the folder": lambda row: "yes" if row["written"] else "",
        },
        view.rows("runs"),
        words=("state", "in the folder"),
    )
