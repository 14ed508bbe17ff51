from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.corpus.made_up import CLS, SEP, documents, store_of

from wordworth.text.corpus.instances import gather


def slow(store, first, second):
    """One sequence after its description."""
    ends = set(store.document_tokens.tolist())
    ids, segments = [CLS], [0]
    for segment, (begin, end) in enumerate((first, second)):
        for token in range(begin, end):
            if token in ends and token > begin:
                ids.append(SEP)
                segments.append(segment)
            ids.append(int(store.ids[token]))
            segments.append(segment)
        if begin < end or segment == 0:
            ids.append(SEP)
            segments.append(segment)
    return ids, segments


@given(documents(), st.data())
@settings(max_examples=80, deadline=None)
def test_gathered_sequences_are_those_of_the_description(given_documents, data):
    store = store_of(given_documents)
    place = st.integers(0, len(store.ids))
    slices = st.tuples(place, place).map(sorted)
    pairs = data.draw(st.lists(st.tuples(slices, slices), min_size=1, max_size=6))
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    labels = np.arange(len(pairs))
    instances = gather(store, first, second, labels)
    assert instances.ids.dtype == instances.segments.dtype == instances.labels.dtype == np.int64
    assert instances.starts.dtype == np.int32
    for row, (one, other) in enumerate(pairs):
        begin, end = instances.starts[row : row + 2]
        ids, segments = slow(store, one, other)
        assert instances.ids[begin:end].tolist() == ids
        assert instances.segments[begin:end].tolist() == segments
    assert instances.labels.tolist() == labels.tolist()


@given(documents(), st.data())
@settings(max_examples=30, deadline=None)
def test_taking_rows_keeps_each_sequence_whole(given_documents, data):
    store = store_of(given_documents)
    bounds = np.stack([store.sentences[:-1], store.sentences[1:]], axis=1)
    instances = gather(store, bounds, np.zeros_like(bounds), np.arange(len(bounds)))
    rows = np.array(data.draw(st.lists(st.integers(0, len(bounds) - 1), max_size=9)), dtype=np.int64)
    taken = instances.take(rows)
    assert len(taken) == len(rows)
    assert taken.labels.tolist() == rows.tolist()
    for place, row in enumerate(rows):
        wanted = instances.ids[instances.starts[row] : instances.starts[row + 1]]
        assert np.array_equal(taken.ids[taken.starts[place] : taken.starts[place + 1]], wanted)


def test_a_slice_of_rows_is_taken_too():
    store = store_of([[3, 4, 5]])
    bounds = np.stack([store.sentences[:-1], store.sentences[1:]], axis=1)
    instances = gather(store, bounds, np.zeros_like(bounds), np.arange(3))
    assert instances.take(slice(1, None)).lengths.tolist() == [6, 7]
