"""The sentences of the charts of a senses record: which models are ahead of the baseline, how far apart senses are."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.number_format import finite, written
from wordworth.reports.record_view import Row
from wordworth.reports.senses.view import EXPLANATIONS, SCORE, View, explanation_chart, layer_names
from wordworth.text_format import join_words

_TEACHERS = {"part": "the train part shows", "documents": "other documents show", "sentences": "other sentences show"}
_HELD = {
    False: "Alone: a word of many senses also stands in many sentences and has many forms, so these lines share what "
    "they explain.",
    True: "With the other three and the part of speech held fixed: what each explains that the others do not.",
}
_WORDS = (
    "Senses: how many the word is tagged with. Sentences: how many it stands in. Variety: how little the words around "
    "it repeat. Forms: how often two occurrences are written differently (say, said)."
)


def captions(record: Record) -> dict[str, Caption]:
    """Return the caption of every chart by the chart's name."""
    view = View.of(record)
    return {
        **{f"senses-{data}": _senses(view, data) for data in view.sets("tagged words")},
        **{f"pairs-{data}": _pairs(view, data) for data in view.sets("pairs")},
        **{f"apart-{data}": _separation(view, data, rows) for data, rows in view.separations.items()},
        **{explanation_chart(held): _explanation(models, held=held) for held, models in view.explanations.items()},
    }


def _senses(view: View, data: str) -> Caption:
    chosen = [view.chosen(data, name) for name in view.styles]
    rival = f"the most frequent sense ({SCORE.score(finite(view.usual(data)['score']) or 0.0)})"
    at = ", ".join(f"{row['model']} {layer_names(row)}" for row in chosen if layer_names(row))
    note = (
        f"Of {chosen[0]['words']:,} tested words that have a choice: {_teachers(view, data)} two senses or more of "
        "them. Dotted: the most frequent sense. The title's figures are at the layer that is best on the other half "
        f"of the tested texts{': ' * bool(at)}{at}."
    )
    title = f"{data}: {_scores_in_words(chosen, 'score')}, {_comparison(chosen, rival, 'gap_low', 'gap_high')}"
    return Caption(title, (note,))


def _teachers(view: View, data: str) -> str:
    """Return which texts show a tested word's senses: `the train part shows`, `other documents show`."""
    row = next(row for row in view.rows("sets") if row["data"] == data)
    return _TEACHERS.get(str(row.get("teachers")), "the training data shows")


def _pairs(view: View, data: str) -> Caption:
    chosen = [row for row in view.rows_of_set("pairs", data) if row["chosen"]]
    beyond = [{**row, "above": row["low"] - row["chance"], "below": row["high"] - row["chance"]} for row in chosen]
    title = f"{data}: {_scores_in_words(chosen, 'test')}, {_comparison(beyond, 'chance', 'above', 'below')}"
    at = ", ".join(f"{row['model']} {row['layer']}" for row in chosen)
    grey = " Grey: published, the same pairs." * bool(view.comparable(data))
    note = (
        f"{chosen[0]['pairs']:,} test pairs; the threshold on the cosine is fitted on train, the layer of the title "
        f"chosen on dev ({at}). Dotted: chance.{grey}"
    )
    return Caption(title, (note,))


def _scores_in_words(rows: Sequence[Row], metric: str) -> str:
    """Return the scores in words: `minilm 93.4, mini 86.5 % right`."""
    return ", ".join(f"{row['model']} {SCORE.score(row[metric])}" for row in rows) + " % right"


def _comparison(rows: Sequence[Row], rival: str, low: str, high: str) -> str:
    """Return which models are surely ahead of the rival and which behind, by name if there are several models."""
    parts: dict[str, list[str]] = {}
    for row in rows:
        how = "ahead of" if row[low] > 0 else "behind" if row[high] < 0 else "not told apart from"
        parts.setdefault(how, []).append(str(row["model"]))
    if len(parts) == 1:
        return f"{'all ' * (len(rows) > 1)}{next(iter(parts))} {rival}"
    clauses = [
        f"{join_words(names)} {how} {rival if not index else 'it'}" for index, (how, names) in enumerate(parts.items())
    ]
    return ", ".join(clauses)


def _separation(view: View, data: str, rows: Sequence[Row]) -> Caption:
    of_models = [[row for row in rows if row["model"] == name] for name in view.styles]
    tops = [max(own, key=lambda row: float(row["difference"])) for own in of_models if own]
    differences = ", ".join(f"{written(row['difference'])} in {row['model']} (layer {row['layer']})" for row in tops)
    note = (
        f"Mean over {tops[0]['words']:,} words: the cosine of two occurrences in one sense ({written(tops[0]['same'])} "
        f"in {tops[0]['model']}) less that of two senses ({written(tops[0]['different'])}). Dotted: 0, what permuted "
        "sense labels give."
    )
    return Caption(f"{data}: occurrences of one sense are closer than those of two by {differences}", (note,))


def _explanation(models: Sequence[Sequence[Row]], *, held: bool) -> Caption:
    """Return the caption of one chart of explanations; the first model's rows are drawn."""
    rows, *others = models
    title = f"{'The others held fixed' if held else 'Each alone'}, {rows[0]['model']}: {_strongest(rows)}"
    if all(finite(row["value"]) is None for row in rows):
        return Caption(title, absent="Undefined: each follows wholly from the others, or does not vary.")
    drawn_note = f"{rows[0]['model']} on {rows[0]['data']}, {rows[0]['words']:,} words. {_HELD[held]}"
    other_notes = (f"In {other[0]['model']} {_strongest(other)}." for other in others if other)
    return Caption(title, (drawn_note, _WORDS, *other_notes))


def _strongest(rows: Sequence[Row]) -> str:
    """Return the strongest explanation in words: `at the top senses explain most (−0.24)`."""
    top = max(int(row["layer"]) for row in rows)
    known = [row for row in rows if row["layer"] == top and finite(row["value"]) is not None]
    if not known:
        return "undefined at the top"
    best = max(known, key=lambda row: abs(finite(row["value"]) or 0))
    return f"at the top {EXPLANATIONS[best['explanation']]} explain most ({written(best['value'])})"
