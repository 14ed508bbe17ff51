"""A model as studies of layers see it: its name, how many layers it has, how wide they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from wordworth.errors import BadInput
from wordworth.models.static_embeddings import StaticTable
from wordworth.records import Finding
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.models.length_batching import LengthReport
    from wordworth.models.text_encoder import TextEncoder

Pooling = Literal["mean", "first", "last"]
"""How a word's pieces become one vector: their mean, or the first or last alone."""


class LayerReader(Protocol):
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

    @property
    def dtype(self) -> str:
        """What it computes in."""
        ...

    @property
    def last_layer_note(self) -> str:
        """What the last layer is, in words, where that is a choice; else empty."""
        ...

    def lengths(self, texts: Sequence[str | Sequence[str]]) -> LengthReport | None:
        """What becomes of texts (or sentences of given words) longer than is read at once; None where all are read."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderLayers:
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

    @property
    def dtype(self) -> str:
        """What the encoder computes in."""
        return self.encoder.dtype

    @property
    def last_layer_note(self) -> str:
        """A body that normalises before each branch (GPT-2) has one more norm, which may stand before or behind it."""
        config = self.encoder.model.config
        if getattr(config, "norm", "post") == "post":
            return ""
        return {"after_final_norm": "after the final norm", "before_final_norm": "before the final norm"}[
            config.last_layer  # type: ignore[attr-defined]  # every body with a `norm` has it
        ]

    def lengths(self, texts: Sequence[str | Sequence[str]]) -> LengthReport | None:
        """Long ones are read in overlapping windows."""
        read = self.encoder.tokenizer
        written = read.encode([text for text in texts if isinstance(text, str)])
        given = read.encode_words([text for text in texts if not isinstance(text, str)])
        return self.encoder.lengths([*written, *given])


@dataclass(frozen=True, slots=True)
class StaticLayers:
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

    @property
    def dtype(self) -> str:
        """Nothing is computed: vectors are float32."""
        return "float32"

    @property
    def last_layer_note(self) -> str:
        """There is no choice."""
        return ""

    def lengths(self, texts: Sequence[str | Sequence[str]]) -> LengthReport | None:  # noqa: ARG002 - as encoders have it
        """No text is too long to look its words up."""
        return None


def require_unique_names(names: Iterable[str], *, called: str, mend: str) -> None:
    """Rows of a record are told apart by names alone: two of one name would become one curve.

    Raises:
        BadInput: a name comes twice.
    """
    seen = set[str]()
    for name in names:
        if name in seen:
            raise BadInput(f"two {called} are called {name!r}", mend=mend)
        seen.add(name)


def long_texts(name: str, lengths: LengthReport | None) -> Iterator[Finding]:
    """A warning where a model could not see every text whole."""
    if lengths is not None and lengths.windowed:
        text = (
            f"{name}: {count_of(lengths.windowed, 'text')} of {lengths.texts:,} did not fit into {lengths.limit} "
            "tokens and went in overlapping windows, so that words there saw only the text near them."
        )
        numbers = {"windowed": lengths.windowed, "texts": lengths.texts, "limit": lengths.limit}
        yield Finding(f"warning.long_texts.{name}", text, numbers)
