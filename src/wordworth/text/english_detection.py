"""Detect whether texts are English, by the share of the most frequent English function words."""

from __future__ import annotations

from collections.abc import Sequence

_WORDS = (
    "the of and to a in is it that was for on with as he be at by i this had not are but from or have an they "
    "which you were her she there would their we him been has when who will more if out so what up"
)
_FUNCTION_WORDS = frozenset(_WORDS.split(" "))
_LEAST = 0.2
"""Minimal share of words that are in `_FUNCTION_WORDS`. English treebanks have 38 to 41 %; German, Dutch, Spanish,
French and Italian, which share a few forms such as `in` or `was`, have 2 to 7 %."""


def is_english(texts: Sequence[Sequence[str]]) -> bool:
    """Return whether texts are English as a whole: at least a fifth of all words are frequent English function words.

    Args:
        texts: the words of each text, in lower case; punctuation does not count.
    """
    words = [word for text in texts for word in text if word[0].isalpha()]
    return bool(words) and sum(word in _FUNCTION_WORDS for word in words) >= _LEAST * len(words)
