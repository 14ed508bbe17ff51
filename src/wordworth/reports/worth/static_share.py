"""Could a static table do? The prediction from the geometry beside the measurement."""

from __future__ import annotations

from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, count, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, table_of, value
from wordworth.reports.worth.view import WorthView
from wordworth.text_format import percent

NAME = "static"
_NO_BREAK_SPACE = "\u00a0"
"""A space at which no line breaks."""
_READ = (
    "0 % is a table no better than random vectors, which tell words apart and know nothing else; "
    "100 % is one as good as the encoder. The point is what was measured, with its 95 % interval. The grey stroke is "
    "what the geometry predicts without a single label: the share of the variance of the encoder's states that is "
    "decided by the word itself, whatever its context. On real data it predicted no better than one guess for all "
    "data sets: where the two differ, believe the measurement."
)


def figure(view: WorthView) -> Figure | None:
    """The chart with its finding as title; None if no table was distilled."""
    rows = view.rows("static_share")
    if not rows:
        return None
    caption, table = view.caption(NAME, "The share of the encoder's gain that a static table keeps"), _table(view, rows)
    if all(finite(row["kept"]) is None for row in rows):
        absent = caption.absent or "There is no gain to have a share of."
        return Figure(NAME, caption.title, "", table=table, absent=absent)
    chart = DotChart(
        tuple(("share kept", (_slice(view, row),)) for row in rows),
        f"% of the gain over {view.title(rows[0]['floor'])}",
        lambda value: f"{100 * value:.0f}".replace("-", "−"),
        include=(0.0,),
        null_name="predicted",
        rules=False,
    )
    text = f"The share of the encoder's gain that a static table keeps, predicted and measured. {caption.title}."
    height = dot_intervals.height(chart)
    drawings = drawn(lambda size, label: dot_intervals.draw(chart, size, label), NAME, height=height)
    return Figure(NAME, caption.title, text, drawings, table, (_READ,), folded="How to read this")


def _slice(view: WorthView, row: Row) -> DotRow:
    kept, low, high, predicted = (finite(row[name]) for name in ("kept", "kept_low", "kept_high", "predicted"))
    measured = f"measured {_percent(kept)} ({_percent(low)} to {_percent(high)})"
    return DotRow(
        view.title(row["rung"]),
        (Dot(view.style(row["rung"]), kept, low, high, predicted),),
        ((None, measured), (None, f"predicted {_percent(predicted)}")),
        title=f"share kept, against {view.title(row['rung'])}",
        absent="no gain to have a share of",
    )


def _table(view: WorthView, rows: list[Row]) -> Grid:
    unread, unsure = "no occurrences were read", "the encoder's lead over the floor is not sure"
    states = "of the encoder's states on the training texts"
    fields = (
        (Column("table", numeric=False), lambda row: view.title(row["rung"])),
        (Column("of", numeric=False), lambda row: view.title(row["against"])),
        (Column("at labels"), value("labels", count)),
        (Column("variance that is the words'", note=states), value("word_share", _percent, unread)),
        (Column("predicted"), value("predicted", _percent, unread)),
        (Column("kept"), value("kept", _percent, unsure)),
        (Column("95 % interval"), lambda row: Cell(_interval(row) or ABSENT, why=unsure)),
        (Column("the encoder's gain", note="over random vectors, in points"), value("gain", view.unit.gap)),
        (Column("gap to the encoder", note="in points"), value("gap", view.unit.gap)),
        (Column("95 % interval"), lambda row: view.interval(row, "gap_", signed=True)),
    )
    return table_of("What a static table keeps", fields, rows)


def _interval(row: Row) -> str:
    """The interval of the share kept; empty if there is none."""
    low, high = finite(row["kept_low"]), finite(row["kept_high"])
    return "" if low is None or high is None else f"{_percent(low)} to {_percent(high)}"


def _percent(share: float | None) -> str:
    return ABSENT if share is None else percent(share).replace("-", "−").replace(" ", _NO_BREAK_SPACE)
