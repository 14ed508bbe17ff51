"""A view of a senses record for its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wordworth.reports.number_format import finite
from wordworth.reports.record_view import LayeredView, Row
from wordworth.text_format import join_words

AMBIGUOUS, NEAREST, FREQUENT = "ambiguous", "nearest centroid", "most frequent sense"
CHOSEN = -1
_TEACHERS = {"part": "the train part shows", "documents": "other documents show", "sentences": "other sentences show"}


@dataclass(frozen=True)
class View(LayeredView):
    """The record, its models, and its sets."""

    needed = frozenset({"models", "sets", "scores"})

    def sets(self, what: str) -> list[str]:
        """The sets of `tagged words` or of `pairs`."""
        return [str(row["data"]) for row in self.rows("sets") if row["what"] == what]

    def rows_of_set(self, table: str, data: str) -> list[Row]:
        """The rows of a table that are of one set."""
        return [row for row in self.rows(table) if row["data"] == data]

    def scores(self, data: str, of: str = AMBIGUOUS) -> list[Row]:
        """The scores of one set."""
        return [row for row in self.rows_of_set("scores", data) if row["of"] == of]

    def teachers(self, data: str) -> str:
        """The texts that show a tested word's senses: `the train part shows`, `other documents show`."""
        row = next(row for row in self.rows("sets") if row["data"] == data)
        return _TEACHERS.get(str(row.get("teachers")), "the training data shows")

    def usual(self, data: str) -> Row:
        """The score of the most frequent sense."""
        return next(row for row in self.scores(data) if row["system"] == FREQUENT)

    def by_layer(self, data: str, model: str) -> Iterator[Row]:
        """A model's scores at each layer."""
        for row in self.scores(data):
            if row["system"] == NEAREST and row["model"] == model and row["layer"] != CHOSEN:
                yield row

    def chosen(self, data: str, model: str) -> Row:
        """A model's score at layers that were chosen on other documents."""
        return next(row for row in self.scores(data) if row["model"] == model and row["layer"] == CHOSEN)


def percent(value: object) -> float | None:
    """A share as points of 100; None if there is none."""
    share = finite(value)
    return None if share is None else 100 * share


def layer_names(row: Row) -> str:
    """The layers behind a score of chosen layers: `layer 6`, `layers 3 and 6`; empty if the record has none."""
    numbers = [str(layer) for layer in row.get("layers") or ()]
    return f"layer{'s' * (len(numbers) > 1)} {join_words(numbers)}" if numbers else ""
