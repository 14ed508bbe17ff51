"""The chain against its slow twin: sums and the best over every path, written out."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.sparse import random_array

from wordworth.representations.heads.linear_chain_crf import NegativeLogLikelihood, marginals
from wordworth.training.pack_words_by_time import PackedWords, viterbi


def every_path(scores, step):
    """The score of each tag sequence of one sentence [words, tags]."""
    return {
        path: sum(scores[word, tag] for word, tag in enumerate(path)) + sum(step[pair] for pair in pairwise(path))
        for path in product(range(scores.shape[1]), repeat=len(scores))
    }


def drawn(seed, lengths, tags, scale=2.0):
    rng = np.random.default_rng(seed)
    return scale * rng.normal(size=(sum(lengths), tags)), scale * rng.normal(size=(tags, tags)), np.array(lengths)


def by_enumeration(scores, step, lengths):
    """The log of the sum over paths, marginals of tags and steps, and the best tags, sentences end to end."""
    total, tags, steps, best = 0.0, np.zeros(scores.shape), np.zeros(step.shape), []
    starts = np.cumsum(lengths) - lengths
    for start, length in zip(starts, lengths, strict=True):
        paths = every_path(scores[start : start + length], step)
        log_sum = np.logaddexp.reduce(list(paths.values()))
        total += log_sum
        best += max(paths, key=paths.get)
        for path, score in paths.items():
            share = np.exp(score - log_sum)
            tags[start + np.arange(length), list(path)] += share
            for pair in pairwise(path):
                steps[pair] += share
    return total, tags, steps, best


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1000), lengths=st.lists(st.integers(0, 4), min_size=1, max_size=4), tags=st.integers(1, 4))
def test_sums_marginals_and_best_paths_equal_enumeration(seed, lengths, tags):
    scores, step, sizes = drawn(seed, lengths, tags)
    packing = PackedWords.of(sizes)
    if not len(packing.rows):
        return
    total, per_word, steps, best = by_enumeration(scores, step, sizes)
    expected = marginals(scores[packing.rows], step, packing)
    assert expected.log_partition == pytest.approx(total, abs=1e-9)
    assert np.allclose(expected.tags, per_word[packing.rows], atol=1e-9)
    assert np.allclose(expected.transitions, steps, atol=1e-9)
    assert viterbi(scores[packing.rows], step, packing).tolist() == np.array(best)[packing.rows].tolist()


def test_scores_of_any_size_stay_finite():
    scores, step, lengths = drawn(1, [400, 3, 90], 5, scale=500.0)
    packing = PackedWords.of(lengths)
    expected = marginals(scores[packing.rows], step, packing)
    assert np.isfinite(expected.log_partition)
    assert np.isfinite(expected.tags).all()
    assert np.isfinite(expected.transitions).all()


def test_its_slope_is_that_of_its_loss():
    rng = np.random.default_rng(0)
    packing = PackedWords.of(np.array([3, 5, 0, 1]))
    features = random_array((9, 6), density=0.5, format="csr", dtype=np.float32, rng=rng)
    loss = NegativeLogLikelihood(features, rng.integers(3, size=9), packing, 3)
    numbers = rng.normal(size=loss.size)
    measured = approx_fprime(numbers, lambda point: loss(point, 0.1)[0], 1e-3)
    assert np.allclose(loss(numbers, 0.1)[1], measured, atol=0.02)
