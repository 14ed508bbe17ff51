"""Find the words of a text, in any script, and the word that each token belongs to.

Word boundaries follow Unicode's default rules (UAX #29) with three departures that suit measuring words: a full stop
or colon never joins letters, hiragana stay together in runs, and so do the scripts written without spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.text.tokens import Tokens
from wordworth.text.wordpiece_reference import is_ideograph

Span = tuple[int, int]

_RANGES = {
    "H": ((0x3041, 0x309F), (0x1B001, 0x1B11F), (0x1B150, 0x1B152)),  # hiragana
    "K": ((0x30A0, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F)),  # katakana
    "T": (  # written without spaces: Thai, Lao, Myanmar, Khmer, Tai
        (0x0E00, 0x0EFF),
        (0x1000, 0x109F),
        (0x1780, 0x17FF),
        (0x1950, 0x19DF),
        (0x1A20, 0x1AAF),
        (0xA9E0, 0xA9FF),
        (0xAA60, 0xAADF),
    ),
    "I": ((0x3005, 0x3007), (0x3021, 0x3029), (0x20000, 0x3FFFF)),  # ideographs beside the unified blocks
    "S": ((0x1F000, 0x1FAFF),),  # pictographs, also those younger than this Python
}
_ONE_KIND = {
    **dict.fromkeys(".,٫٬", "C"),  # join digits: 3.14, 9,999
    **dict.fromkeys("'’·״׳", "Q"),  # join letters: don't, col·lecció
    **dict.fromkeys("ー\uff70", "B"),  # prolong kana
    **dict.fromkeys(map(chr, range(0x1F3FB, 0x1F400)), "F"),  # skin tones modify the emoji before
    **dict.fromkeys(map(chr, range(0x1F1E6, 0x1F200)), "R"),  # two regional indicators make a flag
    "\u200b": "W",  # zero width space separates words
    "\u200d": "Z",
}
_CATEGORIES = {"Cc": "W", "Cs": "W", "Cf": "F", "Pc": "L", "Nd": "D", "Z": "W", "M": "M", "P": "P", "S": "S"}
_WORD = re.compile(
    r"[LD](?:[LDMFZ]|(?<=D)C(?=D)|Q(?=[LD]))*"  # letters and digits of scripts with spaces
    r"|T[TMFZ]*|[HB][HBMFZ]*|K[KBMFZ]*"
    r"|RR?[MFZ]*"
    r"|S[MF]*(?:ZS[MF]*)*Z?"  # emoji joined by U+200D are one
    r"|[IPCQ][MFZ]*"
    r"|M[MFZ]*"
)


class _Kinds(dict[int, str]):
    """The kind of every character seen so far, as one letter, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _kind(chr(code)))


_KINDS = _Kinds()


def words(text: str) -> list[Span]:
    """Return the span of every word of a text, in order: (first character, character after the last).

    Letters and digits that stand together are one word, with the apostrophes inside them. Each punctuation mark, each
    symbol and each Chinese ideograph is a word. A run of kana, or of a script written without spaces, is one word.
    Combining marks, joiners and variation selectors belong to the character before. Spaces and control characters
    belong to no word.

    >>> words("Don't stop, 日本!")
    [(0, 5), (6, 10), (10, 11), (12, 13), (13, 14), (14, 15)]
    """
    return [match.span() for match in _WORD.finditer(text.translate(_KINDS))]


def align(tokens: Tokens | NDArray[np.int32], spans: list[Span]) -> NDArray[np.int32]:
    """Return the index of the word that shares most characters with each token, int32 [tokens].

    If two words share equally many characters, the index is of the earlier word. The index is -1 for a token that
    touches no word.

    Args:
        tokens: one text's tokens, or their offsets, int32 [t, 2].
        spans: the spans of the words in order, without overlap, as `words` returns them.
    """
    offsets = tokens.offsets if isinstance(tokens, Tokens) else tokens
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    first = np.searchsorted(bounds[:, 1], offsets[:, 0], side="right")
    last = np.searchsorted(bounds[:, 0], offsets[:, 1], side="left") - 1
    touches = (first <= last) & (offsets[:, 0] < offsets[:, 1])
    word_indices = np.where(touches, first, -1).astype(np.int32)
    for token in np.flatnonzero(touches & (first < last)):
        start, end = offsets[token]
        rivals = bounds[first[token] : last[token] + 1]
        shared = np.minimum(rivals[:, 1], end) - np.maximum(rivals[:, 0], start)
        word_indices[token] = first[token] + int(np.argmax(shared))
    return word_indices


def first_pieces(tokens: Tokens, count: int) -> NDArray[np.int32]:
    """Return the position of each word's first token, which represents the word in tagging, int32 [words].

    The position is -1 for a word without tokens. Devlin et al. 2019, section 5.3; README of google-research/bert,
    "Tokenization".

    Args:
        tokens: one sequence, special tokens included.
        count: number of words from which the sequence was made.
    """
    positions = np.full(count, -1, dtype=np.int32)
    inner = np.flatnonzero(tokens.words >= 0)[::-1]
    positions[tokens.words[inner]] = inner
    return positions


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    by_category = _CATEGORIES.get(category) or _CATEGORIES.get(category[0])
    return _ONE_KIND.get(character) or by_category or _letter_kind(character)


def _letter_kind(character: str) -> str:
    if is_ideograph(character):
        return "I"
    code = ord(character)
    return next((kind for kind, ranges in _RANGES.items() if any(a <= code <= b for a, b in ranges)), "L")


def joined_spans(words: Sequence[str]) -> list[Span]:
    """Return the span of each word in the text of the words joined by single spaces."""
    ends = np.cumsum([len(word) + 1 for word in words], dtype=np.int64) - 1
    return [(int(end) - len(word), int(end)) for word, end in zip(words, ends, strict=True)]
