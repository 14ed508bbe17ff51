"""Occurrences that stream past: exact means, and directions as good as exact in bounded memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.static.distillation.aggregators import SKETCH, Directions, Means, shrunk


def exact(vectors):
    """The first right singular vector of all occurrences, towards their mean."""
    direction = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)[2][0]
    return direction * (1 if direction @ vectors.sum(0) >= 0 else -1)


def streamed(kept, rows, vectors, block=7):
    for start in range(0, len(rows), block):
        kept.add(rows[start : start + block], vectors[start : start + block])
    return kept.result()


def test_the_first_direction_points_towards_the_mean():  # Ethayarajh 2019, section 4.4
    rows = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
    both = streamed(Directions(3, 2), np.repeat([0, 1], 3), np.concatenate([rows, -rows]))
    assert both[0] == pytest.approx([np.sqrt(0.5), np.sqrt(0.5)])
    assert both[1] == pytest.approx([-np.sqrt(0.5), -np.sqrt(0.5)])
    assert not both[2].any()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_means_are_those_of_all_occurrences_however_they_come(seed, block):
    rng = np.random.default_rng(seed)
    rows, vectors = rng.integers(4, size=60), rng.normal(size=(60, 5)).astype(np.float32)
    found = streamed(Means(6, 5), rows, vectors, block)
    for row in range(4):
        assert found[row] == pytest.approx(vectors[rows == row].mean(0), abs=1e-6)
    assert not found[4:].any()


def test_few_occurrences_lose_nothing():
    vectors = np.random.default_rng(0).normal(size=(2 * SKETCH, 12)).astype(np.float32)
    found = streamed(Directions(1, 12), np.zeros(2 * SKETCH, np.int64), vectors, block=3)
    assert found[0] == pytest.approx(exact(vectors), abs=1e-5)


def test_the_direction_of_a_frequent_word_is_all_but_exact_in_bounded_memory():
    rng = np.random.default_rng(1)
    rows = rng.integers(2, size=1200)
    vectors = (np.eye(64)[rows] * 3 + rng.normal(scale=0.35, size=(1200, 64))).astype(np.float32)
    kept = Directions(2, 64)
    found = streamed(kept, rows, vectors, block=50)
    assert max(map(len, kept.sketches.values())) <= 2 * SKETCH
    for row in range(2):
        assert found[row] @ exact(vectors[rows == row]) > 0.999


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_a_sketch_keeps_its_bound(seed):
    """Ghashami et al. 2016, theorem 1.1, with k = 0: |X'X - B'B| <= |X|^2 / SKETCH."""
    vectors = np.random.default_rng(seed).normal(size=(2 * SKETCH, 20)).astype(np.float32)
    small = shrunk(vectors)
    lost = np.linalg.norm(vectors.T @ vectors - small.T @ small, 2)
    assert lost <= (vectors**2).sum() / SKETCH * (1 + 1e-4)


def test_words_that_never_came_and_words_of_zeros_are_zeros():
    assert not streamed(Directions(2, 3), np.zeros(4, np.int64), np.zeros((4, 3), np.float32)).any()
