"""Batches hold every sequence once, within their budget."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.length_batching import batches, rows_of

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.LongTextWarning")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 60), max_size=40), st.integers(1, 100))
def test_batches_hold_every_sequence_once_within_the_budget(lengths, budget):
    found = list(batches(lengths, budget))
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    assert all(sum(lengths[place] for place in batch) <= budget or len(batch) == 1 for batch in found)


def test_batches_have_no_more_texts_than_were_asked_for():
    assert max(map(len, batches([5] * 20, most=3))) == 3


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60), st.integers(1, 8))
def test_texts_never_take_more_rows_than_padding_to_the_longest_of_a_batch_would(lengths, size):
    in_order = [lengths[start : start + size] for start in range(0, len(lengths), size)]
    assert sum(map(rows_of, lengths)) <= sum(len(batch) * rows_of(max(batch)) for batch in in_order)
