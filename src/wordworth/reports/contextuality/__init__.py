"""The page of a `context` record: measures of contextuality by layer, words that context changes, an explorer."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.charts.palette import SERIES, SeriesStyle
from wordworth.reports.contextuality.panels import panels
from wordworth.reports.contextuality.record_view import View
from wordworth.reports.number_format import count, finite, interval, two_decimals
from wordworth.reports.page import machine, render_page, settings, sources, time_spent, verdict_header
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, CellMakers, Grid, plain, row_table, value
from wordworth.reports.word_explorer import Entry, Explorer, WordCurve, WordDetails, explorer_of
from wordworth.sentence_formatting import decimal

_MOST_LISTED = 12
_OFTEN = 20
"""Fewest contexts of a listed word: with fewer, chance decides which word comes first."""
_ANY_TWO = SeriesStyle(1, "square")
_SETTING_NAMES = {
    "limit": "different sentences read at most",
    "contexts": "fewest different sentences of a word that counts",
    "first": "first words of sentences count",
    "pool": "occurrences drawn for the baseline and the space",
    "sample": "words drawn for what needs their vectors",
    "occurrences": "occurrences of each such word at most",
    "sentences": "sentences drawn for similarity within sentences, at most",
    "draws": "resampled sets behind each interval",
    "explorer": "words in the explorer at most",
    "word": "words requested for the explorer",
}
"""Descriptions of settings whose names do not explain themselves."""
_NO_LIMIT = ("limit", "none")


def page(record: Record) -> str:
    """Return the page of a `context` record as HTML: answer, a panel for each measure, words, warnings and method."""
    view = View.of(record)
    groups = panels(view)
    question = f"{view.data['name']} · {count(finite(view.data['sentences']))} different sentences"
    return render_page(
        "context.html.j2",
        view,
        verdict_header(view, question),
        figures=[figure for _, figures in groups for figure in figures],
        method=(_measures(view), _settings(view), sources(view, "sentences"), machine(view), time_spent(view, "model")),
        scripts=("explorer.js",),
        models=_models(view),
        groups=groups,
        grey=bool(view.rows("published")),
        words=_extremes(view),
        words_note=_words_note(view),
        explorer=_explorer(view),
    )


def _models(view: View) -> Grid:
    cells: CellMakers = {
        "model": "model",
        "layers": "layers",
        "hidden size": "width",
        "words studied": value("words", count),
        "occurrences": value("occurrences", count),
        "what counts as a word": "unit",
    }
    return row_table("Models", cells, view.models, words=("what counts as a word",))


def _measures(view: View) -> Grid:
    cells: CellMakers = {"measure": "measure", "what it is": "meaning", "its null": "null"}
    return row_table("Measures and their nulls", cells, view.rows("measures"), numeric=False)


def _settings(view: View) -> Grid:
    grid = settings(view)
    rows = [
        (_SETTING_NAMES.get(name.text, name.text), Cell("all") if (name.text, value.text) == _NO_LIMIT else value)
        for name, value in grid.rows
    ]
    return plain(grid.caption, ("name", "value"), rows, numeric=False)


def _words_note(view: View) -> str:
    """Return the note that says how many contexts a listed word has at least, and at which layer words are compared."""
    return (
        f"Only words in {_OFTEN} or more different sentences, if there are any (the measures count words from "
        f"{view.settings.get('contexts', 'some')} on): with fewer, chance decides which comes first. Of the layers "
        "named in the answer, this is the one where words are least alike once the mean vector is subtracted."
    )


def _extremes(view: View) -> list[Grid]:
    """Return tables of each layered model's least and most self-similar words; empty for a record without words."""
    rows, numbers = view.rows("words"), view.findings("verdict")[0]["numbers"]["models"]
    tables = []
    for model in (str(row["model"]) for row in view.models if row["layers"]):
        layer = int(numbers[model]["layer"])
        model_rows = [row for row in rows if row["model"] == model]
        if not model_rows:
            continue
        often = [row for row in model_rows if row["contexts"] >= _OFTEN] or model_rows
        ranked = sorted(often, key=lambda row: row["self_similarity"][layer])
        tables += [
            _word_table(f"{model}: most changed by context, layer {layer}", ranked[:_MOST_LISTED], layer),
            _word_table(f"{model}: least changed by context, layer {layer}", ranked[: -_MOST_LISTED - 1 : -1], layer),
        ]
    return tables


def _word_table(caption: str, rows: list[Row], layer: int) -> Grid:
    cells = [(str(row["word"]), decimal(row["self_similarity"][layer]), f"{row['contexts']:,}") for row in rows]
    return plain(caption, ("word", "self-similarity, not adjusted", "contexts"), cells)


def _explorer(view: View) -> Explorer:
    """Return the word explorer, in which each word's curve is drawn with the curve of any two words for comparison.

    The explorer has no entries if the record has no words for it.
    """
    rows = view.rows("explorer")
    entries = explorer_of(view, lambda row, _: _details(view, row)).values()
    tagged = any(row["senses"] for row in rows)
    return Explorer(
        entries=tuple(sorted(entries, key=_by_name)),
        note=_explorer_note(rows[0], tagged=tagged) if rows else "",
        appears=f"its occurrences{' by sense' * tagged}, its cosines by layer and its nearest words in two contexts",
    )


def _by_name(entry: Entry) -> tuple[str, str]:
    return entry.typed, entry.word


def _explorer_note(row: Row, *, tagged: bool) -> str:
    sense = " Its shape and colour are the sense that people gave it." if tagged else ""
    return (
        f"Words as {row['model']} sees them at layer {row['layer']}. Each mark is one occurrence of a word in its "
        f"sentence.{sense} Marks that are close together are similar to the model. Point at one to read its sentence."
    )


def _details(view: View, row: Row) -> WordDetails:
    any_two = _baseline(view, str(row["model"]))
    return WordDetails(
        typed=str(row["word"]).lstrip("Ġ▁").removeprefix("##").lower(),
        data=str(row["model"]),
        sentence=_sentence(row, any_two),
        curves=(
            WordCurve(str(row["word"]), SERIES[0], row["self_similarity"], row["low"], row["high"]),
            WordCurve("any two words", _ANY_TWO, any_two),
        ),
    )


def _baseline(view: View, model: str) -> list[float | None]:
    """Return the mean cosine of any two occurrences, by layer."""
    return [finite(row["value"]) for row in view.layers if row["measure"] == "baseline" and row["model"] == model]


def _sentence(row: Row, any_two: list[float | None]) -> str:
    layer = row["layer"]
    value, between = (
        two_decimals(row["self_similarity"][layer]),
        interval(row["low"][layer], row["high"][layer], two_decimals),
    )
    ends = f" (95 %: {between})" if between else ""
    return (
        f"Occurs in {row['contexts']:,} different sentences, {row['occurrences']:,} times. Two of its occurrences have "
        f"a mean cosine of {value}{ends} at layer {layer}; any two words have {two_decimals(any_two[layer])}."
    )
