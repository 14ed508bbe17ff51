"""`TextReader`: the interface by which a server tokenizes texts and embeds them, with an encoder or a static table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static_embeddings import StaticTable, TokenRows
from wordworth.models.vector_space_identity import fingerprint_of

Floats = NDArray[np.float32]


class ReadText(NamedTuple):
    """A tokenized text.

    Attributes:
        tokens: the tokens, in the form of the argument of the model's `embed`.
        size: number of tokens that the model reads, special tokens included.
        cut: number of tokens that were truncated.
    """

    tokens: Any
    size: int
    cut: int = 0


class TokenSpan(NamedTuple):
    """A token: its id, its piece (text in the vocabulary), and the (start, end) of its characters in the text.

    The span is None for a special token.
    """

    id: int
    piece: str
    span: tuple[int, int] | None


class TextReader(Protocol):
    """A model that turns texts into vectors in two steps: `read` tokenizes them, `embed` computes their vectors."""

    @property
    def width(self) -> int:
        """Width of a vector."""

    @property
    def dtype(self) -> str:
        """Data type of the computation, such as `float32`."""

    @property
    def pooling(self) -> str:
        """The pooling by which the states of tokens become a vector, such as `mean`."""

    @property
    def layers(self) -> tuple[int, ...]:
        """Numbers of the layers whose states are pooled; empty for a model without layers."""

    @property
    def window(self) -> int | None:
        """The number of tokens that the model reads at once; None if the number is not limited."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """The named prompts of the model: name -> text to put before a text."""

    @property
    def has_unit_vectors(self) -> bool:
        """True if all vectors have length 1."""

    @property
    def threads(self) -> int:
        """Number of batches that are computed at the same time."""

    @property
    def confine(self) -> Callable[[], AbstractContextManager[Any]]:
        """A function whose result, used in a `with` statement, makes a thread compute on one core."""

    def fingerprint(self) -> str:
        """Return a hash of everything that decides the vectors: weights, tokenizer, pooling, prompt and dtype."""

    def read(self, texts: Sequence[str], *, cut: bool, prompt: str | None = None) -> list[ReadText]:
        """Tokenize texts.

        Args:
            texts: the texts.
            cut: whether to truncate each text to one window of the model.
            prompt: name of the model's prompt to put before each text; None for the default prompt.
        """

    def embed(self, texts: Sequence[ReadText]) -> Floats:
        """Return the vectors of texts, float32 [texts, width], the same as the model's own `encode` returns."""

    def embed_tokens(self, texts: Sequence[ReadText]) -> list[Floats]:
        """Return for each text the last hidden states of its tokens, float32 [tokens, width]."""

    def token_spans(self, texts: Sequence[str], *, special: bool) -> list[list[TokenSpan]]:
        """Return the tokens of each text.

        Args:
            texts: the texts.
            special: whether special tokens are returned too.
        """


def reader_of(model: Any) -> TextReader:  # noqa: ANN401 - an encoder's class is not imported without torch
    """Return an encoder or static table with the interface by which the server uses it.

    Raises:
        BadInput: the model is neither an encoder nor a static table.
    """
    if isinstance(model, StaticTable):
        return TableReader(model)
    from wordworth.models.text_encoder import TextEncoder

    if not isinstance(model, TextEncoder):
        raise BadInput(f"cannot serve {model!r:.60}", mend="give a name, a folder, or what wordworth.load returns")
    from wordworth.serving.encoder_adapter import EncoderReader

    return EncoderReader(model)


@dataclass(frozen=True, slots=True)
class TableReader:
    """A static table (one vector a word or piece) with the interface by which the server uses models (`TextReader`)."""

    table: StaticTable
    dtype: str = "float32"
    pooling: str = "mean"
    layers: tuple[int, ...] = ()
    window: int | None = None
    threads: int = 1
    confine: Callable[[], AbstractContextManager[Any]] = nullcontext
    prompts: Mapping[str, str] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Width of a vector."""
        return self.table.width

    @property
    def has_unit_vectors(self) -> bool:
        """True if vectors are scaled to length 1."""
        return self.table.normalised

    def fingerprint(self) -> str:
        """Return a hash of the table's values, and of whether vectors are scaled."""
        return fingerprint_of(self.table)

    def read(self, texts: Sequence[str], *, cut: bool, prompt: str | None = None) -> list[ReadText]:  # noqa: ARG002 - a table reads all
        """Look up the rows of each text's words in the table, which has neither a window to cut at nor prompts.

        Args:
            texts: the texts.
            cut: not used, as a table has no window to cut at.
            prompt: not used, as a table has no prompts.
        """
        several = [self.table.lexicon.find([text]) for text in texts]
        return [ReadText(tokens.rows, len(tokens.rows) + tokens.unknown) for tokens in several]

    def embed(self, texts: Sequence[ReadText]) -> Floats:
        """Return the mean of each text's rows of the table, float32 [texts, width]."""
        starts = np.cumsum([0, *(len(text.tokens) for text in texts)], dtype=np.int64)
        return self.table.mean(TokenRows(np.concatenate([text.tokens for text in texts]), starts))

    def embed_tokens(self, texts: Sequence[ReadText]) -> list[Floats]:
        """Return for each text the vectors of the words that the table knows, float32 [words, width]."""
        return [self.table.gather(text.tokens) for text in texts]

    def token_spans(self, texts: Sequence[str], *, special: bool) -> list[list[TokenSpan]]:  # noqa: ARG002 - as every reader
        """Raise an error: a static table has words instead of tokens.

        Args:
            texts: the texts, which are not read.
            special: not used.

        Raises:
            BadInput: in every case.
        """
        raise BadInput(f"{self.table.name!r} is a static table, which has no tokenizer", mend="serve an encoder")
