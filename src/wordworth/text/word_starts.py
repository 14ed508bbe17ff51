"""`WordStarts`: where words begin in a sequence of ids, for WordPiece, byte pairs and unigrams.

WordPiece marks the pieces inside a word (`##`). Byte pairs and unigrams mark the space before a word, but not every
word has a space before it: "well, 天地" has four words and one space. With byte pairs and unigrams, a word also begins
where the kind of characters changes (letters, numbers, others) and at each Chinese ideograph. Texts are split in the
same way before pieces are found in them (`subwords.pre_tokenization`); GPT-2's and RoBERTa's tokenizers differ only for
ideographs and combining marks. If a piece ends inside a character, the kind of the character is judged by its first
bytes; the result is certain for ideographs and for most letters.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokenizer import Tokenizer
from wordworth.text.wordpiece_reference import is_ideograph

_SAME, _MARK, _BLANK, _LETTER, _NUMBER, _IDEOGRAPH, _OTHER = range(7)
"""Kinds of characters: `_SAME` continues the character before, `_MARK` is a space before a word."""
_KINDS = {"L": _LETTER, "M": _LETTER, "N": _NUMBER}
_PRINTABLE = (*range(33, 127), *range(161, 173), *range(174, 256))
_BYTES = {chr(byte): byte for byte in _PRINTABLE} | {
    chr(256 + index): byte for index, byte in enumerate(byte for byte in range(256) if byte not in _PRINTABLE)
}
"""The byte that each character of a byte-level piece stands for (`bytes_to_unicode` of openai/gpt-2)."""
_LONGER = (0xE0, 0xF0)
"""The lowest first byte of a UTF-8 character of three bytes, and of a character of four bytes."""
_SAMPLES = 64


@dataclass(frozen=True, slots=True)
class WordStarts:
    """Tables over the ids of a vocabulary that tell where words begin in a sequence of ids.

    Attributes:
        opens: bool [vocab_size], whether each piece begins a word whatever stands before it.
        first: uint8 [vocab_size], the kind of each piece's first character (letter, number, other, ideograph).
        last: uint8 [vocab_size], the kind of each piece's last character.
    """

    opens: NDArray[np.bool_]
    first: NDArray[np.uint8]
    last: NDArray[np.uint8]

    @classmethod
    def of_continuations(cls, continuations: NDArray[np.bool_]) -> Self:
        """Return the tables of a vocabulary in which a piece continues a word either always or never.

        Args:
            continuations: bool [vocab_size], whether a piece continues a word.
        """
        kinds = np.full(len(continuations), _SAME, dtype=np.uint8)
        return cls(~continuations, kinds, kinds)

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Self:
        """Return the tables that tell where words begin, for the vocabulary of a tokenizer."""
        size, mark = tokenizer.vocab_size, tokenizer.blank_mark
        if not mark:
            continuations = np.zeros(size, dtype=np.bool_)
            continuations[[index for piece, index in tokenizer.vocabulary.items() if piece.startswith("##")]] = True
            return cls.of_continuations(continuations)
        opens, first, last = np.zeros(size, np.bool_), np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        special, unknown = set(tokenizer.special_tokens.values()), tokenizer.special_tokens.get("unk")
        for piece, index in tokenizer.vocabulary.items():
            if piece in special:
                last[index] = _MARK if piece == unknown else _OTHER  # an unknown character is taken for a letter
                continue
            inside = piece.removeprefix(mark)
            opens[index] = inside != piece
            kinds = _byte_kinds(inside) if mark == "Ġ" else [_kind(character) for character in inside]
            first[index], last[index] = (kinds[0], kinds[-1]) if kinds else (_MARK, _MARK)
        return cls(opens, first, last)

    def find(self, ids: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Return whether each token of a sequence begins a word, bool [tokens], as if a space preceded the first token.

        Args:
            ids: [tokens], the token ids.
        """
        first, last = self.first[ids], np.concatenate([np.array([_BLANK], np.uint8), self.last[ids]])[: len(ids)]
        before = last[np.maximum.accumulate(np.where(last == _SAME, 0, np.arange(len(last))))]
        changes = ((first != before) | (first == _IDEOGRAPH)) & (first != _SAME) & (before != _MARK)
        starts: NDArray[np.bool_] = self.opens[ids] | changes
        return starts


@cache
def _kind(character: str) -> int:
    if character.isspace():
        return _BLANK
    return _IDEOGRAPH if is_ideograph(character) else _KINDS.get(unicodedata.category(character)[0], _OTHER)


def _byte_kinds(piece: str) -> list[int]:
    """Return the kinds of the characters of a byte-level piece; `_SAME` for the end of a character begun before."""
    data = bytes(_BYTES[character] for character in piece if character in _BYTES)
    body = data.lstrip(bytes(range(0x80, 0xC0)))
    kinds = [_SAME] if len(body) < len(data) else []
    text = body.decode("utf-8", "ignore")
    cut = body[len(text.encode()) :]
    return [*kinds, *map(_kind, text), *([_kind_of_cut(cut)] if cut else [])]


def _kind_of_cut(cut: bytes) -> int:
    """Return the most frequent kind among the characters that begin with the bytes `cut`."""
    length = 2 + sum(cut[0] >= longer for longer in _LONGER)
    missing = max(1, length - len(cut))
    step = 64**missing // _SAMPLES
    spread = (cut + _continuation(number * step, missing) for number in range(_SAMPLES))
    kinds = Counter(map(_kind, chain.from_iterable(each.decode("utf-8", "ignore") for each in spread)))
    return min(kinds, key=lambda kind: (-kinds[kind], kind), default=_OTHER)


def _continuation(number: int, count: int) -> bytes:
    """Return a number as `count` continuation bytes of UTF-8, six bits each."""
    return bytes(0x80 | (number >> 6 * index) & 0x3F for index in reversed(range(count)))
