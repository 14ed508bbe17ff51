"""The tables of a `similarity` record, and `Similarities`, the decompositions from which they are computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Resamples, interval, mean_draws
from wordworth.record_json_values import finite_or_none
from wordworth.records import Table
from wordworth.studies.similarity.pair_similarity import KINDS, PairSimilarity, WordDeletion
from wordworth.studies.similarity.query_words import QUERY_WORDS, query_word_rows
from wordworth.studies.similarity.settings import SimilaritySettings
from wordworth.studies.similarity.text_pairs import TextPairs
from wordworth.studies.similarity.word_shares import WordParts, word_shares

MOST_CELLS = 2_500
"""Cells of a pair in the record; longer texts have their words' contributions alone."""
PAIRS = {
    "pair": "number of the pair, from 1",
    "first": "the first text, or the query",
    "second": "the second text",
    "cosine": "cosine of their vectors",
    "same_words": "sum of the cells of two words that are written alike, without case; none where vectors are no "
    "sums over tokens",
    "different_words": "sum of the cells of two words that are not",
    "special_tokens": "sum of the cells of special tokens",
    "agreement": "Spearman's correlation, over the words of both texts, of the columns contribution and drop of the "
    "table words; none for pairs that are not shown, and for fewer than three words",
    "pooled_agreement": "the same of the columns pooled_drop and drop",
}
WORDS = {
    "pair": "number of the pair",
    "text": "1 for the first text, 2 for the second",
    "position": "number of the word in the text, from 1, special tokens counted",
    "word": "the word, piece or special token",
    "special": "whether it is a special token",
    "contribution": "sum of its cells; those of a text add up to the cosine",
    "drop": "the cosine less that without this word, the text read anew; none for special tokens and for long texts",
    "pooled_drop": "the cosine less that without this word's states in the pooling, all other states as they were",
}
CELLS = {
    "pair": "number of the pair",
    "first": "position of the word in the first text",
    "second": "position of the word in the second text",
    "value": "its part of the cosine; all cells of a pair add up to the cosine",
}
KIND_MEANS = {
    "kind": "which cells",
    "mean": "mean over pairs of the sum of these cells",
    "low": "of its 95 % interval, over pairs",
    "high": "of its 95 % interval",
    "random": "the same where the second text is that of another pair",
    "random_low": "of its 95 % interval",
    "random_high": "of its 95 % interval",
    "gap": "pairs less random pairs",
    "gap_low": "of its 95 % interval, the same pairs in both",
    "gap_high": "of its 95 % interval",
}
WORD_SHARES = {
    "word": "the word, without case; chosen on half of the pairs, all figures are of the other half",
    "pairs": "number of pairs with it",
    "share": "its share of the sum of all cosines",
    "share_low": "of its 95 % interval, over pairs",
    "share_high": "of its 95 % interval",
    "ratio": "its contribution, divided by that of as many average tokens in the same texts",
    "ratio_low": "of its 95 % interval",
    "ratio_high": "of its 95 % interval",
    "mean": "its contribution to a pair, mean over all pairs that are measured",
    "random": "the same where the second text is that of another pair",
    "gap": "pairs less random pairs",
    "gap_low": "of its 95 % interval, the same pairs in both",
    "gap_high": "of its 95 % interval",
    "above": "whether the interval of the ratio, at a level corrected for the number of words, is above 1",
}
TOTAL = "cosine"


@dataclass(frozen=True, slots=True)
class Similarities:
    """The decompositions of the cosines of all pairs of texts, by kind of word pairs and by word.

    The decompositions of pairs that are shown one by one are kept in full.

    A random pair has the first text of a pair and the second text of a different pair.

    Attributes:
        kinds: for each pair float64 [4]: the parts of the cosine by each of the three `KINDS` of word pairs, and the
            cosine. The parts are NaN if the encoder's vectors are not sums over tokens.
        random_kinds: for each random pair float64 [4], the same numbers; empty if there is only one pair.
        words: for each pair word -> its contribution to the cosine, and its expected contribution: the cosine times the
            word's share of the tokens.
        examples: index of a pair -> its decomposition, and the drops of the cosine without each word.
        random_words: the same as `words`, for random pairs.
    """

    kinds: list[np.ndarray] = field(default_factory=list)
    random_kinds: list[np.ndarray] = field(default_factory=list)
    words: list[WordParts] = field(default_factory=list)
    examples: dict[int, tuple[PairSimilarity, WordDeletion]] = field(default_factory=dict)
    random_words: list[WordParts] = field(default_factory=list)


def tables_of(
    pairs: TextPairs, similarities: Similarities, random: Similarities | None, settings: SimilaritySettings
) -> dict[str, Table]:
    """Return the tables of a `similarity` record by name.

    Tables of means over pairs need several pairs; the table of a query's words needs a query.

    Args:
        pairs: the texts.
        similarities: decompositions by the model.
        random: decompositions by a model of the same shape with random weights; None if there is only one pair.
        settings: the settings, of which the number of resamples and the seed are read.
    """
    tables = {
        "pairs": Table.of(list(_pairs(pairs, similarities)), PAIRS),
        "words": Table.of(
            [row for number in similarities.examples for row in _words(number, *similarities.examples[number])], WORDS
        ),
        "cells": Table.of(
            [row for number in similarities.examples for row in _cells(number, similarities.examples[number][0])], CELLS
        ),
    }
    if pairs.collection is not None:
        query = similarities.examples[0][0].first
        rows = query_word_rows(query, pairs.collection, Resamples(settings.draws, settings.seed))
        tables["query_words"] = Table.of(rows, QUERY_WORDS)
    if len(similarities.random_kinds) > 1:
        cosines = [float(kinds[-1]) for kinds in similarities.kinds]
        tables["kinds"] = Table.of(_kind_means(similarities, settings), KIND_MEANS)
        if random is not None:
            tables["random_weights"] = Table.of(_kind_means(random, settings), KIND_MEANS)
        if any(similarities.words):
            resamples = Resamples(settings.draws, settings.seed)
            shares = word_shares(similarities.words, similarities.random_words, cosines, resamples)
            tables["word_shares"] = Table.of(shares, WORD_SHARES)
    return tables


def _pairs(pairs: TextPairs, similarities: Similarities) -> Iterator[dict[str, Any]]:
    for number, (first, second, kinds) in enumerate(zip(pairs.first, pairs.second, similarities.kinds, strict=True)):
        deletion = similarities.examples[number][1] if number in similarities.examples else None
        yield {
            "pair": number + 1,
            "first": first,
            "second": second,
            "cosine": float(kinds[-1]),
            **{kind.replace(" ", "_"): finite_or_none(value) for kind, value in zip(KINDS, kinds[:-1], strict=True)},
            "agreement": None if deletion is None else deletion.agreement,
            "pooled_agreement": None if deletion is None else deletion.pooled_agreement,
        }


def _words(number: int, pair: PairSimilarity, deletion: WordDeletion) -> Iterator[dict[str, Any]]:
    columns = zip(pair.sides, deletion.drops, deletion.pooled_drops, strict=True)
    for text, ((units, contributions), drops, pooled_drops) in enumerate(columns, start=1):
        for position, name in enumerate(units.names):
            yield {
                "pair": number + 1,
                "text": text,
                "position": position + 1,
                "word": name,
                "special": units.is_special[position],
                "contribution": finite_or_none(contributions[position]),
                "drop": finite_or_none(drops[position]),
                "pooled_drop": finite_or_none(pooled_drops[position]),
            }


def _cells(number: int, pair: PairSimilarity) -> Iterator[dict[str, Any]]:
    if pair.has_parts and pair.table.size <= MOST_CELLS:
        for (first, second), value in np.ndenumerate(pair.table):
            yield {"pair": number + 1, "first": first + 1, "second": second + 1, "value": float(value)}


def _kind_means(similarities: Similarities, settings: SimilaritySettings) -> list[dict[str, Any]]:
    """Return the rows of the table `kinds`: the mean part of the cosine by kind of word pairs, and the mean cosine.

    Kinds are left out if the encoder's vectors are not sums over tokens.
    """
    own, other = (np.array(kinds) for kinds in (similarities.kinds, similarities.random_kinds))
    columns = {"": own, "random_": other, "gap_": own - other}
    rng = seeds.child(settings.seed, "similarity", "kinds")
    draws = np.split(mean_draws(np.column_stack(list(columns.values())), settings.draws, rng), len(columns), axis=1)
    rows = []
    for column in np.flatnonzero(~np.isnan(own).all(0)):
        row: dict[str, Any] = {"kind": (*KINDS, TOTAL)[column]}
        for (prefix, values), drawn in zip(columns.items(), draws, strict=True):
            row[prefix.rstrip("_") or "mean"] = float(values[:, column].mean())
            row |= interval(drawn[:, column]).columns(prefix)
        rows.append(row)
    return rows
