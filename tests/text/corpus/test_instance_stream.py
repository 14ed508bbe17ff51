from __future__ import annotations

import numpy as np
import pytest
from tests.text.corpus.made_up import VOCABULARY, drawn_documents, store_of

from wordworth.errors import BadInput
from wordworth.text.corpus.instance_stream import InstanceStream
from wordworth.text.corpus.samplers.bert_pairs import BertPairs
from wordworth.text.corpus.samplers.packed import PackedTexts
from wordworth.text.corpus.vocabulary_info import Vocabulary


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
    before, drawn = stream._counts(2500)
    np.testing.assert_allclose(before / before.sum(), stream.shares, atol=0.005)
    assert before.sum() == 2500 * 50
    assert drawn.sum() == 50
    assert np.array_equal(stream._counts(2501)[0], before + drawn)


def test_steps_of_a_pass_are_told(store):
    plan = PackedTexts(store=store).plan(0)
    assert InstanceStream(PackedTexts(store=store), batch_size=4).steps_per_pass == len(plan) / 4


def test_stores_of_different_tokenizers_are_not_mixed(store):
    other = Vocabulary(1000, VOCABULARY.special_ids, VOCABULARY.continuations, VOCABULARY.special, "another")
    with pytest.raises(BadInput, match="different tokenizers"):
        InstanceStream([PackedTexts(store=store), PackedTexts(store=store_of([[3]], other))], batch_size=2)


def test_no_corpus_at_all_is_refused():
    with pytest.raises(BadInput, match="no corpus"):
        InstanceStream([], batch_size=2)
