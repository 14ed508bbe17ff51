"""A `senses` record prepared for its page: the rows behind each chart, and the captions of charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.layer_figure import LayeredView
from wordworth.reports.number_format import finite, two_decimals, unit
from wordworth.reports.record_view import Row
from wordworth.sentence_formatting import join_words

SCORE = unit("accuracy")
AMBIGUOUS, NEAREST, FREQUENT = "ambiguous", "nearest centroid", "most frequent sense"
CHOSEN = -1
EXPLANATIONS = {"senses": "senses", "contexts": "sentences", "variety": "variety", "forms": "forms"}
"""What a record calls each explanation -> what a page calls it."""
_DRAWN = ("BERT-large", "ELMo")
"""Published systems that are drawn; the table has all of them."""
_TEACHERS = {"part": "the train part shows", "documents": "other documents show", "sentences": "other sentences show"}
_EXPLANATION_NOTES = {
    False: "Alone: a word of many senses also stands in many sentences and has many forms, so these lines share what "
    "they explain.",
    True: "With the other three and the part of speech held fixed: what each explains that the others do not.",
}
_WORDS = (
    "Senses: how many the word is tagged with. Sentences: how many it stands in. Variety: how little the words around "
    "it repeat. Forms: how often two occurrences are written differently (say, said)."
)


@dataclass(frozen=True)
class View(LayeredView):
    """A `senses` record prepared for its page, with its models and data sets."""

    needed = frozenset({"models", "sets", "scores"})

    def sets(self, what: str) -> list[str]:
        """Return the names of the data sets of one form: `tagged words`, or `pairs` of sentences."""
        return [str(row["data"]) for row in self.rows("sets") if row["what"] == what]

    def rows_of_set(self, table: str, data: str) -> list[Row]:
        """Return the rows of the record's table `table` for the data set `data`."""
        return [row for row in self.rows(table) if row["data"] == data]

    def scores(self, data: str, of: str = AMBIGUOUS) -> list[Row]:
        """Return the rows of the table `scores` for one data set.

        Args:
            data: name of the data set.
            of: the words that are scored: `ambiguous` ones, or `all`.
        """
        return [row for row in self.rows_of_set("scores", data) if row["of"] == of]

    def most_frequent_sense(self, data: str) -> Row:
        """Return the row of the baseline that predicts the most frequent sense, for one data set."""
        return next(row for row in self.scores(data) if row["system"] == FREQUENT)

    def by_layer(self, data: str) -> list[Row]:
        """Return the rows of the table `scores` with the score of each layer of each model on a data set."""
        return [row for row in self.scores(data) if row["system"] == NEAREST and row["layer"] != CHOSEN]

    def chosen(self, data: str, model: str) -> Row:
        """Return the row of a model's score on a data set, at layers that were chosen on other documents."""
        return next(row for row in self.scores(data) if row["model"] == model and row["layer"] == CHOSEN)

    def comparable(self, data: str) -> list[Row]:
        """Return the rows of published scores on the same test items, which are drawn beside the models' scores."""
        return [row for row in self.rows_of_set("published", data) if row["same_test"] and row["system"] in _DRAWN]

    @cached_property
    def separations(self) -> dict[str, list[Row]]:
        """Name of a data set -> rows of mean cosines within a sense and between senses, by layer.

        Data sets with too few words of several senses are left out.
        """
        rows = {data: self.rows_of_set("apart", data) for data in self.sets("tagged words")}
        return {data: of_set for data, of_set in rows.items() if of_set}

    @cached_property
    def explanations(self) -> dict[bool, list[list[Row]]]:
        """True (partial correlations) and False (simple ones) -> for each model its rows of the table `explanations`.

        In a partial correlation, the other explanations are controlled for. The rows are of the data set with the most
        words. The mapping is empty if the first model with layers has no rows, as there were too few words.
        """
        rows = self.rows("explanations")
        models = [str(row["model"]) for row in self.models if row["layers"]]
        of_first = [row for row in rows if models and row["model"] == models[0]]
        if not of_first:
            return {}
        data = max(of_first, key=lambda row: row["words"])["data"]
        return {
            partial: [
                [row for row in rows if row["data"] == data and row["held"] is partial and row["model"] == model]
                for model in models
            ]
            for partial in (False, True)
        }


def explanation_chart(partial: bool) -> str:  # noqa: FBT001 - the key of `View.explanations`
    """Return the name of a chart of correlations between a word's self-similarity and what may explain it.

    Args:
        partial: whether the correlations are partial, with the other explanations controlled for.
    """
    return f"explained-{'held' if partial else 'alone'}"


def layer_names(row: Row) -> str:
    """Return in words the layers at which a row's score was measured, as `layers 3 and 6`; empty if not known."""
    numbers = [str(layer) for layer in row.get("layers") or ()]
    return f"layer{'s' * (len(numbers) > 1)} {join_words(numbers)}" if numbers else ""


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `senses` record -> its caption."""
    view = View.of(record)
    return {
        **{f"senses-{data}": _senses(view, data) for data in view.sets("tagged words")},
        **{f"pairs-{data}": _pairs(view, data) for data in view.sets("pairs")},
        **{f"apart-{data}": _separation(view, data, rows) for data, rows in view.separations.items()},
        **{
            explanation_chart(partial): _explanation(models, partial=partial)
            for partial, models in view.explanations.items()
        },
    }


def _senses(view: View, data: str) -> Caption:
    chosen = [view.chosen(data, name) for name in view.styles]
    rival = f"the most frequent sense ({SCORE.score(finite(view.most_frequent_sense(data)['score']) or 0.0)})"
    at = ", ".join(f"{row['model']} {layer_names(row)}" for row in chosen if layer_names(row))
    note = (
        f"Of {chosen[0]['words']:,} tested words that have a choice: {_teachers(view, data)} two senses or more of "
        "them. Dotted: the most frequent sense. The title's figures are at the layer that is best on the other half "
        f"of the tested texts{': ' * bool(at)}{at}."
    )
    title = f"{data}: {_scores_in_words(chosen, 'score')}, {_comparison(chosen, rival, 'gap_low', 'gap_high')}"
    return Caption(title, (note,))


def _teachers(view: View, data: str) -> str:
    """Return in words which texts the senses of a tested word are learned from, such as `the train part shows`."""
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
    """Return in words which models are significantly ahead of the rival, and which behind.

    Models are named unless all have the same result.
    """
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
    differences = ", ".join(
        f"{two_decimals(row['difference'])} in {row['model']} (layer {row['layer']})" for row in tops
    )
    note = (
        f"Mean over {tops[0]['words']:,} words: the cosine of two occurrences in one sense "
        f"({two_decimals(tops[0]['same'])} in {tops[0]['model']}) less that of two senses "
        f"({two_decimals(tops[0]['different'])}). Dotted: 0, what permuted sense labels give."
    )
    return Caption(f"{data}: occurrences of one sense are closer than those of two by {differences}", (note,))


def _explanation(models: Sequence[Sequence[Row]], *, partial: bool) -> Caption:
    """Return the caption of one chart of explanations; the first model's rows are drawn."""
    rows, *others = models
    title = f"{'The others held fixed' if partial else 'Each alone'}, {rows[0]['model']}: {_strongest(rows)}"
    if all(finite(row["value"]) is None for row in rows):
        return Caption(title, absent="Undefined: each follows wholly from the others, or does not vary.")
    drawn_note = f"{rows[0]['model']} on {rows[0]['data']}, {rows[0]['words']:,} words. {_EXPLANATION_NOTES[partial]}"
    other_notes = (f"In {other[0]['model']} {_strongest(other)}." for other in others if other)
    return Caption(title, (drawn_note, _WORDS, *other_notes))


def _strongest(rows: Sequence[Row]) -> str:
    """Return the strongest explanation in words: `at the top senses explain most (−0.24)`."""
    top = max(int(row["layer"]) for row in rows)
    known = [row for row in rows if row["layer"] == top and finite(row["value"]) is not None]
    if not known:
        return "undefined at the top"
    best = max(known, key=lambda row: abs(finite(row["value"]) or 0))
    return f"at the top {EXPLANATIONS[best['explanation']]} explain most ({two_decimals(best['value'])})"
