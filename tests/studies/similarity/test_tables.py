"""The tables of a record hold every pair, the words and cells of those that are shown, and the means over pairs."""

import numpy as np

from wordworth.studies.similarity.pair_similarity import PairSimilarity, WordDeletion
from wordworth.studies.similarity.settings import SimilaritySettings
from wordworth.studies.similarity.tables import MOST_CELLS, Similarities, tables_of
from wordworth.studies.similarity.text_pairs import TextPairs
from wordworth.studies.similarity.word_parts_of_text_vector import TextUnits


def units(number):
    names = ("[CLS]", *(f"word{n}" for n in range(number)))
    parts = np.random.default_rng(number).normal(1, 1, (number + 1, 8))
    special, ones = (True, *[False] * number), np.ones(number + 1, np.int64)
    return TextUnits("", names, ((0, 0),) * (number + 1), special, ones, np.float32(parts), parts.sum(0), parts)


def found(pair, random=0):
    drops = tuple(np.full(len(each.names), 0.25) for each in (pair.first, pair.second))
    drops[0][0] = np.nan
    kinds = [pair.by_kind()] * max(1, random)
    return Similarities(
        kinds,
        kinds[:random],
        [pair.by_word()] * len(kinds),
        {0: (pair, WordDeletion(drops, drops, 0.5, 0.75))},
        [pair.by_word()] * len(kinds),
    )


def test_every_cell_and_every_word_of_a_shown_pair_has_a_row():
    pair = PairSimilarity.of(units(3), units(2))
    tables = tables_of(TextPairs("pair", ("a",), ("b",)), found(pair), None, SimilaritySettings())
    cells, words = tables["cells"].rows(), tables["words"].rows()
    assert [(row["first"], row["second"]) for row in cells] == [(i, j) for i in range(1, 5) for j in range(1, 4)]
    assert [row["value"] for row in cells] == pair.table.ravel().tolist()
    assert [row["word"] for row in words] == ["[CLS]", "word0", "word1", "word2", "[CLS]", "word0", "word1"]
    assert words[0]["drop"] is None
    assert words[1]["drop"] == 0.25
    assert set(tables) == {"pairs", "words", "cells"}


def test_long_texts_have_words_and_no_cells():
    pair = PairSimilarity.of(units(60), units(60))
    tables = tables_of(TextPairs("pair", ("a",), ("b",)), found(pair), None, SimilaritySettings())
    assert pair.table.size > MOST_CELLS
    assert tables["cells"].rows() == []
    assert len(tables["words"].rows()) == 122


def test_pairs_that_are_as_random_ones_show_no_difference():
    pair = PairSimilarity.of(units(3), units(2))
    pairs = TextPairs("pairs", ("a",) * 12, ("b",) * 12)
    rows = tables_of(pairs, found(pair, random=12), None, SimilaritySettings(draws=100))["kinds"].rows()
    assert [row["kind"] for row in rows] == ["same words", "different words", "special tokens", "cosine"]
    assert {(row["gap"], row["gap_low"], row["gap_high"]) for row in rows} == {(0, 0, 0)}
    assert abs(rows[-1]["mean"] - pair.cosine) < 1e-12
