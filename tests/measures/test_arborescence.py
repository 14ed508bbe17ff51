"""The best tree is the one that a search of all trees finds, and always a tree with one word on the root."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wordworth.measures.arborescence import best_tree


def is_tree(heads):
    """Whether one word hangs on the root and every word leads to it."""
    if list(heads).count(-1) != 1:
        return False
    return all(leads_to_root(heads, word) for word in range(len(heads)))


def leads_to_root(heads, word):
    for _ in heads:
        word = heads[word] if word != -1 else -1
    return word == -1


def total(scores, heads):
    return sum(scores[word, head + 1] for word, head in enumerate(heads))


@st.composite
def arc_scores(draw, most=5):
    words = draw(st.integers(1, most))
    kind = draw(st.sampled_from(["any", "tied"]))
    values = st.floats(-50, 0) if kind == "any" else st.integers(-2, 0).map(float)
    return draw(arrays(float, (words, words + 1), elements=values))


@given(arc_scores())
def test_no_tree_has_a_larger_sum(scores):
    words = len(scores)
    best = max(total(scores, heads) for heads in product(range(-1, words), repeat=words) if is_tree(heads))
    found = best_tree(scores)
    assert is_tree(found)
    assert total(scores, found) == pytest.approx(best, abs=1e-9)


@given(st.integers(0, 10_000), st.integers(20, 60))
def test_long_sentences_have_one_root_and_no_circle(seed, words):
    assert is_tree(best_tree(np.random.default_rng(seed).normal(size=(words, words + 1)) * 10))


def test_heads_that_form_a_circle_are_parted_where_that_costs_least():
    scores = np.full((3, 4), -20.0)
    scores[0, 2], scores[1, 1] = 0, 0  # the first two words prefer each other
    scores[0, 0], scores[1, 0], scores[2, 0] = -5, -4, -6
    scores[2, 1] = -1
    assert best_tree(scores).tolist() == [1, -1, 0]


def test_the_two_words_that_prefer_the_root_share_one():
    scores = np.array([[0.0, -9.0, -3.0], [0.0, -1.0, -9.0]])
    assert best_tree(scores).tolist() == [-1, 0]
