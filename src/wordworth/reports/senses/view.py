"""A senses record for its page: its sets, and the rows behind each chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.layer_figure import LayeredView
from wordworth.reports.number_format import unit
from wordworth.reports.record_view import Row
from wordworth.text_format import join_words

SCORE = unit("accuracy")
AMBIGUOUS, NEAREST, FREQUENT = "ambiguous", "nearest centroid", "most frequent sense"
CHOSEN = -1
EXPLANATIONS = {"senses": "senses", "contexts": "sentences", "variety": "variety", "forms": "forms"}
"""What a record calls each explanation -> what a page calls it."""
_DRAWN = ("BERT-large", "ELMo")
"""Published systems that are drawn; the table has all of them."""


@dataclass(frozen=True)
class View(LayeredView):
    """The record, its models, and its sets."""

    needed = frozenset({"models", "sets", "scores"})

    def sets(self, what: str) -> list[str]:
        """Return the names of the sets of `tagged words` or of `pairs`."""
        return [str(row["data"]) for row in self.rows("sets") if row["what"] == what]

    def rows_of_set(self, table: str, data: str) -> list[Row]:
        """Return the rows of a table that are of one set."""
        return [row for row in self.rows(table) if row["data"] == data]

    def scores(self, data: str, of: str = AMBIGUOUS) -> list[Row]:
        """Return the scores of one set."""
        return [row for row in self.rows_of_set("scores", data) if row["of"] == of]

    def usual(self, data: str) -> Row:
        """Return the score of the most frequent sense."""
        return next(row for row in self.scores(data) if row["system"] == FREQUENT)

    def by_layer(self, data: str) -> list[Row]:
        """Return the scores of every model at each layer."""
        return [row for row in self.scores(data) if row["system"] == NEAREST and row["layer"] != CHOSEN]

    def chosen(self, data: str, model: str) -> Row:
        """Return a model's score at layers that were chosen on other documents."""
        return next(row for row in self.scores(data) if row["model"] == model and row["layer"] == CHOSEN)

    def comparable(self, data: str) -> list[Row]:
        """Return the published scores on the same test items that are drawn beside the models."""
        return [row for row in self.rows_of_set("published", data) if row["same_test"] and row["system"] in _DRAWN]

    @cached_property
    def separations(self) -> dict[str, list[Row]]:
        """The rows of each set of tagged words that has words of two senses which each occur twice."""
        rows = {data: self.rows_of_set("apart", data) for data in self.sets("tagged words")}
        return {data: of_set for data, of_set in rows.items() if of_set}

    @cached_property
    def explanations(self) -> dict[bool, list[list[Row]]]:
        """The rows of each model with layers on the set with most words, without and with the others held fixed.

        Empty if words are too few for the first of these models, which is the one that is drawn.
        """
        rows = self.rows("explanations")
        models = [str(row["model"]) for row in self.models if row["layers"]]
        of_first = [row for row in rows if models and row["model"] == models[0]]
        if not of_first:
            return {}
        data = max(of_first, key=lambda row: row["words"])["data"]
        return {
            held: [
                [row for row in rows if row["data"] == data and row["held"] is held and row["model"] == model]
                for model in models
            ]
            for held in (False, True)
        }


def explanation_chart(held: bool) -> str:  # noqa: FBT001 - the key of `View.explanations`
    """Return the name of the chart of explanations without or with the others held fixed."""
    return f"explained-{'held' if held else 'alone'}"


def layer_names(row: Row) -> str:
    """Return the layers of a score at chosen layers: `layer 6`, `layers 3 and 6`; empty if the record has none."""
    numbers = [str(layer) for layer in row.get("layers") or ()]
    return f"layer{'s' * (len(numbers) > 1)} {join_words(numbers)}" if numbers else ""
