"""A record of models studied layer by layer: which they are, how deep, and how each is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordworth.errors import BadInput
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.record_view import RecordView, Row

_MOST_LAYERS = 10_000
_NEEDED = frozenset({"models", "layers", "sets", "scores"})
_MARKERS = ((6, "circle"), (7, "square"), (4, "triangle"), (3, "diamond"), (5, "down"), (2, "plus"), (1, "cross"))
LOOKS = tuple(SeriesStyle(slot, shape) for slot, shape in _MARKERS)


@dataclass(frozen=True)
class Layered(RecordView):
    """The record and its models."""

    def rows(self, table: str) -> list[Row]:
        """The rows of a table of the record; empty if the record has no such table, which leaves its section empty.

        Raises:
            KeyError: the table is missing and there is no answer without it.
        """
        return super().rows(table) if table in self.plain["tables"] or table in _NEEDED else []

    @cached_property
    def models(self) -> list[Row]:
        """The models, in the order in which the user named them.

        Raises:
            BadInput: a number of layers is larger than any model's, or not a number.
        """
        models = self.rows("models")
        for row in models:
            if not isinstance(row["layers"], int) or not 0 <= row["layers"] <= _MOST_LAYERS:
                raise BadInput(f"a model of this record has {row['layers']!r:.60} layers", mend="run the study again")
        return models

    @cached_property
    def looks(self) -> dict[str, SeriesStyle]:
        """The colour and shape of each model, the same in every chart."""
        return {str(row["model"]): LOOKS[index % len(LOOKS)] for index, row in enumerate(self.models)}

    def depth(self, model: str) -> int:
        """The number of layers above the input layer."""
        return next(int(row["layers"]) for row in self.models if row["model"] == model)
