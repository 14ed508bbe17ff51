"""A view of a context record for its page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.layered_view import Layered
from wordworth.reports.record_view import Row


@dataclass(frozen=True)
class View(Layered):
    """The record, its models and layers, and how each model is drawn."""

    @cached_property
    def layers(self) -> list[Row]:
        """A row for each model, layer and measure."""
        return self.rows("layers")
