"""Where the candidates of a pronoun stand in its text, and two rules that look at nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wordworth.measures.weighted_sums import Floats
from wordworth.studies.commonsense.items import Choice

Span = tuple[int, int]
NEAREST, FIRST = "nearest candidate", "first candidate"
"""The two rules."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """A text with a pronoun, and what stands where in it.

    Attributes:
        text: the text with the pronoun in its place.
        pronoun: its first character, and the one after its last.
        candidates: of each candidate the same, at its mention nearest to the pronoun.
    """

    text: str
    pronoun: Span
    candidates: tuple[Span, ...]

    @classmethod
    def of(cls, item: Choice, pronoun: str) -> Mentions | None:
        """Find the mentions of an item's candidates; None if the text lacks one, or one stands inside another.

        A candidate that is not there as it is written is looked for by its last words, as many as there are: `the
        suitcase` in a text with `the brown suitcase` by `suitcase`.

        Args:
            item: the item.
            pronoun: what is written in its place.
        """
        text = item.before + pronoun + item.after
        position = (len(item.before), len(item.before) + len(pronoun))
        mentions = [_mention(text, position, option) for option in item.options]
        spans = tuple(span for span in mentions if span is not None)
        apart = all(before[1] <= after[0] for before, after in pairwise(sorted(spans)))
        return cls(text, position, spans) if apart and len(spans) == len(item.options) else None

    def nearest(self) -> Floats:
        """Return the scores by which the candidate nearest to the pronoun is chosen, float64 [candidates]."""
        return -np.array([_distance(span, self.pronoun) for span in self.candidates], dtype=np.float64)

    def first(self) -> Floats:
        """Return the scores by which the candidate that comes first in the text is chosen, float64 [candidates]."""
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
    """Return the number of characters between two spans; negative if they share one."""
    return max(span[0] - pronoun[1], pronoun[0] - span[1])
