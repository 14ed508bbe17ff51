"""Batches for training: every example once an epoch, the same for the same seed, resumed at any step."""

from itertools import islice

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.training.batch_sampler import BatchSampler


def sampler(count=10, size=3, **more):
    lengths = np.random.default_rng(1).integers(1, 60, count)
    return BatchSampler(lengths, size, **{"seed": 0, **more})


@given(count=st.integers(1, 40), size=st.integers(1, 9), pool=st.integers(1, 4), number=st.integers(0, 3))
def test_an_epoch_holds_every_example_once(count, size, pool, number):
    made = sampler(count, size, pool=pool)
    batches = made.epoch(number)
    assert len(batches) == made.batches_per_epoch
    assert sorted(np.concatenate(batches).tolist()) == list(range(count))
    assert sorted(map(len, batches))[1:] == [size] * (len(batches) - 1)


@given(step=st.integers(0, 30))
def test_a_run_that_resumes_goes_on_as_one_that_never_stopped(step):
    whole = [batch.tolist() for batch in islice(sampler().after(0), 40)]
    assert [batch.tolist() for batch in islice(sampler().after(step), 40 - step)] == whole[step:]


@given(count=st.integers(2, 40), size=st.integers(2, 9))
def test_a_rest_smaller_than_the_least_is_joined_to_the_batch_before(count, size):
    made = sampler(count, size, least=2)
    batches = made.epoch(0)
    assert len(batches) == made.batches_per_epoch == max(1, count // size if count % size < 2 else count // size + 1)
    assert sorted(np.concatenate(batches).tolist()) == list(range(count))
    assert min(map(len, batches)) >= 2
    assert max(map(len, batches)) <= size + 1


def test_epochs_and_seeds_differ_and_the_same_seed_does_not():
    first, again, next_epoch, other = (
        [batch.tolist() for batch in epoch]
        for epoch in (sampler().epoch(0), sampler().epoch(0), sampler().epoch(1), sampler(seed=1).epoch(0))
    )
    assert first == again
    assert first != next_epoch
    assert first != other


def test_a_pool_is_sorted_by_length_so_that_its_batches_are_of_like_length():
    def spread(pool):
        made = sampler(600, 10, pool=pool)
        return np.mean([np.ptp(made.lengths[batch]) for batch in made.epoch(0)])

    assert spread(20) < spread(1) / 4
