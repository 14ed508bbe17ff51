"""Nearest neighbour search for a word's contextual vector, and properties that are over-represented among the results.

A property is a pair of a name and a value, such as (`word after`, `of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc

from wordworth.measures.attention_maps import Weights
from wordworth.measures.binomial import exact_interval
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.neighbours.corpus_word_vectors import NOT_A_WORD, WordVectors
from wordworth.studies.neighbours.tagged_text import TaggedText
from wordworth.text.treebank_lines import NO_TAG

SAME, SPECIAL = "the same word", "(special token)"
_FEWEST = 2
"""Least number of the nearest words that must share a property for it to be reported."""
SURE = 0.05
"""Level of significance: a property with a smaller p-value is a finding."""
_ROWS_AT_ONCE = 1_024
"""Number of vectors that are scaled at once: few enough for the processor's cache, and no copy of all is made."""
_SIDE = 8
"""Largest number of words that are shown on either side of a word."""
Property = tuple[str, str]
"""A kind of property and its value, such as (`word after`, `of`)."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The words of a corpus whose vectors are nearest to the vector of a query.

    Attributes:
        words: int64 [nearest], indices of words in the corpus, the nearest first.
        cosines: float64 [nearest], the cosine of each with the query, after the mean vector is subtracted.
    """

    words: Integers
    cosines: Floats


def nearest_words(query: Weights, vectors: Weights, allowed: np.ndarray, number: int) -> Nearest:
    """Return the words of a corpus with the largest cosine to a query, after centring.

    Vectors are scaled to length 1 and their mean is subtracted, since all vectors of a layer share a large component
    that would make all cosines similar.

    Args:
        query: float32 [width], the vector of the query.
        vectors: float32 [words, width], the vectors of the corpus.
        allowed: bool [words], the words that may be returned.
        number: largest number of words that are returned.
    """
    blocks = range(0, len(vectors), _ROWS_AT_ONCE)
    sums = [unit_or_zero(vectors[start : start + _ROWS_AT_ONCE]).sum(0) for start in blocks]
    mean = np.asarray(np.sum(sums, axis=0, dtype=np.float64) / len(vectors), np.float32)
    sought = unit_or_zero(unit_or_zero(query) - mean)
    cosines = floats(
        np.concatenate([_cosines(vectors[start : start + _ROWS_AT_ONCE], mean, sought) for start in blocks])
    )
    candidates = np.flatnonzero(allowed)
    order = candidates[np.argsort(-cosines[candidates], kind="stable")[:number]]
    return Nearest(order.astype(np.int64), floats(cosines[order]))


def _cosines(vectors: Weights, mean: Weights, sought: Weights) -> Floats:
    """Return the cosine of each vector with a query, float64 [words].

    Args:
        vectors: float32 [words, width]; they are scaled to length 1, and `mean` is subtracted.
        mean: float32 [width], the mean of the scaled vectors.
        sought: float32 [width], the query, centred and of length 1.
    """
    centred = unit_or_zero(vectors)
    centred -= mean
    return floats(unit_or_zero(centred) @ sought)


def properties(text: TaggedText, position: int, query: str) -> Iterator[Property]:
    """Yield the properties of a word in its text, as (name, value): the word, its neighbours, and tags of a treebank.

    Args:
        text: the text that contains the word.
        position: index of the word in `text.words`.
        query: the word that is searched for; where the word equals it, the value is `SAME`.
    """
    words = [word.casefold() for word in text.words]
    yield ("word", SAME if words[position] == query.casefold() else words[position])
    yield ("word before", words[position - 1] if position else "(beginning)")
    yield ("word after", words[position + 1] if position + 1 < len(words) else "(end)")
    if text.tags and text.tags[position] != NO_TAG:
        yield ("part of speech", text.tags[position])
    if text.relations:
        yield ("relation", text.relations[position])
        yield ("syntactic head", text.governors[position].casefold())


def property_counts(corpus: WordVectors, query: str) -> Counter[Property]:
    """Return for each property, such as being preceded by `the`, the number of words of the corpus that have it.

    Args:
        corpus: the words of the corpus.
        query: the word that is searched for; a corpus word that equals it has the value `SAME` of the property `word`.
    """
    return Counter(each for word in range(len(corpus)) for each in _of(corpus, word, query))


def share_by_chance(every: Counter[Property], words: int, number: int) -> float:
    """Return the share of properties that are expected to look over-represented among words drawn at random.

    Such a property has an uncorrected p-value below `SURE`. As counts are discrete, most properties reach such a
    p-value with a probability below `SURE`, and rare ones hardly ever; the mean of these probabilities is returned, or
    0 if there are no properties.

    Args:
        every: property -> number of words of the corpus that have it.
        words: number of words in the corpus.
        number: number of words that are drawn.
    """
    if not every:
        return 0.0
    counts = np.arange(_FEWEST, number + 1)
    bases, properties_of_base = np.unique(list(every.values()), return_counts=True)
    tails = betainc(counts, number - counts + 1, bases[:, None] / words)
    passing = np.where(tails < SURE, tails, 0.0).max(1, initial=0.0)
    return float(passing @ properties_of_base / len(every))


def common_rows(
    corpus: WordVectors, query: str, every: Counter[Property], nearest: Sequence[Nearest]
) -> list[dict[str, Any]]:
    """Return the rows of the table `common`: properties that two or more of the nearest words share.

    The rows are sorted by p-value, the smallest first.

    The p-value is the probability that words drawn at random from the corpus have the property at least as often,
    multiplied by the number of properties in the corpus (Bonferroni).

    Args:
        corpus: the words of the corpus.
        query: the word that is searched for.
        every: property -> number of words of the corpus that have it.
        nearest: three lists of nearest words: by the layer or head that is studied; by the input layer, which reads no
            context; and by the same layer or head with random weights.
    """
    near, by_input, by_random = nearest
    near_counts, input_counts, random_counts = (
        Counter(each for word in search.words.tolist() for each in _of(corpus, word, query)) for search in nearest
    )
    number = len(near.words)
    rows = []
    for each, count in near_counts.items():
        if count >= _FEWEST:
            base = every[each] / len(corpus)
            chance = float(betainc(count, number - count + 1, base)) if base < 1 else 1.0
            interval = exact_interval(count, number)
            rows.append(
                {
                    "kind": each[0],
                    "value": each[1],
                    "count": count,
                    "share": count / number,
                    "low": interval.low,
                    "high": interval.high,
                    "corpus_share": base,
                    "input_share": input_counts[each] / max(1, len(by_input.words)),
                    "random_share": random_counts[each] / max(1, len(by_random.words)),
                    "p": min(1.0, chance * len(every)),
                }
            )
    return sorted(rows, key=lambda row: (row["p"], -row["share"], row["kind"], row["value"]))


def context_rows(corpus: WordVectors, near: Nearest) -> list[dict[str, Any]]:
    """Return the rows of the table `contexts`: each of the nearest words with the words around it.

    Args:
        corpus: the words of the corpus.
        near: the nearest words.
    """
    rows = []
    for rank, (word, cosine) in enumerate(zip(near.words.tolist(), near.cosines, strict=True), start=1):
        text, position = corpus.texts[int(corpus.text[word])], int(corpus.position[word])
        rows.append(
            {
                "rank": rank,
                "cosine": float(cosine),
                "before": _joined(text.words[max(0, position - _SIDE) : position]),
                "form": text.words[position],
                "after": _joined(text.words[position + 1 : position + 1 + _SIDE]),
                "relation": text.relations[position] if text.relations else None,
                "attends_to": _attended_word(corpus, word),
            }
        )
    return rows


def _attended_word(corpus: WordVectors, word: int) -> str | None:
    if corpus.attended is None:
        return None
    attended = int(corpus.attended[word])
    return SPECIAL if attended == NOT_A_WORD else corpus.texts[int(corpus.text[word])].words[attended]


def _joined(words: Sequence[str]) -> str:
    return " ".join(words)


def _of(corpus: WordVectors, word: int, query: str) -> Iterator[Property]:
    text, position = corpus.texts[int(corpus.text[word])], int(corpus.position[word])
    yield from properties(text, position, query)
    if corpus.attended is not None:
        yield from attended_properties(text, position, int(corpus.attended[word]))


def attended_properties(text: TaggedText, position: int, attended: int) -> Iterator[Property]:
    """Yield the properties of the word that an attention head attends to most: which word it is, and how far away.

    Each property is a pair of name and value.

    Args:
        text: the text that contains both words.
        position: index of the word that attends.
        attended: index of the word that it attends to most, or `NOT_A_WORD`.
    """
    if attended == NOT_A_WORD:
        yield ("attends to", SPECIAL)
        return
    yield ("attends to", text.words[attended].casefold())
    yield ("attended position", _relative_position(attended - position))


def _relative_position(offset: int) -> str:
    """Return in words the position of a word relative to another, such as `2 before`.

    `offset` is the position of the first word minus the position of the second.
    """
    return "itself" if offset == 0 else f"{abs(offset)} {'before' if offset < 0 else 'after'}"
