"""From pieces back to the text they came from, as `run_squad.py` has it, which knows no character offsets.

The pieces are joined, and searched for in the words they came from after these went through the same cleaning; letters
are then matched one by one. It gives up, and gives back the whole words, where lower-casing or stripping accents
changed the number of letters, and for [UNK]; it takes the first of several equal places, and white space between words
becomes one blank. Exact offsets have none of these faults: this is kept to compare with published scores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.text.windows import Span
from wordworth.text.wordpiece import GOOGLE, basic_words, cased

_WORD = re.compile("[^ \t\r\n\u202f]+")  # run_squad.py's own white space


def plain_words(context: str) -> list[Span]:
    """The first and past-the-last character of each run without white space.

    >>> plain_words("the  (U.S.)")
    [(0, 3), (5, 11)]
    """
    return [match.span() for match in _WORD.finditer(context)]


def whole_words(context: str, words: Sequence[Span], start: int, end: int) -> str:
    """The words that touch characters `start` to `end` (past the last), one blank between them."""
    touched = [context[a:b] for a, b in words if b > start and a < end]
    return " ".join(touched)


def aligned(pieces: Sequence[str], words: str, *, lowercase: bool) -> str:
    """The part of `words` that the pieces stand for; `words` itself where they cannot be matched.

    >>> aligned(["steve", "smith"], "Steve Smith's", lowercase=True)
    'Steve Smith'
    """
    wanted = " ".join(" ".join(pieces).replace(" ##", "").replace("##", "").split())
    cleaned = " ".join(basic_words(words, GOOGLE if lowercase else cased(GOOGLE)))
    at = cleaned.find(wanted)
    here, there = _letters(cleaned), _letters(words)
    if at < 0 or not wanted or len(here) != len(there):
        return words
    first, last = np.searchsorted(here, [at, at + len(wanted) - 1])
    return words[there[first] : there[last] + 1]


def _letters(text: str) -> NDArray[np.int64]:
    """Where the characters other than blanks stand."""
    return np.array([place for place, character in enumerate(text) if character != " "], dtype=np.int64)
