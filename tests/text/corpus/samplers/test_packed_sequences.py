from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.corpus.made_up import CLS, SEP, document_of, documents, drawn_documents, store_of

from wordworth.errors import BadInput
from wordworth.text.corpus.pretraining_sequences import gather
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts


def planned(store, number=0, **choices):
    plan = PackedTexts(store=store, **choices).plan(number)
    return plan, gather(store, plan.first, plan.second, plan.labels)


@given(documents(), st.integers(3, 60), st.booleans(), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_every_token_is_in_one_sequence_that_fits(given_documents, length, across, number):
    store = store_of(given_documents)
    plan, instances = planned(store, number, length=length, across=across)
    bounds = plan.first[np.argsort(plan.first[:, 0])]
    assert np.array_equal(bounds[:-1, 1], bounds[1:, 0])
    assert plan.first.min() == 0
    assert plan.first.max() == len(store.ids)
    assert instances.lengths.max() <= length
    assert (instances.ids[instances.starts[:-1]] == CLS).all()
    assert (instances.ids[instances.starts[1:] - 1] == SEP).all()
    assert not instances.segments.any()
    assert (instances.labels == -1).all()


@given(documents(), st.integers(3, 60))
@settings(max_examples=40, deadline=None)
def test_runs_stay_within_a_document(given_documents, length):
    store = store_of(given_documents)
    plan, instances = planned(store, length=length)
    for begin, end in plan.first:
        assert document_of(store, begin) == document_of(store, end - 1)
    assert (instances.ids == SEP).sum() == len(instances)


@given(documents(), st.integers(10, 60))
@settings(max_examples=40, deadline=None)
def test_whole_sentences_go_on_over_a_documents_end_with_a_mark_there(given_documents, length):
    store = store_of(given_documents)
    plan, instances = planned(store, length=length, across=True)
    starts = set(store.sentences.tolist())
    inner = store.document_tokens
    for row, (begin, end) in enumerate(plan.first):
        ends = int(((inner > begin) & (inner < end)).sum())
        one = instances.take(np.array([row])).ids
        assert (one == SEP).sum() == ends + 1
        assert len(one) == end - begin + ends + 2
        longest = store.sentences[np.searchsorted(store.sentences, begin, side="right")] - begin
        assert begin in starts or longest > 0  # within a sentence only where it is longer than the room
        if begin not in starts:
            sentence = np.searchsorted(store.sentences, begin, side="right") - 1
            assert store.sentences[sentence + 1] - store.sentences[sentence] > length - 2


def test_every_pass_cuts_documents_at_other_places():
    store = store_of(drawn_documents(0, 10))
    one, two = (set(planned(store, number)[0].first[:, 0].tolist()) for number in (0, 1))
    assert len(one & two) < 0.6 * len(one)


def test_sequences_are_as_full_as_can_be():
    store = store_of(drawn_documents(0, 40, longest=30))
    _, instances = planned(store, length=64, across=True)
    assert instances.lengths.mean() > 50
    plan, instances = planned(store, length=64)
    full = (instances.lengths == 64).sum()
    assert full >= len(plan) - 2 * 40  # all but the first and the last of a document


def test_a_length_without_room_is_refused():
    with pytest.raises(BadInput, match="room for 0"):
        planned(store_of([[3]]), length=2)
