"""A senses record made ready to be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wordworth.reports.layered_view import Layered
from wordworth.reports.number_format import finite
from wordworth.reports.record_view import Row
from wordworth.text_format import join_words

AMBIGUOUS, NEAREST, FREQUENT = "ambiguous", "nearest centroid", "most frequent sense"
CHOSEN = -1
_TEACHERS = {"part": "the train part shows", "documents": "other documents show", "sentences": "other sentences show"}


@dataclass(frozen=True)
class View(Layered):
    """The record, its models, and its sets."""

    def sets(self, what: str) -> list[str]:
        """The sets of `tagged words` or of `pairs`."""
        return [str(row["data"]) for row in self.rows("sets") if row["what"] == what]

    def scores(self, data: str, of: str = AMBIGUOUS) -> list[Row]:
        """The scores of one set."""
        return [row for row in self.rows("scores") if row["data"] == data and row["of"] == of]

    def teachers(self, data: str) -> str:
        """Who shows a tested word's senses: `the train part shows`, `other documents show`."""
        row = next(row for row in self.rows("sets") if row["data"] == data)
        return _TEACHERS.get(str(row.get("teachers")), "what teaches shows")

    def usual(self, data: str) -> Row:
        """The score of the most frequent sense."""
        return next(row for row in self.scores(data) if row["system"] == FREQUENT)

    def by_layer(self, data: str, model: str) -> Iterator[Row]:
        """A model's scores under each layer."""
        for row in self.scores(data):
            if row["system"] == NEAREST and row["model"] == model and row["layer"] != CHOSEN:
                yield row

    def chosen(self, data: str, model: str) -> Row:
        """A model's score under layers that were chosen on other documents."""
        return next(row for row in self.scores(data) if row["model"] == model and row["layer"] == CHOSEN)


def percent(value: object) -> float | None:
    """A share as points of 100; None where there is none."""
    found = finite(value)
    return None if found is None else 100 * found


def layers(row: Row) -> str:
    """`layer 6`, `layers 3 and 6`: those behind a score of chosen layers; empty where the record tells none."""
    some = [str(layer) for layer in row.get("layers") or ()]
    return f"layer{'s' * (len(some) > 1)} {join_words(some)}" if some else ""
