"""What pretraining needs to know about a vocabulary: its size, its special tokens, and which pieces continue a word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary as arrays.

    Attributes:
        vocab_size: rows of the embedding table.
        special_ids: the id of each special token by its role: cls, sep, mask, pad, unk and any others.
        continuations: bool [vocab_size], whether the piece continues a word: it begins with `##`, or does not begin
            with the tokenizer's mark of a space where it has one.
        special: bool [vocab_size], whether the piece is a special token.
        fingerprint: that of the tokenizer of these ids.
    """

    vocab_size: int
    special_ids: Mapping[str, int]
    continuations: NDArray[np.bool_]
    special: NDArray[np.bool_]
    fingerprint: str

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Vocabulary:
        """The facts about a tokenizer.

        Raises:
            BadInput: it has no [CLS] or no [SEP] (under whatever name).
        """
        for role in ("cls", "sep"):
            if role not in tokenizer.special_ids:
                mend = "train one with `wordworth tokenizer`, or take that of a BERT-like checkpoint"
                raise BadInput(f"this tokenizer has no {role} token, which sequences begin or end with", mend=mend)
        size = tokenizer.vocab_size
        continuations, special = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
        continuations[[index for piece, index in tokenizer.pieces.items() if _goes_on(piece, tokenizer.blank_mark)]] = (
            True
        )
        special[list(tokenizer.special_ids.values())] = True
        return cls(size, tokenizer.special_ids, continuations, special, tokenizer.fingerprint)


def _goes_on(piece: str, blank_mark: str) -> bool:
    """Whether a piece continues a word."""
    return not piece.startswith(blank_mark) if blank_mark else piece.startswith("##")
