"""The figures of the gain of context on easy and on hard texts, and of the share of a gain that static tables keep.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from wordworth.reports.captions import caption_of
from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, Unit, count, figures, finite, share
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, table_of, value
from wordworth.reports.worth.record_view import WorthView

SLICES, STATIC = "slices", "static"
_ERROR = Unit("error")
_READ_SLICES = (
    "Each measure splits the test part into an easy and a hard half; a gap is the rung's error minus that of the "
    "contextual rung. A point right of 0 says that context leads by more on the hard half; the line through it is the "
    "95 % interval. The grey stroke is what would be expected anyway: everyone errs more on hard texts, so a lead that "
    "has nothing to do with the measure grows there too. It is found by shuffling the measure among equally difficult "
    "texts. The table has two more tests, which shared difficulty cannot mislead: of the texts on which the two rungs "
    "differ, whether those that context wins are the harder ones; and the same among texts of like length and words."
)
_READ_STATIC = (
    "0 % is a table no better than random vectors, which tell words apart and know nothing else; "
    "100 % is one as good as the encoder. The point is what was measured, with its 95 % interval. The grey stroke is "
    "what the geometry predicts without a single label: the share of the variance of the encoder's states that is "
    "decided by the word itself, whatever its context. On real data it predicted no better than one guess for all "
    "data sets: where the two differ, believe the measurement."
)


def slices_figure(view: WorthView) -> Figure | None:
    """Return the figure of the lead of contextual rungs over cheap ones, on easy and on hard test texts.

    The result is None for a record in which no contextual rung has a score.
    """
    rows = view.rows("slices")
    if not rows and not view.has_context:
        return None
    if not rows:
        return Figure(SLICES, "Where context pays was not measured", "", absent="The record holds no slices.")
    chart = _chart(view, rows)
    caption = caption_of(view, SLICES)
    if all(finite(row["difference"]) is None for row in rows):
        absent = "Every measure is the same for nearly all texts, so there are no two halves to compare."
        return Figure(SLICES, caption.title, "", table=_table(view, rows), absent=absent)
    return Figure(
        SLICES,
        caption.title,
        f"Difference between hard-half and easy-half gap for {len(rows)} comparisons. {caption.title}.",
        drawn(lambda size, label: dot_intervals.draw(chart, size, label), SLICES, height=dot_intervals.height(chart)),
        _table(view, rows),
        caption.notes,
        reading=(*_meanings(rows), _READ_SLICES),
    )


def _meanings(rows: list[Row]) -> tuple[str, ...]:
    meanings = {str(row["measure"]): str(row["meaning"]) for row in rows}
    return tuple(f"{measure.capitalize()}: {meaning.rstrip('.')}." for measure, meaning in meanings.items())


def _chart(view: WorthView, rows: list[Row]) -> DotChart:
    groups = groupby(rows, key=lambda row: str(row["measure"]))
    axis = "hard-half gap minus easy-half gap (points of error)"
    return DotChart(
        tuple((measure, tuple(_slice(view, row) for row in group)) for measure, group in groups),
        axis,
        lambda value: _ERROR.tick(value) if value <= 0 else f"+{_ERROR.tick(value)}",
        include=(0.0,),
        null_name="expected anyway",
        rules=False,
    )


def _slice(view: WorthView, row: Row) -> DotRow:
    unit, (rival, _) = _ERROR, view.pair(row)
    difference, low, high = (finite(row[name]) for name in ("difference", "low", "high"))
    null, chance = finite(row["null_difference"]), finite(row["p"])
    described = (
        f"gap on the easy half {unit.gap(finite(row['easy_gap']))}",
        f"gap on the hard half {unit.gap(finite(row['hard_gap']))}",
        f"difference {unit.gap(difference)} ({unit.interval(low, high, signed=True) or 'no interval'})",
        f"expected anyway {unit.gap(null)}, p = {figures(chance)}",
    )
    return DotRow(
        view.title(rival),
        (Dot(view.style(rival), difference, low, high, null),),
        tuple((None, line) for line in described),
        title=f"{row['measure']}, against {view.title(rival)}",
        strong=rival in view.compared,
        absent="too few texts in a half",
    )


def _table(view: WorthView, rows: list[Row]) -> Grid:
    gap, few, alike = _ERROR.gap, "too few texts in a half", "too few texts differ"
    won = (
        "of a text only context gets right and one only the rung gets right, how often the former is the harder; "
        "0.5 is chance"
    )
    shuffled = "what remains when the measure is shuffled among equally difficult texts"

    def yes_or_no(name: str) -> Callable[[Row], Cell]:
        return lambda row: Cell({True: "yes", False: "no"}.get(row[name], ABSENT), why=few)

    fields = (
        (Column("measure", numeric=False), lambda row: str(row["measure"])),
        (Column("rung", numeric=False), lambda row: view.title(row["rung"])),
        (Column("against", numeric=False), lambda row: view.title(row["against"])),
        (Column("easy texts"), value("easy_n", count, "not counted")),
        (Column("hard texts"), value("hard_n", count, "not counted")),
        (Column("undefined"), value("undefined_n", count, "not counted")),
        (Column("gap, easy"), value("easy_gap", gap, few)),
        (Column("gap, hard"), value("hard_gap", gap, few)),
        (Column("difference"), value("difference", gap, few)),
        (Column("95 % interval"), lambda row: Cell(view.interval(row, signed=True) or ABSENT, why=few)),
        (Column("expected anyway", note=shuffled), value("null_difference", gap, few)),
        (Column("p", note="share of permutations with a difference at least as large"), value("p", figures, few)),
        (
            Column("relative, easy / hard", note="the share of the rival's errors that context removes"),
            _halves("relative"),
        ),
        (Column("log-odds, easy / hard", note="the gap on the log-odds scale"), _halves("logit")),
        (Column("harder when won", note=won), lambda row: Cell(_ranked(row, "rank"), why=alike)),
        (
            Column("beyond length and frequency", note="the same, of what the measure says beyond these two"),
            lambda row: Cell(_ranked(row, "rank_beyond"), why=alike),
        ),
        (Column("larger on hard", numeric=False), yes_or_no("larger_on_hard")),
        (Column("beyond the expected", numeric=False), yes_or_no("survives_null")),
    )
    return table_of("Gaps on easy and hard halves", fields, rows)


def _ranked(row: Row, name: str) -> str:
    value, low, high = (finite(row.get(column)) for column in (name, f"{name}_low", f"{name}_high"))
    return ABSENT if value is None else f"{figures(value)} ({figures(low)} to {figures(high)})"


def _halves(scale: str) -> Callable[[Row], Cell]:
    """Return a function from a row to the cell with the gap on the easy and on the hard half of the texts.

    `scale` is the scale of the gap: `relative` or `logit`.
    """

    def cell(row: Row) -> Cell:
        easy, hard = (finite(row[f"{scale}_{half}"]) for half in ("easy", "hard"))
        words = ABSENT if easy is None and hard is None else f"{figures(easy)} / {figures(hard)}"
        return Cell(words, why="too few texts in a half")

    return cell


def static_figure(view: WorthView) -> Figure | None:
    """Return the figure of the share of an encoder's gain that static tables keep; None if no table was distilled.

    A static table has one vector a word, distilled from the encoder. The gain is the encoder's score minus the score of
    random vectors.
    """
    rows = view.rows("static_share")
    if not rows:
        return None
    caption, table = caption_of(view, STATIC), _static_table(view, rows)
    if all(finite(row["kept"]) is None for row in rows):
        absent = caption.absent or "There is no gain to have a share of."
        return Figure(STATIC, caption.title, "", table=table, absent=absent)
    by_encoder: dict[str, list[DotRow]] = {}
    for row in rows:
        by_encoder.setdefault(view.title(row["against"]), []).append(_share_row(view, row))
    chart = DotChart(
        tuple((encoder if len(by_encoder) > 1 else "share kept", tuple(own)) for encoder, own in by_encoder.items()),
        f"share kept, % of the gain over {view.title(rows[0]['floor'])}",
        lambda value: f"{100 * value:.0f}".replace("-", "−"),
        include=(0.0,),
        null_name="predicted",
        rules=False,
    )
    text = f"The share of the encoder's gain that a static table keeps, predicted and measured. {caption.title}."
    height = dot_intervals.height(chart)
    drawings = drawn(lambda size, label: dot_intervals.draw(chart, size, label), STATIC, height=height)
    return Figure(STATIC, caption.title, text, drawings, table, caption.notes, reading=(_READ_STATIC,))


def _share_row(view: WorthView, row: Row) -> DotRow:
    kept, low, high, predicted = (finite(row[name]) for name in ("kept", "kept_low", "kept_high", "predicted"))
    measured = f"measured {share(kept)} ({share(low)} to {share(high)})"
    return DotRow(
        view.title(row["rung"]),
        (Dot(view.style(row["rung"]), kept, low, high, predicted),),
        ((None, measured), (None, f"predicted {share(predicted)}")),
        title=f"share kept, against {view.title(row['rung'])}",
        absent="no gain to have a share of",
    )


def _static_table(view: WorthView, rows: list[Row]) -> Grid:
    unread, unsure = "no occurrences were read", "the encoder's lead over the floor is not sure"
    states = "of the encoder's states on the training texts"
    fields = (
        (Column("table", numeric=False), lambda row: view.title(row["rung"])),
        (Column("of", numeric=False), lambda row: view.title(row["against"])),
        (Column("at labels"), value("labels", count)),
        (Column("variance that is the words'", note=states), value("word_share", share, unread)),
        (Column("predicted"), value("predicted", share, unread)),
        (Column("kept"), value("kept", share, unsure)),
        (Column("95 % interval"), lambda row: Cell(_interval(row) or ABSENT, why=unsure)),
        (Column("the encoder's gain", note="over random vectors, in points"), value("gain", view.unit.gap)),
        (Column("gap to the encoder", note="in points"), value("gap", view.unit.gap)),
        (Column("95 % interval"), lambda row: view.interval(row, "gap_", signed=True)),
    )
    return table_of("What a static table keeps", fields, rows)


def _interval(row: Row) -> str:
    """Return in words the interval of the share of the gain that a static table keeps; empty if there is none."""
    low, high = finite(row["kept_low"]), finite(row["kept_high"])
    return "" if low is None or high is None else f"{share(low)} to {share(high)}"
