"""The page of a `senses` record: accuracy by layer, an explorer of words, and explanations of self-similarity."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record, best_rows
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.number_format import count
from wordworth.reports.page import (
    KeyFigure,
    ReportHeader,
    machine,
    render_page,
    settings,
    sources,
    time_spent,
    verdict_header,
)
from wordworth.reports.record_view import Row
from wordworth.reports.senses import curves
from wordworth.reports.senses.record_view import SCORE, View, layer_names
from wordworth.reports.tables import CellMakers, Grid, row_table, value
from wordworth.reports.word_explorer import Explorer, WordCurve, WordDetails, explorer_of
from wordworth.sentence_formatting import count_of

_LEAST_TESTED, _BEST, _WORST = 20, 2, 2
_CURVES = {
    "same": ("one sense", SeriesStyle(6, "circle")),
    "self_similarity": ("any two", SeriesStyle(1, "square")),
    "different": ("two senses", SeriesStyle(7, "triangle")),
}


def page(record: Record) -> str:
    """Return the page of a `senses` record as HTML: answer, curves by layer, explorer, warnings and method."""
    view = View.of(record)
    accuracy = curves.accuracy(view)
    groups = [
        ("How far apart senses are", curves.separation(view)),
        ("Why occurrences of a word differ", curves.explanations(view)),
    ]
    return render_page(
        "senses.html.j2",
        view,
        _header(view),
        figures=[*accuracy, *(figure for _, figures in groups for figure in figures)],
        method=(settings(view), sources(view, "sentences or rows"), machine(view), time_spent(view, "model")),
        scripts=("explorer.js",),
        accuracy=accuracy,
        sets=_sets(view),
        grey=any(view.comparable(data) for data in view.sets("pairs")),
        published=_published(view),
        explorer=_explorer(view),
        groups=[group for group in groups if group[1]],
    )


def _header(view: View) -> ReportHeader:
    """Return the header of the page: the question, the answer, and a key figure for each data set."""
    names, numbers = ", ".join(str(row["model"]) for row in view.models), view.verdict
    tiles = [_tagged(view, row, numbers["tagged"]) for row in best_rows(numbers["tagged"], "data", "score")]
    tiles += [_pairs(row, numbers["pairs"]) for row in best_rows(numbers["pairs"], "data", "test")]
    return verdict_header(view, f"Word senses · {names} · {view.data['name']}", tiles)


def _tagged(view: View, row: Row, rows: Sequence[Row]) -> KeyFigure:
    usual = f"most frequent sense {SCORE.score(view.most_frequent_sense(row['data'])['score'])}"
    return _tile(row, "score", layer_names(row), _others(row, rows, "score"), usual)


def _pairs(row: Row, rows: Sequence[Row]) -> KeyFigure:
    return _tile(
        row, "test", f"layer {row['layer']}", _others(row, rows, "test"), f"chance {SCORE.score(row['chance'])}"
    )


def _tile(row: Row, metric: str, layer: str, others: Sequence[str], rival: str) -> KeyFigure:
    """Return the tile with the best model's score and, under it, interval, layer, other models and the baseline."""
    under = "; ".join(filter(None, (SCORE.interval(row["low"], row["high"]), layer, *others, rival)))
    return KeyFigure(f"{row['data']}, {row['model']}: % right", SCORE.score(row[metric]), under)


def _others(best: Row, rows: Sequence[Row], metric: str) -> list[str]:
    rest = (row for row in rows if row["data"] == best["data"] and row["model"] != best["model"])
    return [f"{row['model']} {SCORE.score(row[metric])}" for row in rest]


def _sets(view: View) -> Grid:
    numbers = {"sentences": "sentences", "words": "words", "senses": "senses", "training examples": "taught"}
    cells: CellMakers = {
        head: value(name, count, "pairs have no senses named") for head, name in {**numbers, "tested": "tested"}.items()
    }
    return row_table("Sets", {"set": "data", "what": "what", **cells}, view.rows("sets"), words=("what",))


def _published(view: View) -> Grid:
    cells: CellMakers = {
        "set": "data",
        "system": "system",
        "%": value("score", SCORE.score),
        "test items": lambda row: "the same" if row["same_test"] else "different: not comparable",
        "source": "source",
    }
    return row_table("Published figures", cells, view.rows("published"), numeric=False)


def _explorer(view: View) -> Explorer:
    """Return the word explorer: all words by name, and the best and the worst words relative to the baseline.

    It has no entries if the record has no words for it.
    """
    entries = explorer_of(view, _details)
    ranked = sorted((row for row in view.rows("explorer") if row["tested"] >= _LEAST_TESTED), key=_gain)
    best, worst = [row for row in ranked[::-1] if _gain(row) > 0], [row for row in ranked if _gain(row) < 0]
    return Explorer(
        entries=tuple(sorted(entries.values(), key=lambda entry: (entry.typed, entry.data))),
        appears="its occurrences by sense, its cosines by layer and its neighbours in two contexts",
        best=tuple(entries[row["entry"]] for row in best[:_BEST]),
        worst=tuple(entries[row["entry"]] for row in worst[:_WORST]),
        model=next((str(row["model"]) for row in view.models if row["layers"]), ""),
    )


def _gain(row: Row) -> float:
    """Return the share of occurrences that the vectors win over the most frequent sense, minus those they lose."""
    return float(row["right"] - row["frequent"]) / float(row["tested"])


def _details(row: Row, pictured: Sequence[Row]) -> WordDetails:
    rest = len(row["senses"]) - len({occurrence["sense"] for occurrence in pictured})
    return WordDetails(
        typed=str(row["word"]).partition(" (")[0].lower(),
        data=str(row["data"]),
        sentence=_tested(row, len(pictured)),
        curves=tuple(WordCurve(name, style, row[column]) for column, (name, style) in _CURVES.items()),
        others=f"{rest} rarer sense{'s' * (rest > 1)} not pictured" if rest else "",
    )


def _tested(row: Row, marks: int) -> str:
    number = count_of(row["occurrences"], "tagged example")
    drawn_part = f", {marks} of them shown" if marks < row["occurrences"] else ""
    if not row["tested"]:
        return f"Learned from {number}{drawn_part}. None of its occurrences is tested."
    right, baseline = (SCORE.score(row[name] / row["tested"]) for name in ("right", "frequent"))
    return (
        f"Learned from {number}{drawn_part}. Of {count_of(row['tested'], 'tested occurrence')} the nearest centroid "
        f"(layer {row['layer']}) gets {right} % right, the most frequent sense {baseline} %."
    )
