"""A context record made ready to be told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordworth.pages.charts.palette import Look
from wordworth.records import Record

Row = Mapping[str, Any]
_LOOKS = tuple(Look(slot, shape) for slot, shape in ((6, "circle"), (7, "square"), (4, "triangle"), (3, "diamond"),
                                                     (5, "down"), (2, "plus"), (1, "cross")))  # fmt: skip


@dataclass(frozen=True)
class View:
    """The record as its JSON file would hold it, so that a page is the same before and after saving."""

    plain: Mapping[str, Any]

    @classmethod
    def of(cls, record: Record) -> View:
        """The view of a record."""
        return cls(json.loads(record.to_json()))

    @cached_property
    def models(self) -> list[Row]:
        """The models in the order in which they were given."""
        return self.rows("models")

    @cached_property
    def layers(self) -> list[Row]:
        """A row a model, layer and measure."""
        return self.rows("layers")

    @cached_property
    def looks(self) -> dict[str, Look]:
        """A colour and a shape a model, the same in every chart."""
        return {str(row["model"]): _LOOKS[place % len(_LOOKS)] for place, row in enumerate(self.models)}

    def depth(self, model: str) -> int:
        """Layers above the input layer."""
        return next(int(row["layers"]) for row in self.models if row["model"] == model)

    def rows(self, table: str) -> list[Row]:
        """A table of the record row by row."""
        columns: Mapping[str, Sequence[Any]] = self.plain["tables"][table]["columns"]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def findings(self, prefix: str) -> list[Row]:
        """The findings named `prefix` or `prefix.*`."""
        return [row for row in self.plain["findings"] if row["name"].split(".")[0] == prefix]
