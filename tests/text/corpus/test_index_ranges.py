"""Ranges of integers laid end to end, and their starts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.corpus.index_ranges import ranges, starts_of


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6)), max_size=12))
def test_ranges_are_those_of_a_loop(pairs):
    starts, lengths = np.array([a for a, _ in pairs], np.int64), np.array([n for _, n in pairs], np.int64)
    assert ranges(starts, lengths).tolist() == [i for a, n in pairs for i in range(a, a + n)]


@given(st.lists(st.integers(0, 9), max_size=12))
def test_starts_count_what_stands_before_and_end_with_the_total(lengths):
    assert starts_of(np.array(lengths, np.int64)).tolist() == [sum(lengths[:n]) for n in range(len(lengths) + 1)]
