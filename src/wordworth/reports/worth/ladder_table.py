"""The ladder as a sortable table: the scores and costs of each rung; with tables of metrics and label multiples.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wordworth.reports.charts.axes import Scale, padded
from wordworth.reports.charts.dot_intervals import cell_scale, draw_in_cell
from wordworth.reports.charts.palette import key
from wordworth.reports.number_format import (
    ABSENT,
    count,
    figures,
    finite,
    money,
    multiple,
    multiple_interval,
    number,
    size_in_bytes,
    speed,
    unit,
)
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, plain
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import join_words, points_phrase

_DIRECTIONS = {
    "needed": "labels the rung needs, over the other's",
    "saved": "all the rung's labels, over those that the other needs to match it",
}

_OVER = "draws of the labels and test texts, a few added on which two rungs differ"
"""Description of the resamples that the intervals of the ladder are over."""


def ladder(view: WorthView) -> Grid:
    """Return the table of all rungs with their scores and costs; the rung that the verdict names is highlighted.

    Rungs that failed or were dropped early are listed too, with the reason.
    """
    scale = _scale(view)
    rows = tuple(_cells(view, row, scale) for row in view.ladder.values())
    note = "the best so far" if view.verdict.get("answer") == "cannot tell yet" else "named by the verdict"
    strong = frozenset(index for index, rung in enumerate(view.ladder) if rung == view.chosen)
    return Grid("The ladder, cheapest rung first", _columns(view), rows, sortable=True, strong=strong, strong_note=note)


def notes(view: WorthView) -> tuple[str, ...]:
    """Return the notes under the table of rungs.

    The notes define the table's columns, and name the rung whose score is subtracted in the column of differences.
    """
    best = view.title(view.best)
    within = points_phrase(view.margin or 0.0)
    margin = f" ✓ marks a rung that, to the lower end, is at most {within} behind." if view.margin else ""
    multiples = (
        f"Label multiple: how many times as many labels a rung needs to score what {_against(view)} scores with "
        "the number beside it, the largest for which both curves give an answer; “≤” and “>” where the measured sizes "
        "only bound it, “never” where the curve fitted to it surely flattens out below."
    )
    return (
        (
            f"Gap: the score minus that of the best rung, {best}, over the same draws and test "
            f"texts, with its 95 % interval.{margin}{_verdict_interval(view)} Of several rungs the best has a score "
            "that is on average a little too high, since luck helps to make it the best."
        ),
        *((multiples,) if view.has_context else ()),
        *_tested_on_fewer(view),
        "Longest wait: 19 of 20 single texts are answered within this time.",
    )


def _tested_on_fewer(view: WorthView) -> tuple[str, ...]:
    """Return a note on the rungs that predicted only some of the folds; empty without any."""
    folds = finite(view.data.get("folds"))
    runs = {rung: finite(view.ladder[rung].get("seeds")) for rung in view.scored()}
    of_all = [rung for rung in runs if view.ladder[rung]["labels"] == view.most_labels]
    fewer = [view.title(rung) for rung in of_all if folds and 0 < (runs[rung] or 0) < folds]
    if not fewer:
        return ()
    note = (
        f"{join_words(fewer)}: tested on some of the {count(folds)} folds only. The score here is corrected for how "
        "hard these are, by the other rungs; in the tables of probabilities and of the surest texts it is not."
    )
    return (note,)


def _verdict_interval(view: WorthView) -> str:
    """Return why the gap in the verdict differs from the gap in this table; "" if the verdict is not definite."""
    if finite(view.verdict.get("corrected")) is None:
        return ""
    return (
        " In the verdict, the gap and its interval differ from this column: they are corrected for selection, since a "
        "definite answer is given only where the measured gap happens to be clear."
    )


def _against(view: WorthView) -> str:
    """Return the title of the contextual rung to which label multiples refer."""
    named = {str(row["multiple_against"]) for row in view.ladder.values() if row.get("multiple_against")}
    return view.title(named.pop()) if len(named) == 1 else "the contextual rung"


def _columns(view: WorthView) -> tuple[Column, ...]:
    multiple_ = Column("label multiple", note=f"how many times as many labels equal {_against(view)}")
    return (
        Column("rung", numeric=False),
        Column(view.unit.title, note=f"mean over draws of the labels, with its 95 % interval over {_OVER}"),
        Column("gap to the best (points)", note=f"paired difference, with its 95 % interval over {_OVER}"),
        *((multiple_,) if view.has_context else ()),
        Column("texts a second", note="in batches, from characters to predictions"),
        Column("longest wait (ms)", note="19 of 20 single texts are answered within this time"),
        Column(f"{view.currency} a million texts"),
        Column("size on disk"),
        Column("state", numeric=False),
    )


def _scale(view: WorthView) -> Scale:
    """Return the scale on which the intervals of all rows are drawn; rungs that predict a constant are not counted."""
    rows = [view.ladder[rung] for rung in view.scored() if not view.is_floor(rung)] or list(view.ladder.values())
    ends = [finite(row[name]) for row in rows for name in ("score", "low", "high")]
    known = [end for end in ends if end is not None]
    return cell_scale(*padded(known)) if known else cell_scale(0, 1)


def _cells(view: WorthView, row: Row, scale: Scale) -> tuple[Cell, ...]:
    why = str(row["reason"] or f"the rung was {row['state']}") if finite(row["score"]) is None else ""
    cost = view.costs.get(row["rung"], {})
    untimed = why or "not timed"
    return (
        Cell(view.title(row["rung"]), picture=key(view.style(row["rung"]))),
        _score(view, row, scale, why),
        _gap(view, row, why),
        *((_multiple(row, why),) if view.has_context else ()),
        _figure(cost.get("texts_per_second"), speed, untimed),
        _figure(cost.get("p95_ms"), figures, untimed),
        _figure(cost.get("price_per_million"), lambda price: money(price, ""), untimed),
        _figure(row["disk_bytes"], size_in_bytes, why or "not known"),
        _state(view, row),
    )


def _figure(value: object, write: Callable[[float | None], str], why: str) -> Cell:
    known = finite(value)
    return Cell(write(known), known, why=why)


def _score(view: WorthView, row: Row, scale: Scale, why: str) -> Cell:
    score, low, high = (finite(row[name]) for name in ("score", "low", "high"))
    if score is None:
        return Cell(ABSENT, why=why)
    picture = draw_in_cell(score, low, high, scale=scale, style=view.style(row["rung"]))
    return Cell(view.unit.score(score), score, detail=view.unit.interval(low, high), picture=picture)


def _gap(view: WorthView, row: Row, why: str) -> Cell:
    if row["rung"] == view.best:
        return Cell("best ✓" if row["within"] else "best", 0.0)
    gap = finite(row["gap"])
    tick = " ✓" if row["within"] and gap is not None else ""
    detail = view.interval(row, "gap_", signed=True)
    return Cell(view.unit.gap(gap) + tick, gap, detail=detail, why=why or "not compared")


def _multiple(row: Row, why: str) -> Cell:
    state, value = row["multiple_state"], finite(row["multiple"])
    low, high = number(row["multiple_low"]), number(row["multiple_high"])
    between = multiple_interval(low, high) if state == "exact" else ""
    at = finite(row.get("multiple_labels"))
    detail = "; ".join(part for part in (between, "" if at is None else f"at {count(at)}") if part)
    written = multiple(state, row)
    sort = float("inf") if state == "never" else value
    return Cell(written, sort, detail=detail, why=why or "nothing to compare with")


def _state(view: WorthView, row: Row) -> Cell:
    """Return the cell of a rung's state, with its reason, and the number of labels of its score if not all."""
    state, labels = str(row["state"]), finite(row["labels"])
    fewer = (
        f"at {count(labels)} labels"
        if labels is not None and view.most_labels is not None and labels < view.most_labels
        else ""
    )
    reason = "" if state == "measured" else str(row["reason"] or "")
    return Cell(state, detail="; ".join(part for part in (fewer, reason) if part))


def other_metrics(view: WorthView) -> Grid | None:
    """Return the table of the scores by other metrics of each rung that learned from all labels.

    The result is None for a record without scores by other metrics.
    """
    rows = view.rows("metrics")
    names = list(dict.fromkeys(str(row["metric"]) for row in rows))
    by_rung_and_metric = {(row["rung"], row["metric"]): row for row in rows}
    if not rows:
        return None
    columns = (Column("rung", numeric=False), *(Column(unit(name).title) for name in names))
    lines = tuple(
        (
            Cell(view.title(rung), picture=key(view.style(rung))),
            *(_metric(by_rung_and_metric.get((rung, name)), name) for name in names),
        )
        for rung in dict.fromkeys(row["rung"] for row in rows)
    )
    return Grid("The same runs by other metrics", columns, (*lines, *_ceilings(rows, names)), sortable=True)


def _ceilings(rows: Sequence[Row], names: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row with the highest score that any predictions could have by each metric, if one is known."""
    ceilings = {str(row["metric"]): finite(row.get("ceiling")) for row in rows}
    if any(value is not None for value in ceilings.values()):
        of_metrics = ((ceilings[name], unit(name)) for name in names)
        yield (
            Cell("at most"),
            *(
                Cell(ABSENT, why="perfect predictions reach 100") if value is None else Cell(scale.score(value), value)
                for value, scale in of_metrics
            ),
        )


def _metric(row: Row | None, name: str) -> Cell:
    if row is None or finite(row["score"]) is None:
        return Cell(ABSENT, why="not defined for this rung")
    score, low, high = (finite(row[end]) for end in ("score", "low", "high"))
    return Cell(unit(name).score(score), score, detail=unit(name).interval(low, high))


def multiples(view: WorthView) -> Grid | None:
    """Return the table of label multiples; None for a record without label multiples.

    A label multiple is how many times as many labels a cheap rung needs to score what a contextual rung scores.
    """
    rows = view.rows("multiples")
    if not rows:
        return None
    heads = ("rung", "against", "at labels", "direction", "multiple", "95 % interval")
    columns = tuple(Column(head, numeric=head in {"at labels", "multiple", "95 % interval"}) for head in heads)
    return Grid("Label multiples", columns, tuple(_multiple_row(view, row) for row in rows), sortable=True)


def test_sizes(view: WorthView) -> Grid | None:
    """Return the table of sizes of the test part, each with the smallest difference of two rungs that it would detect.

    Returns:
        The table, which also has the price of the labels of each size; None for a record without these sizes.
    """
    rows, price = view.rows("power"), finite(view.settings.get("label_price"))
    if not rows:
        return None
    pair = f"{view.title(rows[0]['contextual'])} and {view.title(rows[0]['cheap'])}"
    heads = (
        "test texts",
        "labelled rows",
        "price of the labels",
        "smallest lead",
        "smallest margin, if they are equal",
    )
    cells = [
        [
            count(finite(row["items"])),
            count(finite(row["rows"])),
            money(None if price is None else price * row["rows"], view.currency),
            points_phrase(row["lead"]),
            points_phrase(row["margin"]),
        ]
        for row in rows
    ]
    return plain(
        f"The smallest differences of {pair} that more test texts would show, in four of five studies", heads, cells
    )


def _multiple_row(view: WorthView, row: Row) -> tuple[Cell, ...]:
    low, high = number(row["low"]), number(row["high"])
    between = ABSENT if row["state"] == "never" else multiple_interval(low, high) or ABSENT
    return (
        Cell(view.title(row["rung"]), picture=key(view.style(row["rung"]))),
        Cell(view.title(row["against"])),
        Cell(count(finite(row["labels"])), finite(row["labels"])),
        Cell(_DIRECTIONS.get(str(row["direction"]), str(row["direction"] or ""))),
        Cell(multiple(row["state"], row), finite(row["multiple"]), why="not defined"),
        Cell(between, low, why="not bounded on both sides"),
    )
