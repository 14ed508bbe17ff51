"""`NgramSampler`: continue texts by words drawn from a trigram model that backs off to bigrams and single words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

_END = ""
_MOST_WORDS = 60


class NgramSampler:
    """A trigram model of continuations, which continues a text word by word.

    Args:
        texts: pairs of a context and its continuation; only words of continuations are drawn.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        following_of: dict[tuple[str, ...], list[str]] = {}
        for context, following in texts:
            words = [*_last_two(context), *following.split(), _END]
            for number in range(2, len(words)):
                for length in (2, 1, 0):
                    following_of.setdefault(tuple(words[number - length : number]), []).append(words[number])
        self._every = following_of.get((), [_END])
        self._several = {last: words for last, words in following_of.items() if last and len(set(words)) > 1}

    def continued(self, context: str, rng: np.random.Generator) -> str:
        """Draw a continuation of a text, of at most 60 words.

        Each word is drawn from the words that follow the last two words anywhere in the training texts. If fewer than
        two different words do, the word is drawn from the words that follow the last word; and if there are fewer than
        two of these as well, from all words by their frequency.

        Args:
            context: the text to continue.
            rng: source of randomness.
        """
        words, drawn = _last_two(context), list[str]()
        while len(drawn) < _MOST_WORDS:
            word = self._drawn((words[-2], words[-1]), rng)
            if word == _END:
                break
            words.append(word)
            drawn.append(word)
        return " ".join(drawn)

    def _drawn(self, last: tuple[str, str], rng: np.random.Generator) -> str:
        following = self._several.get(last) or self._several.get(last[1:]) or self._every
        return following[int(rng.integers(len(following)))]


def _last_two(context: str) -> list[str]:
    return [_END, _END, *context.split()][-2:]
