"""`TokenizerProtocol`: what every tokenizer is to those who read text with it, of pieces or of characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.text.encoding import Tokens


class TokenizerProtocol(Protocol):
    """Text becomes `Tokens`. `Tokenizer` reads pieces of a vocabulary, `CharacterTokenizer` the characters of words."""

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """The tokens of each text, or of each pair of texts, special tokens included, at any length."""

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """The tokens of sentences whose words are given; `Tokens.words` index them."""

    def ids(
        self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True
    ) -> list[NDArray[np.int64]]:
        """The ids alone."""

    def token(self, index: int) -> str:
        """What stands behind an id."""

    def tokens(self, ids: NDArray[np.int64]) -> list[str]:
        """What stands behind each of a text's ids, [t] or [t, 50] as they are read."""

    def to_json(self) -> str:
        """The text of a `tokenizer.json`."""

    @property
    def pieces(self) -> Mapping[str, int]:
        """Everything that has an id."""

    @property
    def vocab_size(self) -> int:
        """One more than the highest id."""

    @property
    def lowercase(self) -> bool:
        """Whether upper case is lost."""

    @property
    def has_capitals(self) -> bool:
        """Whether the vocabulary was made from cased text."""

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """Each special token by its role."""

    @property
    def special_ids(self) -> dict[str, int]:
        """The id of each special token by its role."""

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that change whenever any text could be read differently."""

    @property
    def prefix(self) -> int:
        """How many special tokens stand before one text."""

    @property
    def suffix(self) -> int:
        """How many special tokens stand after one text."""
