"""What the choice of the nearest texts makes true by construction is not told of the texts that other words choose."""

from types import SimpleNamespace

import numpy as np

from wordworth.measures.bootstrap import Resamples
from wordworth.studies.similarity.query_words import query_word_rows
from wordworth.studies.similarity.text_pairs import Collection

WORDS, TEXTS, NEAREST = 6, 300, 15


def simulated(seed, together=0.0):
    """A query whose words each read one component of the texts' vectors; `together` ties the first two components."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(0.1, 1, (TEXTS, WORDS))
    vectors[:, 1] += together * vectors[:, 0]
    order = np.argsort(-vectors.sum(1))
    parts = np.eye(WORDS)
    names = tuple(f"w{number}" for number in range(WORDS))
    query = SimpleNamespace(parts=parts, vector=parts.sum(0), names=names, is_special=(False,) * WORDS)
    rows = query_word_rows(query, Collection(vectors.astype(np.float32), order[:NEAREST]), Resamples(200, seed))
    return rows, vectors / np.sqrt(WORDS), order[:NEAREST]


def test_figures_are_means_over_the_texts_that_they_name():
    rows, values, nearest = simulated(0)
    for unit, row in enumerate(rows):
        assert abs(row["mean"] - values[nearest, unit].mean()) < 1e-6
        assert abs(row["share"] - values[nearest, unit].sum() / values[nearest].sum()) < 1e-6
        assert abs(row["random"] - values[:, unit].mean()) < 1e-6
        rest = np.delete(values, unit, axis=1).sum(1)
        assert abs(row["others"] - values[np.argsort(-rest)[:NEAREST], unit].mean()) < 1e-6
        assert row["random_low"] < row["random"] < row["random_high"]


def test_words_that_have_nothing_in_common_are_above_random_in_the_nearest_texts_and_not_where_others_choose():
    studies = [simulated(seed)[0] for seed in range(60)]
    chosen = np.mean([row["mean"] > row["random_high"] for rows in studies for row in rows])
    others = np.mean([row["others"] > row["random_high"] for rows in studies for row in rows])
    assert chosen > 0.5
    assert others < 0.06  # 2.5 % asked for, of 360 words
    assert np.mean([any(row["p"] < 0.05 for row in rows) for rows in studies]) < 0.13  # 5 % asked for, of 60 studies


def test_words_that_texts_have_together_confirm_each_other():
    rows, _, _ = simulated(0, together=3.0)
    assert [row["p"] < 0.05 for row in rows[:2]] == [True, True]


def test_a_query_without_parts_has_no_rows():
    query = SimpleNamespace(parts=None, vector=np.ones(2), names=("a",), is_special=(False,))
    assert query_word_rows(query, Collection(np.ones((3, 2), np.float32), np.arange(2)), Resamples(100, 0)) == []
