"""`TokenizerProtocol`: the interface of every tokenizer, whether it reads subword pieces or characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.text.encoding import Tokens


class TokenizerProtocol(Protocol):
    """A tokenizer: `Tokenizer` into pieces of a vocabulary, `CharacterTokenizer` into characters of words."""

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts, special tokens included, at any length."""

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """Return the tokens of pre-split sentences; `Tokens.words` index the words of each."""

    def ids(
        self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True
    ) -> list[NDArray[np.int64]]:
        """Return the ids of each text, without offsets."""

    def token(self, index: int) -> str:
        """Return the piece or character with an id."""

    def tokens(self, ids: NDArray[np.int64]) -> list[str]:
        """Return the pieces or words of a text's ids, [t] or [t, 50]."""

    def to_json(self) -> str:
        """Return the text of a `tokenizer.json`."""

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The vocabulary: each piece or character and its id."""

    @property
    def vocab_size(self) -> int:
        """The highest id plus one."""

    @property
    def lowercase(self) -> bool:
        """Whether texts are lower-cased before they are read."""

    @property
    def has_capitals(self) -> bool:
        """Whether the vocabulary was made from cased text."""

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """Role (such as `cls`) -> special token."""

    @property
    def special_ids(self) -> dict[str, int]:
        """Role (such as `cls`) -> the id of the special token."""

    @property
    def fingerprint(self) -> str:
        """A hash of 32 hexadecimal digits that changes whenever any text could be encoded differently."""

    @property
    def prefix(self) -> int:
        """Number of special tokens before one text."""

    @property
    def suffix(self) -> int:
        """Number of special tokens after one text."""
