"""The nearest words are those of the largest cosine, and what they share is compared with the corpus."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from wordworth.studies.neighbours.corpus_word_vectors import NOT_A_WORD, WordVectors
from wordworth.studies.neighbours.nearest_words import (
    Nearest,
    attended_properties,
    common_rows,
    context_rows,
    nearest_words,
    properties,
    property_counts,
    share_by_chance,
)
from wordworth.studies.neighbours.tagged_text import TaggedText

TEXT = TaggedText(("The", "cat", "sat"), relations=("det", "nsubj", "root"), governors=("cat", "sat", "(root)"))


def corpus(texts: int = 30) -> WordVectors:
    """`the cat` in ten texts, `a dog` in the others; vectors tell them apart."""
    words = [TaggedText(("the", "cat") if number < 10 else ("a", "dog")) for number in range(texts)]
    text = np.repeat(np.arange(texts), 2)
    vectors = np.random.default_rng(0).standard_normal((2 * texts, 8)).astype(np.float32)
    return WordVectors(tuple(words), text, np.tile(np.arange(2), texts), vectors, vectors)


def test_a_planted_copy_is_the_nearest():
    vectors = corpus().vectors
    query = 3 * vectors[7]
    near = nearest_words(query, vectors, np.ones(len(vectors), bool), 5)
    assert near.words[0] == 7
    assert near.cosines[0] == pytest.approx(1.0)
    assert (np.diff(near.cosines) <= 0).all()
    allowed = np.ones(len(vectors), bool)
    allowed[7] = False
    assert 7 not in nearest_words(query, vectors, allowed, 5).words


@given(st.integers(1, 100))
def test_no_more_words_than_there_are(number):
    vectors = corpus().vectors
    near = nearest_words(vectors[0], vectors, np.ones(len(vectors), bool), number)
    assert len(near.words) == min(number, 60)
    assert len(set(near.words.tolist())) == len(near.words)


def test_properties_are_of_the_word_its_neighbours_and_the_tree():
    assert list(properties(TEXT, 1, "Cat")) == [
        ("word", "the same word"),
        ("word before", "the"),
        ("word after", "sat"),
        ("relation", "nsubj"),
        ("syntactic head", "sat"),
    ]
    tagged = replace(TEXT, tags=("DET", "NOUN", "_"))
    assert ("part of speech", "NOUN") in list(properties(tagged, 1, "cat"))
    assert "part of speech" not in dict(properties(tagged, 2, "cat"))
    assert ("word before", "(beginning)") in list(properties(TEXT, 0, "cat"))
    assert ("word after", "(end)") in list(properties(TEXT, 2, "cat"))


def test_what_the_nearest_share_beyond_the_corpus_comes_first():
    cats = Nearest(np.arange(1, 20, 2), np.linspace(1, 0.5, 10))
    others = Nearest(np.array([1, 21]), np.array([1.0, 0.9])), Nearest(np.array([21, 23, 1, 25]), np.ones(4))
    rows = common_rows(corpus(), "cat", property_counts(corpus(), "cat"), (cats, *others))
    first = rows[0]
    assert (first["kind"], first["value"], first["count"], first["share"]) == ("word", "the same word", 10, 1.0)
    assert first["corpus_share"] == pytest.approx(1 / 6)
    assert first["input_share"] == 0.5
    assert first["random_share"] == 0.25
    assert first["high"] == 1.0
    assert first["p"] < 1e-4
    end = next(row for row in rows if row["value"] == "(end)")
    assert end["p"] == pytest.approx(min(1.0, 0.5**10 * 10))


def test_what_is_as_common_in_the_corpus_is_no_finding():
    whole = Nearest(np.arange(60), np.zeros(60))
    every = property_counts(corpus(), "cat")
    assert all(row["p"] > 0.5 for row in common_rows(corpus(), "cat", every, (whole, whole, whole)))


def test_each_word_of_the_corpus_has_its_properties_counted():
    every = property_counts(corpus(), "cat")
    assert every["word", "the same word"] == every["word", "the"] == every["word after", "cat"] == 10
    assert every["word", "dog"] == 20
    assert every["word before", "(beginning)"] == every["word after", "(end)"] == 30


def test_how_many_properties_pass_by_luck_is_what_random_words_show():
    words, number, rng = 1_000, 20, np.random.default_rng(0)
    every = Counter({("word", str(i)): count for i, count in enumerate([500, 300, 100, 40, 3, 1])})
    drawn = rng.binomial(number, np.array(list(every.values())) / words, size=(20_000, len(every)))
    tails = binom.sf(drawn - 1, number, np.array(list(every.values())) / words)
    passing = ((tails < 0.05) & (drawn >= 2)).mean()
    assert share_by_chance(every, words, number) == pytest.approx(passing, rel=0.05)


@given(st.lists(st.integers(1, 50), max_size=8), st.integers(1, 30))
def test_no_more_than_one_in_twenty_passes_by_luck(counts, number):
    every = Counter({("word", str(i)): count for i, count in enumerate(counts)})
    assert 0 <= share_by_chance(every, 50, number) <= 0.05
    assert share_by_chance(every, 50, 1) == 0


def test_contexts_have_the_words_around_them():
    vectors = np.eye(3, dtype=np.float32)
    read = WordVectors((TEXT,), np.zeros(3, int), np.arange(3), vectors, vectors)
    [row] = context_rows(read, Nearest(np.array([1]), np.array([0.5])))
    assert (row["before"], row["form"], row["after"], row["relation"]) == ("The", "cat", "sat", "nsubj")


@pytest.mark.parametrize(
    ("attended", "expected"),
    [
        (0, [("attends to", "the"), ("attended position", "1 before")]),
        (1, [("attends to", "cat"), ("attended position", "itself")]),
        (2, [("attends to", "sat"), ("attended position", "1 after")]),
        (NOT_A_WORD, [("attends to", "(special token)")]),
    ],
)
def test_what_a_head_attends_to_is_a_word_and_a_place(attended, expected):
    assert list(attended_properties(TEXT, 1, attended)) == expected


def test_the_position_that_the_nearest_words_attend_to_is_held_against_the_corpus():
    words = replace(corpus(), attended=np.tile([1, NOT_A_WORD], 30))
    near = Nearest(np.arange(0, 20, 2), np.ones(10))
    every = property_counts(words, "mat")
    rows = {(row["kind"], row["value"]): row for row in common_rows(words, "mat", every, [near] * 3)}
    assert every["attended position", "1 after"] == 30
    assert rows["attended position", "1 after"]["share"] == 1
    assert rows["attended position", "1 after"]["corpus_share"] == 0.5
    assert {row["attends_to"] for row in context_rows(words, near)} == {"cat"}
