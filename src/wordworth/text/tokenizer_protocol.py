"""`TokenizerProtocol`: the interface of every tokenizer, whether it reads subword pieces or characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokens import Tokens


class TokenizerProtocol(Protocol):
    """The interface of tokenizers: `Tokenizer` (into pieces) and `CharacterTokenizer` (into characters of words)."""

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts, with special tokens and at any length.

        Args:
            texts: any number of texts.
            second: the second text of each pair; None for single texts.
        """

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """Return the tokens of sentences already split into words; `Tokens.words` is the index of each token's word."""

    def ids(
        self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True
    ) -> list[NDArray[np.int64]]:
        """Return only the token ids of each text, or of each pair of texts.

        Args:
            texts: any number of texts.
            second: the second text of each pair; None for single texts.
            special: whether to add the special tokens around a text.

        Returns:
            int64 [tokens of the text] for each text.
        """

    def token(self, index: int) -> str:
        """Return the piece or character with an id.

        Args:
            index: the id.
        """

    def tokens(self, ids: NDArray[np.int64]) -> list[str]:
        """Return the piece or word of each id of a text; the ids are [tokens], or [tokens, 50] for characters."""

    def to_json(self) -> str:
        """Return the text of the `tokenizer.json` that describes this tokenizer."""

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Piece or character -> its id."""

    @property
    def vocab_size(self) -> int:
        """The highest id plus one, which is the number of rows that an embedding matrix needs."""

    @property
    def lowercase(self) -> bool:
        """Whether texts are lower-cased before they are split into tokens."""

    @property
    def has_capitals(self) -> bool:
        """Whether the vocabulary was made from cased text."""

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """The special tokens by their roles, such as `cls`."""

    @property
    def special_ids(self) -> dict[str, int]:
        """The ids of the special tokens by their roles, such as `cls`."""

    @property
    def fingerprint(self) -> str:
        """A hash of 32 hexadecimal digits that changes whenever any text could be encoded differently."""

    @property
    def prefix(self) -> int:
        """The number of special tokens that are put before a single text."""

    @property
    def suffix(self) -> int:
        """The number of special tokens that are put after a single text."""
