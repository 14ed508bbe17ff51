"""Find the candidates of a pronoun in a text, and choose a candidate by two simple rules: the nearest, or the first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wordworth.measures.weighted_sums import Floats
from wordworth.studies.commonsense.items import Choice

Span = tuple[int, int]
NEAREST, FIRST = "nearest candidate", "first candidate"
"""The names of the two rules."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The positions of a pronoun and of its candidates in a text, as spans of characters [start, end).

    Attributes:
        text: the text with the pronoun in its place.
        pronoun: the span of the pronoun.
        candidates: for each candidate the span of its mention that is nearest to the pronoun.
    """

    text: str
    pronoun: Span
    candidates: tuple[Span, ...]

    @classmethod
    def of(cls, item: Choice, pronoun: str) -> Mentions | None:
        """Return where an item's candidates are mentioned in the text; None if a mention is missing or two overlap.

        If the text does not contain all words of a candidate in sequence, the mention is the longest sequence of the
        candidate's last words that occurs in the text. For example, the candidate `the suitcase` is found as `suitcase`
        in a text with `the brown suitcase`.

        Args:
            item: the item.
            pronoun: the text to put into the item's gap: the pronoun, or the mask token.
        """
        text = item.before + pronoun + item.after
        position = (len(item.before), len(item.before) + len(pronoun))
        mentions = [_mention(text, position, option) for option in item.options]
        spans = tuple(span for span in mentions if span is not None)
        apart = all(before[1] <= after[0] for before, after in pairwise(sorted(spans)))
        return cls(text, position, spans) if apart and len(spans) == len(item.options) else None

    def nearest_scores(self) -> Floats:
        """Return scores by which the candidate nearest to the pronoun is chosen, float64 [candidates]."""
        return -np.array([_distance(span, self.pronoun) for span in self.candidates], dtype=np.float64)

    def first_scores(self) -> Floats:
        """Return scores by which the candidate that comes first in the text is chosen, float64 [candidates]."""
        return -np.array([start for start, _ in self.candidates], dtype=np.float64)


def _mention(text: str, pronoun: Span, candidate: str) -> Span | None:
    words = [re.escape(word) for word in candidate.split()]
    for first in range(len(words)):
        sought = r"(?<!\w)" + r"\s+".join(words[first:]) + r"(?!\w)"
        spans = [match.span() for match in re.finditer(sought, text, re.IGNORECASE)]
        apart = [span for span in spans if _distance(span, pronoun) >= 0]
        if apart:
            return min(apart, key=lambda span: _distance(span, pronoun))
    return None


def _distance(span: Span, pronoun: Span) -> int:
    """Return the number of characters between two spans; negative if the spans overlap."""
    return max(span[0] - pronoun[1], pronoun[0] - span[1])
