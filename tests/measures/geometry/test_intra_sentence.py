import itertools

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from tests.measures.geometry import pairwise

from wordworth.measures.geometry.intra_sentence import drawn


def sentences(vectors, starts):
    """Both similarities of sentences whose words stand end to end in `vectors`."""
    words = np.ones(len(vectors)), np.arange(len(vectors)), starts
    return drawn(vectors, csr_matrix(words, shape=(len(starts) - 1, len(vectors))))


def intra_sentence(vectors):
    """The published measure of one sentence (Ethayarajh 2019, section 3.2)."""
    return float(sentences(vectors, np.array([0, len(vectors)])).to_mean[0])


def null(baseline, n):
    """The value of `to_mean` for n vectors of equal length whose pairs all have the baseline's cosine.

    Subtracting only the baseline leaves the rest where context does nothing. `study context` takes its null from
    sentences made of random occurrences instead.
    """
    return np.sqrt((1 + (n - 1) * baseline) / n)


@pytest.mark.parametrize(
    ("vectors", "expected"),
    [
        ([[1.0, 0], [0, 1], [1, 1]], 0.8047379),
        ([[3.0, 4], [4, 3], [5, 0]], 0.9261629),
        ([[1.0, 1, 0], [1, 0, 1], [1, -1, 0], [1, 0, -1]], 0.7071068),
        (np.eye(5).tolist(), 0.4472136),  # 1 / sqrt(5)
    ],
)
def test_intra_sentence_similarity_is_to_the_mean_of_the_words(vectors, expected):
    assert intra_sentence(np.array(vectors)) == pytest.approx(expected, abs=1e-6)
    assert pairwise.intra_sentence(np.array(vectors)) == pytest.approx(expected, abs=1e-6)


def test_sentences_end_to_end_are_what_each_is_alone():
    rng = np.random.default_rng(0)
    lengths = [1, 4, 2, 9]
    vectors = rng.normal(0.3, 1, (16, 6))
    starts = np.cumsum([0, *lengths])
    found = sentences(vectors, starts)
    parts = [vectors[a:b] for a, b in itertools.pairwise(starts)]
    assert found.to_mean == pytest.approx([pairwise.intra_sentence(part) for part in parts])
    assert np.isnan(found.between[0])
    assert found.between[1:] == pytest.approx([pairwise.mean_cosine(part) for part in parts[1:]])


def test_sentences_made_of_a_pool_are_as_if_their_rows_had_been_copied():
    rng = np.random.default_rng(2)
    pool, rows, starts = rng.normal(0.3, 1, (20, 6)), rng.integers(0, 20, 16), np.cumsum([0, 1, 4, 2, 9])
    found = drawn(pool, csr_matrix((np.ones(16), rows, starts), shape=(4, 20)))
    wanted = sentences(pool[rows], starts)
    assert found.to_mean == pytest.approx(wanted.to_mean)
    assert found.between == pytest.approx(wanted.between, nan_ok=True)


@pytest.mark.parametrize(
    ("n", "baseline", "expected"),
    [(5, 0, 0.4472), (10, 0, 0.3162), (20, 0, 0.2236), (12, 0.008, 0.3011), (10, 0.675, 0.8411)],
)
def test_the_null_is_far_above_the_baseline_in_short_sentences(n, baseline, expected):
    assert null(baseline, n) == pytest.approx(expected, abs=5e-5)


def test_unrelated_words_reach_the_null_and_not_zero():
    # the published measure subtracts the baseline of word pairs, 0 here, and so calls unrelated words alike
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(400 * 8, 300))
    found = sentences(vectors, np.arange(0, 401 * 8, 8))
    assert found.to_mean.mean() == pytest.approx(null(0.0, 8), abs=0.01)
    assert abs(found.between.mean()) < 0.005


def test_a_sentence_whose_words_cancel_out_has_no_mean_to_be_like():
    assert np.isnan(intra_sentence(np.array([[1.0, 0], [-1, 0]])))


def test_scaling_one_word_changes_what_the_sentence_is_like():
    vectors = np.array([[1.0, 0], [0, 1], [1, 1]])
    assert intra_sentence(vectors * [[5], [1], [1]]) != pytest.approx(intra_sentence(vectors), abs=1e-3)
