"""What pretraining needs to know of a vocabulary: its size, its marks, and which pieces go on with a word."""

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
        special_ids: the id of each special token by its role: cls, sep, mask, pad, unk and whatever else there is.
        continuations: bool [vocab_size], the piece goes on with the word before it: it begins with `##`, or does not
            begin with the mark of a blank where the tokenizer has one.
        special: bool [vocab_size], the piece is a special token.
        fingerprint: of the tokenizer that the ids are from.
    """

    vocab_size: int
    special_ids: Mapping[str, int]
    continuations: NDArray[np.bool_]
    special: NDArray[np.bool_]
    fingerprint: str

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Vocabulary:
        """The facts of a tokenizer.

        Raises:
            BadInput: it has no [CLS] or no [SEP] (or what its family calls them).
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
    """Whether a piece stands within a word."""
    return not piece.startswith(blank_mark) if blank_mark else piece.startswith("##")
