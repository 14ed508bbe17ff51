"""`PairSimilarity`: the cosine of two texts as a table over their units, and what each word is worth to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wordworth.measures.correlation import spearman
from wordworth.measures.cosine_parts import cosine_parts
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import UNREPORTED
from wordworth.studies.similarity.units import TextUnits

SAME, DIFFERENT, SPECIAL = "same words", "different words", "special tokens"
KINDS = (SAME, DIFFERENT, SPECIAL)
"""Kinds of cells: of two units that are written alike, of two that are not, and of a special token with anything."""
_FEWEST = 3
"""Fewest words whose ranks are compared."""
MOST_DELETED = 200
"""Most words of both texts together that are left out one by one: each costs a pass over its text."""


@dataclass(frozen=True, slots=True)
class PairSimilarity:
    """The cosine of two texts, taken apart.

    Attributes:
        first, second: the units of both texts.
        table: float64 [units of the first, units of the second]; its cells add up to the cosine.
    """

    first: TextUnits
    second: TextUnits
    table: Floats

    @classmethod
    def of(cls, first: TextUnits, second: TextUnits) -> PairSimilarity:
        """Take the cosine of two texts apart."""
        return cls(first, second, cosine_parts(first.parts, second.parts))

    @property
    def cosine(self) -> float:
        """The cosine of the two texts; NaN if one of them has a vector of zeros."""
        return float(self.table.sum())

    @property
    def sides(self) -> tuple[tuple[TextUnits, Floats], tuple[TextUnits, Floats]]:
        """Each text with its units' contributions, the sums of their rows or columns, which add up to the cosine."""
        return (self.first, floats(self.table.sum(1))), (self.second, floats(self.table.sum(0)))

    def by_kind(self) -> Floats:
        """Return the sum of the cells of each kind, float64 [3] in the order of `KINDS`."""
        special = np.logical_or.outer(self.first.is_special, self.second.is_special)
        same = np.equal.outer(np.array(self.first.forms, object), np.array(self.second.forms, object)) & ~special
        return floats([self.table[same].sum(), self.table[~same & ~special].sum(), self.table[special].sum()])

    def by_word(self) -> Mapping[str, tuple[float, float]]:
        """Return, for each word of either text, its contribution to the cosine, and what as many average tokens give.

        The contribution is the mean of those in the first and in the second text, so that all words and special tokens
        together give the cosine; so do the second numbers, the cosine times the word's share of the tokens.
        """
        words: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for units, contributions in self.sides:
            shares = units.tokens / max(1, units.tokens.sum())
            for form, special, part, share in zip(units.forms, units.is_special, contributions, shares, strict=True):
                if not special:
                    words[form][0] += part / 2
                    words[form][1] += self.cosine * share / 2
        return {word: (contribution, expected) for word, (contribution, expected) in words.items()}


@dataclass(frozen=True, slots=True)
class WordDeletion:
    """By how much the cosine falls when a word is left out, for each unit of both texts.

    Attributes:
        drops: for each text float64 [units], the cosine less that without the unit; NaN for special tokens, and for
            all units of texts that have too many.
        agreement: Spearman's correlation of drops and contributions over the words of both texts; None for fewer than
            three words, or where all are the same.
    """

    drops: tuple[Floats, Floats]
    agreement: float | None


def delete_words(encoder: TextEncoder, pair: PairSimilarity) -> WordDeletion:
    """Compare each text without each of its words with the other text, read anew.

    A word's contribution to the cosine is not what would be lost without it, since the other words' states hang on it.
    """
    if sum(len(units.names) - sum(units.is_special) for units in (pair.first, pair.second)) > MOST_DELETED:
        none = (np.full(len(pair.first.names), np.nan), np.full(len(pair.second.names), np.nan))
        return WordDeletion(none, None)
    vectors = [units.parts.sum(0) for units in (pair.first, pair.second)]
    drops = (_drops(encoder, pair, pair.first, vectors[1]), _drops(encoder, pair, pair.second, vectors[0]))
    contributions = np.concatenate([parts for _, parts in pair.sides])
    return WordDeletion(drops, _rank_agreement(contributions, np.concatenate(drops)))


def _drops(encoder: TextEncoder, pair: PairSimilarity, units: TextUnits, other: Floats) -> Floats:
    drops = np.full(len(units.names), np.nan)
    without = list(units.texts_without_each())
    read = [text.removeprefix(encoder.prompt) for _, text in without]
    vectors = encoder.encode(read, long_texts="window", progress=UNREPORTED)
    for (index, _), vector in zip(without, vectors, strict=True):
        length = float(np.linalg.norm(vector) * np.linalg.norm(other))
        if length > 0:
            drops[index] = pair.cosine - float(vector @ other) / length
    return drops


def _rank_agreement(contributions: Floats, drops: Floats) -> float | None:
    known = np.isfinite(drops) & np.isfinite(contributions)
    if known.sum() < _FEWEST:
        return None
    value = float(spearman(contributions[known], drops[known], np.ones((1, int(known.sum()))))[0])
    return value if np.isfinite(value) else None
