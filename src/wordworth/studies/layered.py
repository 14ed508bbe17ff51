"""A model as studies of layers see it: its name, how many layers it has, how wide they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from wordworth.models.static_table import StaticTable

if TYPE_CHECKING:
    from wordworth.models.encoder import TextEncoder


class Layered(Protocol):
    """What the studies ask of either."""

    @property
    def name(self) -> str:
        """What it was loaded as."""
        ...

    @property
    def layers(self) -> int:
        """How many there are, the input layer among them."""
        ...

    @property
    def width(self) -> int:
        """Numbers in a vector."""
        ...


@dataclass(frozen=True, slots=True)
class OfEncoder:
    """An encoder; whoever reads with it says how its units are cut."""

    encoder: TextEncoder

    @property
    def name(self) -> str:
        """What it was loaded as."""
        return self.encoder.name

    @property
    def layers(self) -> int:
        """How many there are, the input layer among them."""
        return self.encoder.depth + 1

    @property
    def width(self) -> int:
        """Numbers in a state."""
        return self.encoder.model.width


@dataclass(frozen=True, slots=True)
class OfTable:
    """A static table: one layer, and a word's vector is the same everywhere; the null of every measure of context."""

    table: StaticTable

    @property
    def name(self) -> str:
        """What it was loaded as."""
        return self.table.name

    @property
    def layers(self) -> int:
        """The input layer is all there is."""
        return 1

    @property
    def width(self) -> int:
        """Numbers in a vector."""
        return self.table.width
