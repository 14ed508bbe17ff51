"""Fine-tuning of the whole encoder: it learns, it can be taken up at any step, and shortcuts change nothing."""

import copy
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from wordworth.models.batch import pack
from wordworth.models.length_buckets import PackedLayout
from wordworth.tasks.task_types.multilabel import MULTILABEL
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.model import FineTuningModel, HeadConfig
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.loop import Diverged
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizers import BertAdam
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader
from wordworth.training.trainable_encoder import with_rounded_length

EAGER = FineTuningConfig(steps=120, batch_size=8, learning_rate=3e-3, bf16=False)


def begun(tiny, kind="single", rows=32, config=EAGER, seed=0, **about):
    task = sample_task(kind)
    head = head_of(task, **about)
    inputs = head.encode(InputReader(tokenizer=tiny.tokenizer, limit=64), task.examples).take(task.train[:rows])
    return (
        task,
        inputs,
        FineTuningRun(tiny.model, head, inputs, head.targets(task.gold(task.train[:rows]), inputs), config, seed),
    )


def weights(tuning):
    return torch.cat([one.detach().flatten() for one in tuning.network.parameters()])


@pytest.mark.parametrize("kind", ["single", "pair", "multilabel", "choice", "tags", "span"])
def test_the_whole_encoder_learns_thirty_two_examples_by_heart(tiny, kind):
    task, inputs, tuning = begun(
        tiny, kind, config=replace(EAGER, encoder_dropout=False, dropout=0.0, pooling="pooler")
    )
    tuning.loop.train(EAGER.steps)
    said, gold = tuning.tuned.predict(inputs), task.gold(task.train[:32])
    if kind == "span":
        right = np.array([text in {one.text for one in answers} for text, answers in zip(said, gold, strict=True)])
    elif kind == "tags":
        right = np.concatenate(said) == np.concatenate(gold)
    else:
        right = (said > 0) == gold if kind == "multilabel" else said.argmax(1) == gold
    assert right.mean() > 0.9
    assert not task.type.is_degenerate(gold, said)


def test_values_come_back_in_their_own_units(tiny):
    task, inputs, tuning = begun(tiny, "regression", config=replace(EAGER, encoder_dropout=False))
    tuning.loop.train(EAGER.steps)
    said, gold = tuning.tuned.predict(inputs), task.gold(task.train[:32])
    assert np.corrcoef(said, gold)[0, 1] > 0.9
    assert abs(said.mean() - gold.mean()) < 0.5


def test_a_run_taken_up_at_any_step_ends_bit_for_bit_as_one_that_was_never_stopped(tiny):
    config = replace(EAGER, steps=12, bf16=True)
    _, _, whole = begun(tiny, config=config)
    whole.loop.train(12)
    _, _, first = begun(tiny, config=config)
    first.loop.train(5)
    _, _, second = begun(tiny, config=config)
    second.loop.restore(first.loop.state())
    second.loop.train(7)
    assert torch.equal(weights(whole), weights(second))
    assert whole.loop.losses == second.loop.losses


def test_another_seed_is_another_run(tiny):
    runs = [begun(tiny, config=replace(EAGER, steps=3), seed=seed)[2] for seed in (0, 0, 1)]
    for run in runs:
        run.loop.train(3)
    assert torch.equal(weights(runs[0]), weights(runs[1]))
    assert not torch.equal(weights(runs[0]), weights(runs[2]))


@pytest.mark.parametrize("optimiser", [EAGER.optimiser, BertAdam()])
def test_learning_only_the_rows_that_are_shown_is_learning_all_of_them(tiny, optimiser):
    """Rows without gradient only decay: the whole table ends as if every row had been the optimiser's."""
    config = replace(EAGER, steps=15, optimiser=optimiser)
    task, inputs, some = begun(tiny, config=config)
    everything = np.arange(tiny.model.config.vocab_size)

    class Whole(type(inputs)):
        used_ids = everything

    every = Whole(inputs.tokens, inputs.offsets, inputs.truncated)
    head = head_of(task)
    all_rows = FineTuningRun(tiny.model, head, every, head.targets(task.gold(task.train[:32]), every), config, 0)
    for run in (some, all_rows):
        run.loop.train(15)
    shown, whole = (run.tuned.network.trained_embedding for run in (some, all_rows))
    assert len(shown.used) < len(whole.used) == len(everything)
    torch.testing.assert_close(shown.full_table(), whole.full_table(), rtol=0, atol=2e-6)
    probe = head.encode(InputReader(tokenizer=tiny.tokenizer, limit=64), task.examples).take(task.test[:9])
    np.testing.assert_allclose(some.tuned.predict(probe), all_rows.tuned.predict(probe), atol=1e-4)


def test_rounding_a_batch_up_changes_no_score(tiny):
    _, inputs, tuning = begun(tiny, config=replace(EAGER, encoder_dropout=False, dropout=0.0))
    batch = pack(list(inputs.tokens[:5]))
    assert len(with_rounded_length(batch).ids) % 32 == 0
    assert torch.equal(with_rounded_length(with_rounded_length(batch)).ids, with_rounded_length(batch).ids)
    generator = torch.Generator().manual_seed(0)
    torch.testing.assert_close(tuning.network(batch, generator), tuning.network(batch), rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["single", "multilabel", "regression", "choice", "tags", "span"])
@pytest.mark.parametrize("pooling", ["pooler", "mean"])
@pytest.mark.parametrize("embeddings", [True, False])
def test_a_step_computes_where_its_encoder_stands(tiny, kind, pooling, embeddings, monkeypatch):
    """Torch's device without memory refuses all that stands elsewhere, and any question about a value."""
    still = replace(EAGER, encoder_dropout=False, dropout=0.0, pooling=pooling, embeddings=embeddings)
    for half in (False, True):
        monkeypatch.setattr("wordworth.training.finetuning.trainer.supports_bf16", lambda _, half=half: half)
        away = SimpleNamespace(model=copy.deepcopy(tiny.model).to("meta"), tokenizer=tiny.tokenizer)
        _, inputs, tuning = begun(away, kind, config=replace(still, bf16=half))
        example_indices = np.arange(8)
        bounds = with_rounded_length(inputs.batch(example_indices)).starts.tolist()
        monkeypatch.setattr(PackedLayout, "bounds", bounds)  # the one thing that attention may ask a device
        loss = tuning.loop.objective(example_indices, torch.Generator().manual_seed(0))
        (loss.sum / loss.count).backward()
        if half:
            tuning.replica.accumulate_gradients()
        reached = [each for each in tuning.network.parameters() if each.grad is not None]
        assert len(reached) > 5
        assert {each.device.type for each in tuning.network.parameters()} == {"meta"}
        assert {each.grad.device.type for each in reached} == {"meta"}


def test_the_encoder_that_is_fine_tuned_stays_as_it_was(tiny):
    before = {name: one.clone() for name, one in tiny.model.state_dict().items()}
    begun(tiny, config=replace(EAGER, steps=2))[2].loop.train(2)
    assert all(torch.equal(one, before[name]) for name, one in tiny.model.state_dict().items())


@pytest.mark.parametrize("rows", [None, np.arange(9)])
def test_a_bf16_replica_reads_the_encoder_s_own_table_and_keeps_no_other(tiny, rows):
    model = copy.deepcopy(tiny.model)
    config = HeadConfig(num_scores=2, pooling="mean", trained_rows=rows)
    network = FineTuningModel(model, config, torch.Generator().manual_seed(0))
    table, batch = model.embedding.word.weight, begun(tiny)[1].batch(np.arange(4))
    for reader in (network, Bf16Replica(network).module):
        assert all(len(tensor) != len(table) for tensor in reader.state_dict().values() if tensor.ndim)
        before = reader.states(batch)
        with torch.no_grad():
            table.mul_(-2)
        assert not torch.equal(before, reader.states(batch))


@pytest.mark.parametrize("kind", ["single", "span"])
def test_scores_that_are_no_numbers_are_a_run_that_diverged(tiny, kind):
    _, inputs, tuning = begun(tiny, kind)
    with torch.no_grad():
        tuning.network.output.weight[0, 0] = np.inf
    with pytest.raises(Diverged, match="a score is no number"):
        tuning.tuned.predict(inputs)


def test_bfloat16_and_float32_learn_alike(tiny):
    ended = []
    for half in (False, True):
        _, _, run = begun(tiny, config=replace(EAGER, steps=30, bf16=half, encoder_dropout=False, dropout=0.0))
        run.loop.train(30)
        ended.append(np.mean(run.loop.losses[-5:]))
    assert ended[0] == pytest.approx(ended[1], abs=0.1)


@pytest.mark.parametrize(("logits", "nothing"), [([-2.0, -0.1], True), ([-2.0, 0.1], False), ([1.0, 2.0], True)])
def test_a_model_of_several_labels_that_says_the_same_of_every_text_has_learned_nothing(logits, nothing):
    said = np.array([[logit, -1.0] for logit in logits])
    assert MULTILABEL.is_degenerate(np.array([[1, 0], [0, 1]]), said) == nothing


@pytest.mark.parametrize(("apart", "right", "nothing"), [(0.08, 1.0, False), (0.08, 0.5, True), (0.5, 0.5, False)])
def test_options_that_hardly_differ_are_nothing_learned_unless_the_best_is_right(apart, right, nothing):
    gold = np.zeros(100, dtype=np.int64)
    said = np.where(np.arange(100)[:, None] < 100 * right, [[apart, 0.0]], [[0.0, apart]])
    assert MULTIPLE_CHOICE.is_degenerate(gold, said) == nothing


@pytest.mark.parametrize("bf16", [False, True])
def test_the_weights_of_one_run_make_another_predict_the_same(tiny, bf16):
    config = replace(EAGER, steps=6, bf16=bf16)
    (_, inputs, trained), (_, _, fresh) = (begun(tiny, config=config) for _ in range(2))
    trained.loop.train(config.steps)
    fresh.load_weights(trained.network.state_dict())
    np.testing.assert_array_equal(fresh.tuned.predict(inputs), trained.tuned.predict(inputs))
