"""The reliability diagrams of the rung that the verdict names, and of the best rung that reads context.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wordworth.reports.captions import Caption, caption_of
from wordworth.reports.charts import reliability as diagram
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, fine_share
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Column, Grid, table_of, value, with_interval
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import count_of

_NAME = "reliability-{}"
_PLAIN, _SCALED = "scores as they are", "divided by the temperature"
_READING = (
    "Test texts are sorted by the probability of their most probable class into at most 15 bins of equally many. On "
    "the diagonal a rung is right as often as it says. The bars are exact 95 % intervals, each for its bin alone: of "
    "15 bins that are all right, one or two may miss the diagonal by luck."
)


def reliability_captions(view: WorthView) -> dict[str, Caption]:
    """Return name of each reliability diagram -> its caption.

    The caption says in how many bins of confidence the interval of the accuracy contains the mean confidence. A rung
    whose probabilities have a fitted temperature has two sets of bins, with and without the temperature; any other rung
    has one.
    """
    return {name: Caption(_title(view, rows)) for name, rows in _diagrams(view).items()}


def reliability_figures(view: WorthView) -> list[Figure]:
    """Return a reliability diagram for each rung in the table `reliability`; empty if the record lacks this table."""
    return [_figure(view, name, rows) for name, rows in _diagrams(view).items()]


def _diagrams(view: WorthView) -> dict[str, list[Row]]:
    """Return name of a diagram -> the rows of one rung in the table `reliability`."""
    rows = view.rows("reliability")
    rungs = dict.fromkeys(str(row["rung"]) for row in rows)
    return {
        _NAME.format(number): [row for row in rows if row["rung"] == rung] for number, rung in enumerate(rungs, start=1)
    }


def _series(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return name in the legend -> rows of the bins, first of probabilities without the temperature, then with it."""
    by_name = {
        name: [row for row in rows if row["with_temperature"] is flag]
        for name, flag in ((_PLAIN, False), (_SCALED, True))
    }
    return {name: bins for name, bins in by_name.items() if bins}


def _title(view: WorthView, rows: Sequence[Row]) -> str:
    covering = [(_covering_bins(bins), len(bins)) for bins in _series(rows).values()]
    right, bins = covering[-1]
    title = f"{view.title(rows[0]['rung'])} may be as often right as it is sure in {right} of {count_of(bins, 'bin')}"
    if len(covering) == 1:
        return title
    before, of = covering[0]
    return f"{title}; without its temperature in {before}" + ("" if of == bins else f" of {of}")


def _covering_bins(bins: Sequence[Row]) -> int:
    """Return the number of bins whose interval of accuracy contains the mean confidence."""
    return sum(row["right_low"] <= row["confidence"] <= row["right_high"] for row in bins)


def _figure(view: WorthView, name: str, rows: Sequence[Row]) -> Figure:
    style, title = replace(view.style(rows[0]["rung"]), marker="circle"), caption_of(view, name).title
    series = [
        diagram.Series(legend, tuple(_bin(row) for row in bins), hollow=legend == _PLAIN and len(_series(rows)) > 1)
        for legend, bins in _series(rows).items()
    ]
    text = (
        f"How often {view.title(rows[0]['rung'])} is right by how sure it is, in bins of equally many texts. {title}."
    )
    drawings = drawn(lambda size, label: diagram.draw(series, style, size, label), name, height=400)
    return Figure(name, title, text, drawings, _table(view, rows), reading=(_READING,))


def _bin(row: Row) -> diagram.Bin:
    return diagram.Bin(row["confidence"], row["right"], row["right_low"], row["right_high"], row["texts"])


def _table(view: WorthView, rows: Sequence[Row]) -> Grid:
    numbers = {id(row): number for bins in _series(rows).values() for number, row in enumerate(bins, start=1)}
    fields = (
        (Column("probabilities", numeric=False), lambda row: _SCALED if row["with_temperature"] else _PLAIN),
        (Column("bin", note="bins of equally many texts, the least sure first"), lambda row: str(numbers[id(row)])),
        (Column("how sure", note="mean probability of the most probable class"), value("confidence", fine_share)),
        (
            Column("how often right", note="with its 95 % interval"),
            lambda row: with_interval(row, "right", fine_share, prefix="right_"),
        ),
        (Column("texts"), value("texts", count)),
    )
    return table_of(f"How often {view.title(rows[0]['rung'])} is right where it is so sure", fields, rows)
