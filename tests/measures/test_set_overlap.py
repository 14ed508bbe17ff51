"""Jaccard, F1 and average precision of sets: hand examples, empty sets, and scikit-learn's numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, jaccard_score

from wordworth.measures.set_overlap import jaccard, set_average_precision, set_f1

TRUTH = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]], dtype=bool)
PREDICTED = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]], dtype=bool)


def test_hand_examples_with_empty_sets_on_either_side():
    assert jaccard(TRUTH, PREDICTED) == pytest.approx([1 / 3, 0, 0, 1, 1])
    assert set_f1(TRUTH, PREDICTED) == pytest.approx([1 / 2, 0, 0, 1, 1])


def test_average_precision_by_hand_and_none_where_nothing_is_true():
    scores = np.array([[0.9, 0.2, 0.5, 0.1], [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]])
    values = set_average_precision(TRUTH[:3], scores)
    assert values[:2] == pytest.approx([(1 + 2 / 3) / 2, 1 / 4])
    assert np.isnan(values[2])
    assert set_average_precision(TRUTH[4:], scores[:1]).tolist() == [1.0]


@given(st.integers(0, 10_000))
def test_they_are_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    truth, scores = rng.random((6, 5)) < 0.4, rng.integers(0, 4, size=(6, 5)) / 4
    truth[~truth.any(1), 0] = True
    predicted = scores > 0.3
    by_set = {"average": "samples", "zero_division": 1}
    assert jaccard(truth, predicted).mean() == pytest.approx(jaccard_score(truth, predicted, **by_set))
    assert set_f1(truth, predicted).mean() == pytest.approx(f1_score(truth, predicted, **by_set))
    wanted = average_precision_score(truth, scores, average="samples")
    assert set_average_precision(truth, scores).mean() == pytest.approx(wanted)


@given(st.integers(0, 10_000))
def test_f1_follows_from_jaccard(seed):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.random((2, 8, 4)) < 0.3
    both = jaccard(truth, predicted)
    assert set_f1(truth, predicted) == pytest.approx(2 * both / (1 + both))
