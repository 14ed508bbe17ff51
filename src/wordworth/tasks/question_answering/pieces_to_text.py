"""Map pieces (subword tokens) back to the original text without character offsets, as `run_squad.py` does.

The pieces are joined and searched for in the words they came from, after the same cleaning; letters are then matched
one by one. Where lower-casing or stripping accents changed the number of letters, and for [UNK], the result is the
whole words instead. Of several equal matches the first counts, and white space between words becomes one space. Exact
offsets have none of these faults: this module exists to compare with published scores.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from wordworth.text.windows import Span
from wordworth.text.wordpiece_reference import GOOGLE, basic_words, cased

_WORD = re.compile("[^ \t\r\n\u202f]+")  # run_squad.py's own white space


def plain_words(context: str) -> list[Span]:
    """Return the span of each run of characters other than white space, as (first, past-the-last) character.

    >>> plain_words("the  (U.S.)")
    [(0, 3), (5, 11)]
    """
    return [match.span() for match in _WORD.finditer(context)]


class ContextWords:
    """The words of a context, in which pieces (subword tokens) are searched for to map them to the original text.

    Words are cleaned as BERT's basic tokenizer cleans them (lower case, no accents), and kept for further calls. Here
    the characters 3 to 16 hold more than the pieces:

    >>> ContextWords("by Steve Smith's", lowercase=True).original(["steve", "smith"], 3, 16)
    'Steve Smith'
    """

    def __init__(self, context: str, *, lowercase: bool) -> None:
        self._context, self._rules = context, GOOGLE if lowercase else cased(GOOGLE)
        self._spans = plain_words(context)
        self._ends = [end for _, end in self._spans]
        self._cleaned: dict[int, str] = {}

    def original(self, pieces: Sequence[str], start: int, end: int) -> str:
        """Return the text of some consecutive pieces (subword tokens) of the context, as the context writes it.

        Args:
            pieces: the texts of the pieces, such as `##ing`.
            start: the index of the context's character where the search for the pieces begins.
            end: the index after the last character that is searched.
        """
        touched = range(bisect_right(self._ends, start), bisect_left(self._spans, (end, 0)))
        words = " ".join(self._context[slice(*self._spans[word])] for word in touched)
        return _match_letters(pieces, words, " ".join(filter(None, map(self._clean, touched))))

    def _clean(self, word: int) -> str:
        if word not in self._cleaned:
            self._cleaned[word] = " ".join(basic_words(self._context[slice(*self._spans[word])], self._rules))
        return self._cleaned[word]


def _match_letters(pieces: Sequence[str], words: str, cleaned: str) -> str:
    wanted = " ".join(" ".join(pieces).replace(" ##", "").replace("##", "").split())
    match_start = cleaned.find(wanted)
    cleaned_letters, original_letters = _letters(cleaned), _letters(words)
    if match_start < 0 or not wanted or len(cleaned_letters) != len(original_letters):
        return words
    first, last = bisect_left(cleaned_letters, match_start), bisect_left(cleaned_letters, match_start + len(wanted) - 1)
    return words[original_letters[first] : original_letters[last] + 1]


def _letters(text: str) -> list[int]:
    """Return the indices of the characters of a text other than spaces."""
    return [index for index, character in enumerate(text) if character != " "]
