"""Batches hold every sequence once, within their budget."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.length_batching import batches

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.LongTextWarning")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 60), max_size=40), st.integers(1, 100))
def test_batches_hold_every_sequence_once_within_the_budget(lengths, budget):
    found = list(batches(lengths, budget))
    assert sorted(place for batch in found for place in batch) == list(range(len(lengths)))
    assert all(sum(lengths[place] for place in batch) <= budget or len(batch) == 1 for batch in found)


def test_batches_have_no_more_texts_than_were_asked_for():
    assert max(map(len, batches([5] * 20, most=3))) == 3
