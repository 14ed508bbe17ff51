import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures.classification import fit_threshold

pairs = st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=1, max_size=30)


@given(pairs)
@settings(max_examples=60, deadline=None)
def test_no_other_threshold_is_right_more_often(rows):
    scores, gold = np.array([float(a) for a, _ in rows]), np.array([b for _, b in rows])
    right = ((scores >= fit_threshold(scores, gold)) == gold).mean()
    others = [((scores >= edge) == gold).mean() for edge in (*np.arange(-6, 7, 0.5), np.inf, -np.inf)]
    assert right == max(others)


def test_it_lies_in_the_middle_between_no_and_yes():
    assert fit_threshold(np.array([0.1, 0.3, 0.7, 0.9]), np.array([False, False, True, True])) == pytest.approx(0.5)


def test_scores_that_are_all_equal_leave_only_the_commoner_answer():
    assert fit_threshold(np.ones(5), np.array([True, True, True, False, False])) == -np.inf
    assert fit_threshold(np.ones(3), np.array([True, False, False])) == np.inf


def test_without_scores_there_is_no_threshold():
    with pytest.raises(ValueError, match="needs scores"):
        fit_threshold(np.zeros(0), np.zeros(0, bool))
