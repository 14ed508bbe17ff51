"""The nearest words to a word in its sentence, and what they have in common more often than the corpus has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc

from wordworth.measures.attention_maps import Weights
from wordworth.measures.binomial import exact_interval
from wordworth.measures.geometry.cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.neighbours.corpus import TaggedText
from wordworth.studies.neighbours.vectors import NOT_A_WORD, WordVectors
from wordworth.text.treebank_lines import NO_TAG

SAME, SPECIAL = "the same word", "(special token)"
_FEWEST = 2
"""Fewest of the nearest words that a property is common to."""
SURE = 0.05
"""p-values below it are findings."""
_ROWS_AT_ONCE = 1_024
"""Vectors that are scaled at once: they stay in the processor's cache, and no copy of all vectors is made."""
Property = tuple[str, str]
"""A kind of property and its value, such as (`word after`, `of`)."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest words.

    Attributes:
        words: int64 [nearest], indices of words in the corpus, the nearest first.
        cosines: float64 [nearest].
    """

    words: Integers
    cosines: Floats


def nearest_words(query: Weights, vectors: Weights, allowed: np.ndarray, number: int) -> Nearest:
    """Return the words with the largest cosine to a vector, after the mean of the unit vectors is subtracted.

    All vectors of a layer share a large part, so that plain cosines are alike; without it they say more.

    Args:
        query: float32 [width].
        vectors: float32 [words, width].
        allowed: bool [words], the words that may be returned.
        number: most words.
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
    """Return the cosine of each unit vector, less their mean, with a unit vector, float64 [words]."""
    centred = unit_or_zero(vectors)
    centred -= mean
    return floats(unit_or_zero(centred) @ sought)


def properties(text: TaggedText, position: int, query: str) -> Iterator[Property]:
    """Yield what is known of a word in its text: its form, its neighbours; in a treebank its tag, relation and head.

    Args:
        text: the text.
        position: index of the word.
        query: the word that is searched for.
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
    """Return each property that a word of the corpus has, and how many words have it.

    Args:
        corpus: the words.
        query: the word that is searched for.
    """
    return Counter(each for word in range(len(corpus)) for each in _of(corpus, word, query))


def share_by_luck(every: Counter[Property], words: int, number: int) -> float:
    """Return the share of properties whose p-value, not corrected, is below `SURE` by chance; 0 without properties.

    A property passes from some count on. How likely that count is among words drawn from the corpus at random depends
    on how common the property is: next to nothing for a rare one, and never more than `SURE`.

    Args:
        every: the properties of the corpus.
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
    """Return a row for each property of at least two of the nearest words, the least likely by chance first.

    The p-value is that of as many words with the property among words drawn from the corpus at random, times the
    number of properties that the corpus has (Bonferroni), as any of them could have been seen.

    Args:
        corpus: the words.
        query: the word that is searched for.
        every: the properties of the corpus.
        nearest: the nearest words; those by the input layer, which knows no context; those by the same layer or head
            with random weights.
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


def context_rows(corpus: WordVectors, near: Nearest, side: int = 8) -> list[dict[str, Any]]:
    """Return a row for each of the nearest words with the words around it.

    Args:
        corpus: the words.
        near: the nearest words.
        side: most words on either side.
    """
    rows = []
    for rank, (word, cosine) in enumerate(zip(near.words.tolist(), near.cosines, strict=True), start=1):
        text, position = corpus.texts[int(corpus.text[word])], int(corpus.position[word])
        rows.append(
            {
                "rank": rank,
                "cosine": float(cosine),
                "before": _joined(text.words[max(0, position - side) : position]),
                "form": text.words[position],
                "after": _joined(text.words[position + 1 : position + 1 + side]),
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
    """Yield what a head attends to most from a word: which word, and how far away.

    Args:
        text: the text.
        position: index of the word.
        attended: index of the word that it attends to most, or `NOT_A_WORD`.
    """
    if attended == NOT_A_WORD:
        yield ("attends to", SPECIAL)
        return
    yield ("attends to", text.words[attended].casefold())
    yield ("attended position", _relative_position(attended - position))


def _relative_position(offset: int) -> str:
    """Return where a word stands beside another, such as `2 before`."""
    return "itself" if offset == 0 else f"{abs(offset)} {'before' if offset < 0 else 'after'}"
