"""A step's data: the same for everyone, dealt among processes and passes so that nothing is lost."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from wordworth.training.pretraining import build_components
from wordworth.training.pretraining.batches import Steps
from wordworth.training.pretraining.build_components import open_stores
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.step_plan import Plan


@pytest.fixture(scope="module")
def steps(corpus, tmp_path_factory):
    stores = open_stores([corpus])
    made = recipe("modern", ["batch_size=13", "lengths=16,32", "sequences=pairs", "first_phase_fraction=0.5"])
    given = PretrainingConfig(stores=(corpus,), out=tmp_path_factory.mktemp("out"), steps=10, recipe=made)
    return Steps(
        build_components.phases(given, stores), build_components.build_objectives(given, stores[0]), Plan.of(10), 0
    )


def test_a_step_is_a_function_of_its_number(steps):
    first, again = steps.step(3), steps.step(3)
    assert np.array_equal(first.instances.ids, again.instances.ids)
    assert np.array_equal(first.targets["mlm"].labels, again.targets["mlm"].labels)
    assert not np.array_equal(first.instances.ids, steps.step(4).instances.ids)


def test_steps_taken_up_anywhere_are_those_made_from_the_beginning(steps):
    running = steps.after(4)
    assert [next(running).number for _ in range(3)] == [4, 5, 6]
    assert np.array_equal(next(running).instances.ids, steps.step(7).instances.ids)
    running.close()


def test_the_second_phase_begins_at_its_share_with_longer_and_fewer_sequences(steps):
    short, long = steps.step(4).instances, steps.step(5).instances
    assert short.lengths.max() <= 16 < long.lengths.max() <= 32
    assert (len(short), len(long)) == (13, 6)


def test_a_batch_grows_and_reads_no_sequence_twice_in_a_pass(corpus, tmp_path):
    stores = open_stores([corpus])
    made = recipe("modern", ["batch_size=4", "lengths=16,32", "first_phase_fraction=0.9", "batch_warmup=0.5"])
    run = PretrainingConfig(stores=(corpus,), out=tmp_path, steps=20, recipe=made)
    steps = Steps(build_components.phases(run, stores), (), Plan.of(20), 0)
    sequences = [step.instances for step in map(steps.step, range(20))]
    assert [len(one) for one in sequences] == [1] * 5 + [2] * 5 + [4] * 8 + [2] * 2
    rows = [tuple(one.ids[start:end]) for one in sequences[:18] for start, end in pairwise(one.starts)]
    assert len(set(rows)) == len(rows)


@hypothesis_settings(max_examples=25, deadline=None)
@given(count=st.integers(1, 4), micro_batch_tokens=st.integers(10, 500))
def test_every_sequence_and_every_target_is_seen_once_by_someone(steps, count, micro_batch_tokens):
    step = steps.step(0)
    parts = [part for number in range(count) for part in step.parts(number, count, micro_batch_tokens)]
    assert step.tokens <= sum(len(part.batch.ids) for part in parts) <= 1.125 * step.tokens
    for name, targets in step.targets.items():
        assert sorted(np.concatenate([part.targets[name].labels for part in parts])) == sorted(targets.labels)
    seen = [part.batch.ids[part.targets["mlm"].positions] for part in parts]
    assert sorted(np.concatenate(seen)) == sorted(step.instances.ids[step.targets["mlm"].positions])
