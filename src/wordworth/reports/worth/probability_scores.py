"""The table of probabilities: calibration and ranking measures of each rung's class probabilities.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable

from wordworth.reports.charts.palette import key
from wordworth.reports.number_format import ABSENT, figures, finite, number
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import decimal, points

_WORKLOADS = {"precision_10": "10 %", "precision_20": "20 %"}
_LONGEST = 40
_CALIBRATION = (
    "how far the probability of the most probable class is from how often that is right, with its interval; 0 is best"
)
_LOG_LOSS = (
    "of the probability of each text's class; 0 is best. Its 95 % interval is too narrow if hardly any text is wrong: "
    "one that is surely wrong costs much, and may be missing here"
)
_PRECISION = "share of the class among so many texts, those with the highest probability of it"


def probabilities(view: WorthView) -> Grid | None:
    """Return the table of calibration and ranking measures of each rung's class probabilities.

    The result is None if no rung predicts probabilities.
    """
    rows = view.rows("probabilities")
    if not rows:
        return None
    positive = rows[0]["positive"]
    binary = positive is not None
    columns = (
        Column("rung", numeric=False),
        Column("log loss", note=_LOG_LOSS),
        Column("Brier score", note="squared error of the probabilities, 0 to 1, with its 95 % interval; 0 is best"),
        Column("calibration error (points)", note=_CALIBRATION),
        Column("AUROC", note="how often a text of a class gets a higher probability of it than another; 1 is best"),
        Column("average precision", note="mean precision as more and more texts are taken; 1 is best"),
        *(Column(f"precision at {share}", note=_PRECISION) for share in (_WORKLOADS.values() if binary else ())),
        Column("temperature", note="what the scores are divided by; above 1 where they were too sure"),
    )
    cells = tuple(_cells(view, row, _WORKLOADS if binary else {}) for row in rows)
    return Grid(f"Probabilities: how far they can be trusted{_of(positive)}", columns, cells, sortable=True)


def _of(positive: str | None) -> str:
    """Return the end of the caption, which names the class whose precision is measured; empty without such a class."""
    if positive is None:
        return ""
    return f"; precision is of “{positive if len(positive) <= _LONGEST else positive[: _LONGEST - 1] + '…'}”"


def _cells(view: WorthView, row: Row, workloads: dict[str, str]) -> tuple[Cell, ...]:
    return (
        Cell(view.title(row["rung"]), picture=key(view.style(row["rung"]))),
        _figure(row, "log_loss"),
        _figure(row, "brier"),
        _figure(row, "calibration_error", points),
        _figure(row, "auroc"),
        _figure(row, "average_precision"),
        *(_figure(row, name) for name in workloads),
        _temperature(row),
    )


def _figure(row: Row, name: str, write: Callable[[float], str] = decimal) -> Cell:
    """Return the cell of a number, with its interval under it if it has one."""
    value = finite(row[name])
    if value is None:
        return Cell(ABSENT, why="not defined for these test texts")
    low, high = (number(row.get(f"{name}_{end}")) for end in ("low", "high"))
    detail = "" if low is None or high is None else f"{write(low)}–{write(high)}"
    return Cell(write(value), value, detail=detail)


def _temperature(row: Row) -> Cell:
    if not row["held_out"]:
        return Cell(ABSENT, why="no temperature was fitted: no training text was held out")
    temperature = finite(row["temperature"])
    return Cell(figures(temperature), temperature)
