"""The loop: same seed same run, taken up anywhere, never silently broken."""

import contextlib
import threading

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from wordworth.models.dropout import dropped
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.training.batch_sampler import BatchSampler
from wordworth.training.loop import Diverged, Loop, Loss, train_keep_best
from wordworth.training.lr_schedules import linear, within
from wordworth.training.optimizers import AdamW

INPUTS = torch.randn(50, 4, generator=torch.Generator().manual_seed(0))
TARGETS = (INPUTS[:, 0] > 0).long()


def a_loop(steps=40, seed=0, rate=0.05, inputs=INPUTS):
    model = nn.Linear(4, 2)
    nn.init.zeros_(model.weight)
    nn.init.zeros_(model.bias)

    def objective(numbers, generator):
        scores = model(dropped(inputs[numbers], 0.2, generator))
        return Loss(functional.cross_entropy(scores, TARGETS[numbers], reduction="sum"), len(numbers))

    batches = BatchSampler(np.arange(50) % 7 + 1, 8, seed, pool=4)
    return Loop(model, AdamW().build({model: rate}), within(linear, steps), batches, objective)


@given(
    lengths=st.lists(st.integers(1, 60), min_size=1, max_size=90),
    size=st.integers(1, 20),
    pool=st.integers(1, 5),
    seed=st.integers(0, 9),
    epoch=st.integers(0, 3),
)
def test_an_epoch_holds_every_example_once_and_comes_again_the_same(lengths, size, pool, seed, epoch):
    batches = BatchSampler(np.array(lengths), size, seed, pool)
    found = batches.epoch(epoch)
    assert sorted(np.concatenate(found)) == list(range(len(lengths)))
    assert len(found) == batches.batches_per_epoch
    assert max(map(len, found)) <= size
    assert all(np.array_equal(one, other) for one, other in zip(found, batches.epoch(epoch), strict=True))


def test_epochs_differ_in_order_and_the_batches_of_a_pool_hold_like_lengths():
    lengths = np.random.default_rng(0).integers(1, 100, 640)

    def spread(batches):
        assert not np.array_equal(np.concatenate(batches.epoch(0)), np.concatenate(batches.epoch(1)))
        return np.mean([lengths[batch].std() for batch in batches.epoch(0)]) / lengths.std()

    assert spread(BatchSampler(lengths, 16, 0, pool=4)) < 0.5
    assert spread(BatchSampler(lengths, 16, 0)) > 0.8


def test_training_lowers_the_loss_and_ends_at_the_planned_step():
    loop = a_loop(80)
    loop.train(80)
    assert loop.step == 80
    assert np.mean(loop.losses[-10:]) < 0.5 * np.mean(loop.losses[:5])


def test_a_run_taken_up_in_mid_epoch_gives_the_losses_and_weights_of_one_never_interrupted():
    whole = a_loop()
    whole.train(40)
    first = a_loop()
    first.train(11)
    state = first.state()
    second = a_loop()
    second.restore(state)
    second.train(29)
    assert second.losses == whole.losses
    assert torch.equal(second.model.weight, whole.model.weight)


def test_an_interrupt_between_steps_leaves_a_state_to_go_on_from():
    whole, loop = a_loop(), a_loop()
    whole.train(40)
    seen = 0

    class Impatient:
        @contextlib.contextmanager
        def step(self, title, total=None):  # noqa: ARG002 - a Progress
            yield self

        def advance(self, amount=1):
            nonlocal seen
            seen += amount
            if seen == 7:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop.train(40, Impatient())
    assert loop.step == 7
    loop.train(33)
    assert loop.losses == whole.losses


def test_a_loss_that_is_no_number_stops_the_run_and_spares_the_model():
    inputs = INPUTS.clone()
    inputs[17] = torch.nan
    loop = a_loop(inputs=inputs)
    with pytest.raises(Diverged, match="lower learning rate"):
        loop.train(40)
    assert torch.isfinite(loop.model.weight).all()


def test_gradients_are_clipped_to_one_norm_over_all_parameters():
    loop = a_loop(inputs=1000 * INPUTS)
    loop.train(1)
    gradients = torch.cat([parameter.grad.flatten() for parameter in loop.model.parameters()])
    assert gradients.norm().item() == pytest.approx(1, abs=1e-4)


def test_the_best_look_is_kept_and_of_equal_looks_the_later():
    scores = iter([0.5, 0.9, 0.9, 0.2])
    loop = a_loop()
    weights = []

    def judge():
        weights.append(loop.model.weight.detach().clone())
        return next(scores)

    assert train_keep_best(loop, 40, judge, evaluations=4) == 30
    assert torch.equal(loop.model.weight, weights[2])


def test_runs_side_by_side_in_two_threads_are_the_runs_alone():
    alone = []
    for seed in (0, 1):
        loop = a_loop(seed=seed)
        loop.train(40)
        alone.append(loop.losses)
    loops = [a_loop(seed=seed) for seed in (0, 1)]

    def work(loop):
        with ONE_THREAD.limit():
            loop.train(40)

    threads = [threading.Thread(target=work, args=(loop,)) for loop in loops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [loop.losses for loop in loops] == alone


def test_one_thread_is_held_inside_only_and_what_was_before_comes_back():
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        with ONE_THREAD.limit(), ONE_THREAD.limit():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_dropout_keeps_the_mean_and_needs_a_generator_to_act():
    values = torch.ones(20_000)
    assert dropped(values, 0.3, None) is values
    thinned = dropped(values, 0.3, torch.Generator().manual_seed(0))
    assert thinned.mean().item() == pytest.approx(1, abs=0.02)
    assert thinned.unique().tolist() == pytest.approx([0, 1 / 0.7])
