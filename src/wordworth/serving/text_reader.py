"""`TextReader`: what a server needs of an encoder or a static table, to read texts first and embed them in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static_embeddings import StaticTable, TokenRows
from wordworth.models.vector_space import fingerprint_of

Floats = NDArray[np.float32]


class ReadText(NamedTuple):
    """A text as a model reads it.

    Attributes:
        tokens: what the model computes with.
        size: number of tokens that are read, special ones included.
        cut: number of tokens that are not.
    """

    tokens: Any
    size: int
    cut: int = 0


class TokenSpan(NamedTuple):
    """A token: its id, its piece, and its characters in the text, None for a special token."""

    id: int
    piece: str
    span: tuple[int, int] | None


class TextReader(Protocol):
    """A model that turns texts into vectors."""

    @property
    def width(self) -> int:
        """Width of a vector."""

    @property
    def dtype(self) -> str:
        """Data type of the computation."""

    @property
    def pooling(self) -> str:
        """How token states become a vector."""

    @property
    def window(self) -> int | None:
        """Tokens that the model reads at once, None where there is no limit."""

    @property
    def has_unit_vectors(self) -> bool:
        """Whether all vectors have length 1."""

    @property
    def threads(self) -> int:
        """Number of batches that are computed at the same time."""

    @property
    def confine(self) -> Callable[[], AbstractContextManager[Any]]:
        """What a thread enters so that it computes on one core."""

    def fingerprint(self) -> str:
        """Return a key of weights, tokenizer, pooling, prompt and dtype."""

    def read(self, texts: Sequence[str], *, cut: bool) -> list[ReadText]:
        """Tokenize texts; with `cut`, each to the tokens of one window at most."""

    def embed(self, texts: Sequence[ReadText]) -> Floats:
        """Return the vectors that `encode` gives, float32 [texts, width]."""

    def embed_tokens(self, texts: Sequence[ReadText]) -> list[Floats]:
        """Return the last states of each text's tokens, float32 [tokens, width] each."""

    def token_spans(self, texts: Sequence[str], *, special: bool) -> list[list[TokenSpan]]:
        """Return the tokens of texts."""


def reader_of(model: Any) -> TextReader:  # noqa: ANN401 - an encoder's class is not imported without torch
    """Return the reader of an encoder or a static table.

    Raises:
        BadInput: it is neither.
    """
    if isinstance(model, StaticTable):
        return TableReader(model)
    from wordworth.models.text_encoder import TextEncoder

    if not isinstance(model, TextEncoder):
        raise BadInput(f"cannot serve {model!r:.60}", mend="give a name, a folder, or what wordworth.load returns")
    from wordworth.serving.encoder_reader import EncoderReader

    return EncoderReader(model)


@dataclass(frozen=True, slots=True)
class TableReader:
    """A static table."""

    table: StaticTable
    dtype: str = "float32"
    pooling: str = "mean"
    window: int | None = None
    threads: int = 1
    confine: Callable[[], AbstractContextManager[Any]] = nullcontext

    @property
    def width(self) -> int:
        """Width of a vector."""
        return self.table.width

    @property
    def has_unit_vectors(self) -> bool:
        """Whether vectors are scaled to length 1."""
        return self.table.normalised

    def fingerprint(self) -> str:
        """Return a key of the table's values, and of whether they are scaled."""
        return fingerprint_of(self.table)

    def read(self, texts: Sequence[str], *, cut: bool) -> list[ReadText]:  # noqa: ARG002 - a table reads all
        """Find the rows of each text's words."""
        several = [self.table.lexicon.find([text]) for text in texts]
        return [ReadText(tokens.rows, len(tokens.rows) + tokens.unknown) for tokens in several]

    def embed(self, texts: Sequence[ReadText]) -> Floats:
        """Return the mean of each text's rows."""
        starts = np.cumsum([0, *(len(text.tokens) for text in texts)], dtype=np.int64)
        return self.table.mean(TokenRows(np.concatenate([text.tokens for text in texts]), starts))

    def embed_tokens(self, texts: Sequence[ReadText]) -> list[Floats]:
        """Return the vectors of each text's words that the table knows."""
        return [self.table.gather(text.tokens) for text in texts]

    def token_spans(self, texts: Sequence[str], *, special: bool) -> list[list[TokenSpan]]:  # noqa: ARG002 - as every reader
        """Refuse: a table splits texts in a way of its own.

        Raises:
            BadInput: always.
        """
        raise BadInput(f"{self.table.name!r} is a static table, which has no tokenizer", mend="serve an encoder")
