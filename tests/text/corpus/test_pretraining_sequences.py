from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.corpus.made_up import CLS, SEP, VOCABULARY, documents, drawn_documents, store_of

from wordworth.errors import BadInput
from wordworth.text.corpus.pretraining_sequences import InstanceStream, gather
from wordworth.text.corpus.samplers.bert_pairs import BertPairs
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.token_store import Vocabulary


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


def same(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("ids", "segments", "starts", "labels")
    )


@pytest.fixture(scope="module")
def store():
    return store_of(drawn_documents(0, 40))


@pytest.fixture(scope="module")
def small():
    return store_of(drawn_documents(1, 5))


def test_a_step_is_the_same_whatever_was_read_before(store, small):
    def stream():
        sources = [BertPairs(store=store, seed=3), BertPairs(store=small, seed=3)]
        return InstanceStream(sources, batch_size=7, seed=3, sampling=0.7)

    walked = stream()
    steps = [walked.batch(step) for step in range(60)]
    for step in (59, 0, 31, 12):
        assert same(stream().batch(step), steps[step])
        assert same(walked.batch(step), steps[step])


def test_a_pass_follows_the_other_and_nothing_is_left_out(store):
    generator = PackedTexts(store=store, length=32)
    passes = [generator.plan(number) for number in range(3)]
    wanted = np.concatenate([store.ids[begin:end] for plan in passes for begin, end in plan.first])
    stream = InstanceStream(generator, batch_size=9)
    read = np.concatenate([stream.batch(step).ids for step in range(sum(map(len, passes)) // 9)])
    read = read[(read != 2) & (read != 3)]
    assert np.array_equal(read, wanted[: len(read)])
    assert len(wanted) - len(read) < 9 * 30


def test_batches_have_their_size_also_where_they_take_in_several_passes():
    stream = InstanceStream(PackedTexts(store=store_of([[3], [4]]), length=16), batch_size=5)
    for step in range(4):
        batch = stream.batch(step)
        assert len(batch) == 5
        assert set(batch.lengths.tolist()) == {5, 6}


@pytest.mark.parametrize("sampling", [1.0, 0.7, 0.0])
def test_corpora_are_mixed_by_their_size_to_the_power_asked_for(store, small, sampling):
    stream = InstanceStream([PackedTexts(store=store), PackedTexts(store=small)], batch_size=50, sampling=sampling)
    sizes = np.array([len(store.ids), len(small.ids)]) ** sampling
    np.testing.assert_allclose(stream.shares, sizes / sizes.sum())
    before, drawn = stream.counts(2500)
    np.testing.assert_allclose(before / before.sum(), stream.shares, atol=0.005)
    assert before.sum() == 2500 * 50
    assert drawn.sum() == 50
    assert np.array_equal(stream.counts(2501)[0], before + drawn)


def test_steps_of_a_pass_are_told(store):
    plan = PackedTexts(store=store).plan(0)
    assert InstanceStream(PackedTexts(store=store), batch_size=4).steps_per_pass == len(plan) / 4


def test_stores_of_different_tokenizers_are_not_mixed(store):
    other = Vocabulary(1000, VOCABULARY.special_ids, VOCABULARY.word_starts, VOCABULARY.special, "another")
    with pytest.raises(BadInput, match="different tokenizers"):
        InstanceStream([PackedTexts(store=store), PackedTexts(store=store_of([[3]], other))], batch_size=2)


def test_no_corpus_at_all_is_refused():
    with pytest.raises(BadInput, match="no corpus"):
        InstanceStream([], batch_size=2)
