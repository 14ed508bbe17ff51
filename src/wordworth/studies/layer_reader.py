"""`LayerReader`: a model as the studies of layers see it, with its name, number of layers and width."""

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
"""How the vectors of a word's pieces become one: their mean, or the first or last alone."""


class LayerReader(Protocol):
    """What the studies need of an encoder or a static table."""

    @property
    def name(self) -> str:
        """The name under which the model was loaded."""
        ...

    @property
    def layers(self) -> int:
        """The number of layers, the input layer included."""
        ...

    @property
    def width(self) -> int:
        """The dimension of a vector."""
        ...

    @property
    def dtype(self) -> str:
        """The data type that the model computes in."""
        ...

    @property
    def last_layer_note(self) -> str:
        """What the last layer holds, in words, where the model has a choice; else empty."""
        ...

    def lengths(self, texts: Sequence[str | Sequence[str]]) -> LengthReport | None:
        """How many texts (or sentences split into words) exceed the model's window; None where it has no window."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderLayers:
    """The layers of an encoder."""

    encoder: TextEncoder

    @property
    def name(self) -> str:
        """The name under which the model was loaded."""
        return self.encoder.name

    @property
    def layers(self) -> int:
        """The number of layers, the input layer included."""
        return self.encoder.depth + 1

    @property
    def width(self) -> int:
        """The dimension of a state."""
        return self.encoder.model.width

    @property
    def dtype(self) -> str:
        """The data type that the encoder computes in."""
        return self.encoder.dtype

    @property
    def last_layer_note(self) -> str:
        """Before or after the final norm, in a body that normalises before each branch (GPT-2); else empty."""
        config = self.encoder.model.config
        if getattr(config, "norm", "post") == "post":
            return ""
        return {"after_final_norm": "after the final norm", "before_final_norm": "before the final norm"}[
            config.last_layer  # type: ignore[attr-defined]  # every body with a `norm` has it
        ]

    def lengths(self, texts: Sequence[str | Sequence[str]]) -> LengthReport | None:
        """How many texts exceed the window; they are read in overlapping windows."""
        tokenizer = self.encoder.tokenizer
        strings = tokenizer.encode([text for text in texts if isinstance(text, str)])
        split_texts = tokenizer.encode_words([text for text in texts if not isinstance(text, str)])
        return self.encoder.lengths([*strings, *split_texts])


@dataclass(frozen=True, slots=True)
class StaticLayers:
    """The one layer of a static table: a word's vector is the same everywhere; the null of every measure of context."""

    table: StaticTable

    @property
    def name(self) -> str:
        """The name under which the model was loaded."""
        return self.table.name

    @property
    def layers(self) -> int:
        """1: the input layer."""
        return 1

    @property
    def width(self) -> int:
        """The dimension of a vector."""
        return self.table.width

    @property
    def dtype(self) -> str:
        """`float32`: the vectors as they are stored."""
        return "float32"

    @property
    def last_layer_note(self) -> str:
        """Empty: there is no choice."""
        return ""

    def lengths(self, texts: Sequence[str | Sequence[str]]) -> LengthReport | None:  # noqa: ARG002 - as encoders have it
        """None: no text is too long to look its words up."""
        return None


def require_unique_names(names: Iterable[str], *, called: str, mend: str) -> None:
    """Check that no two models or data sets have one name: a record's rows are identified by name alone.

    Args:
        names: the names to check.
        called: what they are names of, in the plural.
        mend: how to mend a duplicate, for the error.

    Raises:
        BadInput: a name occurs twice.
    """
    seen = set[str]()
    for name in names:
        if name in seen:
            raise BadInput(f"two {called} are called {name!r}", mend=mend)
        seen.add(name)


def long_texts(name: str, lengths: LengthReport | None) -> Iterator[Finding]:
    """Yield a warning where a model could not read every text whole."""
    if lengths is not None and lengths.windowed:
        text = (
            f"{name}: {count_of(lengths.windowed, 'text')} of {lengths.texts:,} did not fit into {lengths.limit} "
            "tokens and went in overlapping windows, so that words there saw only the text near them."
        )
        numbers = {"windowed": lengths.windowed, "texts": lengths.texts, "limit": lengths.limit}
        yield Finding(f"warning.long_texts.{name}", text, numbers)
