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
from wordworth.record_values import finite_or_none
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
        cosine: cosine of the two texts; NaN if one of them has a vector of zeros.
        table: float64 [units of the first, units of the second]; its cells add up to the cosine. NaN where vectors are
            no sums over tokens.
    """

    first: TextUnits
    second: TextUnits
    cosine: float
    table: Floats

    @classmethod
    def of(cls, first: TextUnits, second: TextUnits) -> PairSimilarity:
        """Take the cosine of two texts apart."""
        if first.parts is None or second.parts is None:
            cosine = float(_cosines(first.vector[None], second.vector)[0])
            return cls(first, second, cosine, np.full((len(first.names), len(second.names)), np.nan))
        table = cosine_parts(first.parts, second.parts)
        return cls(first, second, float(table.sum()), table)

    @property
    def has_parts(self) -> bool:
        """Whether the cosine is a sum over pairs of units."""
        return self.first.parts is not None

    @property
    def sides(self) -> tuple[tuple[TextUnits, Floats], tuple[TextUnits, Floats]]:
        """Each text with its units' contributions, the sums of their rows or columns, which add up to the cosine."""
        return (self.first, floats(self.table.sum(1))), (self.second, floats(self.table.sum(0)))

    def by_kind(self) -> Floats:
        """Return the sum of the cells of each kind, in the order of `KINDS`, and the cosine: float64 [4]."""
        if not self.has_parts:
            return floats([*[np.nan] * len(KINDS), self.cosine])
        special = np.logical_or.outer(self.first.is_special, self.second.is_special)
        same = np.equal.outer(np.array(self.first.forms, object), np.array(self.second.forms, object)) & ~special
        return floats(
            [self.table[same].sum(), self.table[~same & ~special].sum(), self.table[special].sum(), self.cosine]
        )

    def by_word(self) -> Mapping[str, tuple[float, float]]:
        """Return, for each word of either text, its contribution to the cosine, and what as many average tokens give.

        The contribution is the mean of those in the first and in the second text, so that all words and special tokens
        together give the cosine; so do the second numbers, the cosine times the word's share of the tokens. Of a
        cosine without parts there are none.
        """
        if not self.has_parts:
            return {}
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
        drops: for each text float64 [units], the cosine less that without the unit, its text read anew; NaN for special
            tokens, and for all units of texts that have too many.
        pooled_drops: the same without the unit's states in the pooling; the other states are as they were. NaN where
            no state is left.
        agreement: Spearman's correlation of drops and contributions over the words of both texts; None for fewer than
            three words, or where all are the same.
        pooled_agreement: pooled agreement of drops and pooled drops.
    """

    drops: tuple[Floats, Floats]
    pooled_drops: tuple[Floats, Floats]
    agreement: float | None
    pooled_agreement: float | None


def delete_words(encoder: TextEncoder, pair: PairSimilarity) -> WordDeletion:
    """Compare each text without each of its words with the other text: left out of the pooling, and read anew.

    A word's contribution to the cosine is not what would be lost without it, since the other words' states hang on it.
    """
    beside = ((pair.first, pair.second.vector), (pair.second, pair.first.vector))
    pooled = [pair.cosine - _cosines(units.vectors_without_each(encoder.head), other) for units, other in beside]
    if sum(len(units.names) - sum(units.is_special) for units, _ in beside) > MOST_DELETED:
        drops = [np.full(len(units.names), np.nan) for units, _ in beside]
    else:
        drops = [pair.cosine - _read_anew(encoder, units, other) for units, other in beside]
    read, left_out = np.concatenate(drops), np.concatenate(pooled)
    contributions = np.concatenate([parts for _, parts in pair.sides])
    return WordDeletion(
        (drops[0], drops[1]),
        (pooled[0], pooled[1]),
        agreement=_rank_agreement(contributions, read),
        pooled_agreement=_rank_agreement(left_out, read),
    )


def _read_anew(encoder: TextEncoder, units: TextUnits, other: Floats) -> Floats:
    """Return the cosine of the text without each of its words with another vector, float64 [units]."""
    cosines = np.full(len(units.names), np.nan)
    without = list(units.texts_without_each())
    read = [text.removeprefix(encoder.prompt) for _, text in without]
    vectors = encoder.encode(read, long_texts="window", progress=UNREPORTED)
    cosines[[index for index, _ in without]] = _cosines(vectors.astype(float), other)
    return cosines


def _cosines(vectors: Floats, other: Floats) -> Floats:
    """Return the cosines of vectors [n, width] with another one; NaN where one of both is zero."""
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(other)
    return floats(np.divide(vectors @ other, lengths, out=np.full(len(vectors), np.nan), where=lengths != 0))


def _rank_agreement(values: Floats, drops: Floats) -> float | None:
    known = np.isfinite(drops) & np.isfinite(values)
    if known.sum() < _FEWEST:
        return None
    value = float(spearman(values[known], drops[known], np.ones((1, int(known.sum()))))[0])
    return finite_or_none(value)
