"""`PairSimilarity`: the cosine of two texts as a table over pairs of words, and drops of the cosine without a word.

A unit is a word, or a token if the settings ask for pieces; each special token is a unit too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wordworth.measures.correlation import spearman
from wordworth.measures.cosine_decomposition import cosine_parts
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import UNREPORTED
from wordworth.record_json_values import finite_or_none
from wordworth.studies.similarity.word_parts_of_text_vector import TextUnits

SAME, DIFFERENT, SPECIAL = "same words", "different words", "special tokens"
KINDS = (SAME, DIFFERENT, SPECIAL)
"""Kinds of cells: two units that are written alike, two that are not, and those of a special token with any unit."""
_FEWEST = 3
"""Least number of words for a rank correlation."""
MOST_DELETED = 200
"""Most words of both texts together that are left out one by one, as each costs a pass over its text."""


@dataclass(frozen=True, slots=True)
class PairSimilarity:
    """The cosine of two texts, decomposed over pairs of their units.

    A unit is a word, a token or a special token.

    Attributes:
        first, second: the units of the first and of the second text.
        cosine: cosine of the two texts; NaN if one of them has a vector of zeros.
        table: float64 [units of the first, units of the second]; its cells add up to the cosine. All cells are NaN if
            the encoder's vectors are not sums over tokens.
    """

    first: TextUnits
    second: TextUnits
    cosine: float
    table: Floats

    @classmethod
    def of(cls, first: TextUnits, second: TextUnits) -> PairSimilarity:
        """Decompose the cosine of two texts over pairs of their words or tokens (units)."""
        if first.parts is None or second.parts is None:
            cosine = float(_cosines(first.vector[None], second.vector)[0])
            return cls(first, second, cosine, np.full((len(first.names), len(second.names)), np.nan))
        table = cosine_parts(first.parts, second.parts)
        return cls(first, second, float(table.sum()), table)

    @property
    def has_parts(self) -> bool:
        """Whether the cosine is a sum over pairs of words, so that the cells of `table` are numbers and not NaN."""
        return self.first.parts is not None

    @property
    def sides(self) -> tuple[tuple[TextUnits, Floats], tuple[TextUnits, Floats]]:
        """Each of the two texts with the contributions of its words or tokens (units) to the cosine, float64 [units].

        A unit's contribution is the sum of its row or column in `table`; the contributions of a text's units add up to
        the cosine.
        """
        return (self.first, floats(self.table.sum(1))), (self.second, floats(self.table.sum(0)))

    def by_kind(self) -> Floats:
        """Return the parts of the cosine that three kinds of word pairs contribute, then the cosine, float64 [4].

        A part is a sum of cells of `table`: cells of two equal words, of two different words, and of a special token
        with any unit (`KINDS`, in this order). The parts are NaN if `has_parts` is False.
        """
        if not self.has_parts:
            return floats([*[np.nan] * len(KINDS), self.cosine])
        special = np.logical_or.outer(self.first.is_special, self.second.is_special)
        same = np.equal.outer(np.array(self.first.forms, object), np.array(self.second.forms, object)) & ~special
        return floats(
            [self.table[same].sum(), self.table[~same & ~special].sum(), self.table[special].sum(), self.cosine]
        )

    def by_word(self) -> Mapping[str, tuple[float, float]]:
        """Return for each word of either text its contribution to the cosine, and its expected contribution.

        A word has two sums of cells of `table`: over its rows for the first text, and over its columns for the second.
        Its contribution is the mean of the two sums, so that the contributions of all words and special tokens add up
        to the cosine. The expected contribution is the cosine times the word's share of a text's tokens, averaged over
        the two texts. The mapping is empty if `has_parts` is False.
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
    """The drop of the cosine of two texts when a unit is left out, for each unit of both texts.

    A unit is a word, a token or a special token.

    Attributes:
        drops: for each text float64 [units], the cosine minus the cosine of the text encoded without the unit; NaN for
            special tokens, and throughout if the texts have more than `MOST_DELETED` words.
        pooled_drops: for each text float64 [units], the cosine minus the cosine with the unit's states left out of the
            pooling, while the other states stay as they are; NaN if no state is left.
        agreement: Spearman's correlation, over the words of both texts, of drops and of contributions to the cosine
            (`PairSimilarity.sides`); None if there are fewer than three words, or if all values are equal.
        pooled_agreement: Spearman's correlation of drops and pooled drops; None under the same conditions.
    """

    drops: tuple[Floats, Floats]
    pooled_drops: tuple[Floats, Floats]
    agreement: float | None
    pooled_agreement: float | None


def delete_words(encoder: TextEncoder, pair: PairSimilarity) -> WordDeletion:
    """Measure by how much the cosine of two texts drops without each word.

    The word is left out in two ways: from the text before it is encoded, and from the pooling alone.

    The drop differs from the word's contribution to the cosine in `pair`: without the word, the states of the other
    words change too.

    Args:
        encoder: the encoder of the texts.
        pair: the decomposed cosine of the two texts.
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
    """Return, for each unit, the cosine of the text encoded without this unit and another vector, float64 [units].

    The cosine is NaN for a special token.
    """
    cosines = np.full(len(units.names), np.nan)
    without = list(units.texts_without_each())
    read = [text.removeprefix(encoder.prompt) for _, text in without]
    vectors = encoder.encode(read, long_texts="window", progress=UNREPORTED)
    cosines[[index for index, _ in without]] = _cosines(vectors.astype(float), other)
    return cosines


def _cosines(vectors: Floats, other: Floats) -> Floats:
    """Return the cosines of vectors [n, width] with another vector, float64 [n]; NaN where either is zero."""
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(other)
    return floats(np.divide(vectors @ other, lengths, out=np.full(len(vectors), np.nan), where=lengths != 0))


def _rank_agreement(values: Floats, drops: Floats) -> float | None:
    known = np.isfinite(drops) & np.isfinite(values)
    if known.sum() < _FEWEST:
        return None
    value = float(spearman(values[known], drops[known], np.ones((1, int(known.sum()))))[0])
    return finite_or_none(value)
