"""Masking units: single subwords as in BERT, whole words, or spans of words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.training.objectives.masking.mask_sampling import Groups, Text


@dataclass(frozen=True, slots=True)
class SingleTokens:
    """A masking unit: every token that is not special is masked on its own."""

    together: bool = False

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:  # noqa: ARG002 - the protocol's; nothing is drawn here
        """Return every maskable token of a text as a group of its own."""
        firsts = np.flatnonzero(text.maskable)
        return Groups(firsts, np.ones_like(firsts))


@dataclass(frozen=True, slots=True)
class WholeWords:
    """A masking unit: the subwords of a word are masked together (google-research/bert, README of May 2019).

    As in the original, each subword draws its own replacement. Unlike the original, a text that begins in the middle of
    a word does not attach its first subwords to the last word before the separator.
    """

    together: bool = False

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:  # noqa: ARG002 - the protocol's; nothing is drawn here
        """Return every word of a text as a group of its subwords."""
        return text.words()


@dataclass(frozen=True, kw_only=True, slots=True)
class Spans:
    """A masking unit: spans of words are masked together, and one draw decides what replaces all tokens of a span.

    SpanBERT (Joshi et al. 2020, arXiv 1907.10529, section 3.1) draws a length and a start for each span and rejects
    overlaps. Here a text is cut into consecutive spans with lengths from the paper's distribution, from which spans are
    then chosen at random.

    Attributes:
        stop: probability that a span ends after each word, so that lengths have a geometric distribution.
        longest: maximal number of words in a span; a longer length is drawn anew. With the paper's values, spans have
            3.8 words on average.
    """

    stop: float = 0.2
    longest: int = 10
    together: bool = True

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:
        """Cut a text into spans of random lengths and return each as a group of tokens.

        No span crosses a special token or the end of its sequence.
        """
        words = text.words()
        opens = self._first_words(len(words.firsts), rng)
        ends = words.firsts + words.lengths
        opens[1:] |= words.firsts[1:] != ends[:-1]  # a special token stands between
        opens |= np.isin(words.firsts, text.starts)
        first = np.flatnonzero(opens)
        last = np.append(first[1:], len(words.firsts))[: len(first)] - 1
        return Groups(words.firsts[first], ends[last] - words.firsts[first])

    def _first_words(self, words: int, rng: np.random.Generator) -> np.ndarray:
        """Return for each word whether a span of random length begins with it, bool [words].

        Here `words` words follow each other; the caller also begins a span at each sequence and after special tokens.
        """
        shares = (1 - self.stop) ** np.arange(self.longest)
        ends = np.cumsum(rng.choice(np.arange(1, self.longest + 1), words, p=shares / shares.sum()))
        opens = np.zeros(words, dtype=np.bool_)
        opens[:1] = True
        opens[ends[ends < words]] = True
        return opens
