"""Where context pays: the gap on hard and easy halves by three measures, each beside what would be expected anyway."""

from __future__ import annotations

from itertools import groupby

from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, Unit, count, figures, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title

NAME = "slices"
_ERROR = Unit("error")
_LEVEL = 0.05
"""The share of comparisons that exceed their null if there is nothing to find."""
_READ = (
    "Each measure splits the test part into an easy and a hard half; a gap is the rung's error minus that of the "
    "contextual rung. A point right of 0 says that context leads by more on the hard half; the line through it is the "
    "95 % interval. The grey stroke is what would be expected anyway: everyone errs more on hard texts, so a lead that "
    "has nothing to do with the measure grows there too. It is found by shuffling the measure among equally difficult "
    "texts. The table has two more tests, which shared difficulty cannot mislead: of the texts on which the two rungs "
    "differ, whether those that context wins are the harder ones; and the same among texts of like length and words."
)


def figure(study: Study) -> Figure | None:
    """The chart with its finding as title, or the reason for its absence; None if no rung has context."""
    rows = study.rows("slices")
    if not rows and not study.has_context:
        return None
    if not rows:
        return Figure(NAME, "Where context pays was not measured", "", absent="The record holds no slices.")
    chart, title = _chart(study, rows), _title(study, rows)
    if all(finite(row["difference"]) is None for row in rows):
        absent = "Every measure is the same for nearly all texts, so there are no two halves to compare."
        return Figure(NAME, title, "", table=_table(study, rows), absent=absent)
    return Figure(
        NAME,
        title,
        f"Difference between hard-half and easy-half gap for {len(rows)} comparisons. {title}.",
        drawn(lambda size, label: dot_intervals.draw(chart, size, label), NAME, height=dot_intervals.height(chart)),
        _table(study, rows),
        (*_meanings(rows), _READ),
        folded="How to read this",
    )


def _title(study: Study, rows: list[Row]) -> str:
    tried = [row for row in rows if row["larger_on_hard"] is not None]
    if not tried:
        return "No measure splits these texts into halves"
    larger, beyond = (sum(bool(row[name]) for row in tried) for name in ("larger_on_hard", "survives_null"))
    base = f"The gap to {_contextual(study, rows)} is larger on the hard half in {larger} of {len(tried)} comparisons"
    if not beyond:
        return f"{base}, in none of them by more than would be expected anyway"
    return f"{base}, in {beyond} of them by more than would be expected anyway (one in {1 / _LEVEL:.0f} is by luck)"


def _meanings(rows: list[Row]) -> tuple[str, ...]:
    meanings = {str(row["measure"]): str(row["meaning"]) for row in rows}
    return tuple(f"{measure.capitalize()}: {meaning.rstrip('.')}." for measure, meaning in meanings.items())


def _chart(study: Study, rows: list[Row]) -> DotChart:
    groups = groupby(rows, key=lambda row: str(row["measure"]))
    axis = "hard-half gap minus easy-half gap (points of error)"
    return DotChart(
        tuple((measure, tuple(_slice(study, row) for row in group)) for measure, group in groups),
        axis,
        lambda value: _ERROR.tick(value) if value <= 0 else f"+{_ERROR.tick(value)}",
        include=(0.0,),
        null_name="expected anyway",
        rules=False,
    )


def _sides(study: Study, row: Row) -> tuple[str, str]:
    """The rival and the contextual rung of a row, whichever side of the row each is on."""
    rung, against = str(row["rung"]), str(row["against"])
    return (against, rung) if study.is_contextual(rung) and not study.is_contextual(against) else (rung, against)


def _contextual(study: Study, rows: list[Row]) -> str:
    """The contextual rung that all others are compared with."""
    named = {_sides(study, row)[1] for row in rows}
    return inline_title(study.title(named.pop())) if len(named) == 1 else "context"


def _slice(study: Study, row: Row) -> DotRow:
    unit, (rival, _) = _ERROR, _sides(study, row)
    difference, low, high = (finite(row[name]) for name in ("difference", "low", "high"))
    null, chance = finite(row["null_difference"]), finite(row["p"])
    described = (
        f"gap on the easy half {unit.gap(finite(row['easy_gap']))}",
        f"gap on the hard half {unit.gap(finite(row['hard_gap']))}",
        f"difference {unit.gap(difference)} ({unit.interval(low, high, signed=True) or 'no interval'})",
        f"expected anyway {unit.gap(null)}, p = {figures(chance)}",
    )
    return DotRow(
        study.title(rival),
        (Dot(study.look(rival), difference, low, high, null),),
        tuple((None, line) for line in described),
        title=f"{row['measure']}, against {study.title(rival)}",
        absent="too few texts in a half",
    )


def _table(study: Study, rows: list[Row]) -> Grid:
    columns = (
        Column("measure", numeric=False),
        Column("rung", numeric=False),
        Column("against", numeric=False),
        Column("easy texts"),
        Column("hard texts"),
        Column("undefined"),
        Column("gap, easy"),
        Column("gap, hard"),
        Column("difference"),
        Column("95 % interval"),
        Column("expected anyway", note="what remains when the measure is shuffled among equally difficult texts"),
        Column("p", note="share of permutations with a difference at least as large"),
        Column("relative, easy / hard", note="the share of the rival's errors that context removes"),
        Column("log-odds, easy / hard", note="the gap on the log-odds scale"),
        Column(
            "harder when won",
            note="of a text only context gets right and one only the rung gets right, how often "
            "the former is the harder; 0.5 is chance",
        ),
        Column("beyond length and frequency", note="the same, of what the measure says beyond these two"),
        Column("larger on hard", numeric=False),
        Column("beyond the expected", numeric=False),
    )
    return Grid("Gaps on easy and hard halves", columns, tuple(_cells(study, row) for row in rows))


def _cells(study: Study, row: Row) -> tuple[Cell, ...]:
    unit, why = _ERROR, "too few texts in a half"
    counts = (count(finite(row[name])) for name in ("easy_n", "hard_n", "undefined_n"))
    gaps = (unit.gap(finite(row[name])) for name in ("easy_gap", "hard_gap", "difference"))
    between = unit.interval(finite(row["low"]), finite(row["high"]), signed=True) or ABSENT
    return (
        Cell(str(row["measure"])),
        Cell(study.title(row["rung"])),
        Cell(study.title(row["against"])),
        *(Cell(words, why="not counted") for words in counts),
        *(Cell(words, why=why) for words in gaps),
        Cell(between, why=why),
        Cell(unit.gap(finite(row["null_difference"])), why=why),
        Cell(figures(finite(row["p"])), why=why),
        Cell(_pair(row, "relative"), why=why),
        Cell(_pair(row, "logit"), why=why),
        *(Cell(_ranked(row, name), why="too few texts differ") for name in ("rank", "rank_beyond")),
        *(
            Cell({True: "yes", False: "no"}.get(row[name], ABSENT), why=why)
            for name in ("larger_on_hard", "survives_null")
        ),
    )


def _ranked(row: Row, name: str) -> str:
    value, low, high = (finite(row.get(column)) for column in (name, f"{name}_low", f"{name}_high"))
    return ABSENT if value is None else f"{figures(value)} ({figures(low)} to {figures(high)})"


def _pair(row: Row, scale: str) -> str:
    easy, hard = (finite(row[f"{scale}_{half}"]) for half in ("easy", "hard"))
    return ABSENT if easy is None and hard is None else f"{figures(easy)} / {figures(hard)}"
