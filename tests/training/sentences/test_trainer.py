"""One run over rows of texts: what it computes with, and that a cached step is the uncached one."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import torch
from tests.training.sentences.sentence_files import labelled, write

from wordworth.models.load import load
from wordworth.models.pooling import SentenceHead
from wordworth.tasks.reading.sentence_rows import read_sentences, with_positives
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.sentences.losses.base import LossOptions
from wordworth.training.sentences.losses.ranking import RankingLoss
from wordworth.training.sentences.tokenized_rows import SentenceExamples
from wordworth.training.sentences.trainer import SentenceTraining, SentenceTrainingConfig, steps_of


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return with_positives(read_sentences(labelled(tmp_path_factory.mktemp("rows") / "nli.csv", 40)), None)


def begun(tiny, rows, head=None, **choices) -> SentenceTraining:
    config = SentenceTrainingConfig(**{"steps": 20, "batch_size": 40, "learning_rate": 1e-3, "bf16": False, **choices})
    examples = SentenceExamples.of(rows, tiny, 64, None)
    return SentenceTraining(tiny, head or SentenceHead(), examples, RankingLoss(LossOptions(32)), config, 0)


def first_gradients(training: SentenceTraining) -> list[torch.Tensor]:
    training.loop.train(1)
    return [each.grad for each in training.network.parameters() if each.grad is not None]


def test_a_step_in_many_parts_has_the_gradients_of_a_step_in_one(tiny, rows):
    whole, parts = (first_gradients(begun(tiny, rows, dropout=False, part_tokens=tokens)) for tokens in (100_000, 40))
    assert len(whole) == len(parts) > 10
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(whole, parts, strict=True))


@pytest.mark.slow
def test_a_batch_of_1024_pairs_has_in_parts_the_gradients_of_all_at_once(tmp_path):
    """In `mini`, in float32. Texts are short, as the graph of all takes memory: a peak of 3 GB."""
    texts = [" ".join(text.split()[:3]) for text in sample_task("classification", 1_024).examples.first]
    pairs = [(f"{text} {number}", f"{number} {text}") for number, text in enumerate(texts)]
    read = read_sentences(write(tmp_path / "pairs.csv", ["anchor", "positive"], pairs))
    settings = {"batch_size": 1_024, "dropout": False}
    trainings = [begun(load("mini"), read, part_tokens=tokens, **settings) for tokens in (10**6, 2_048)]
    assert sum(map(len, trainings[1].examples.tokens)) > 4 * 2_048
    whole, parts = map(first_gradients, trainings)
    assert len(whole) == len(parts) > 10
    assert max(float(each.abs().max()) for each in whole) > 1e-2
    assert all(torch.allclose(one, other, atol=1e-5, rtol=0) for one, other in zip(whole, parts, strict=True))


def test_a_batch_within_the_budget_is_computed_once(tiny, rows, monkeypatch):
    """Its sequences are padded, so that it has more rows than tokens; two parts would cost a forward pass more."""
    training, passes = begun(tiny, rows), []
    vectors = training.vectors
    monkeypatch.setattr(training, "vectors", lambda *arguments: passes.append(None) or vectors(*arguments))
    training.loop.train(3)
    assert len(passes) == 3


def test_a_row_that_is_left_over_has_negatives_all_the_same(tiny, rows):
    """A batch of one pair has a loss of 0, from which nothing is learned."""
    few = rows.take(list(range(9)))
    training = begun(tiny, few, batch_size=4, steps=steps_of(9, 4, 2.0))
    sizes = [len(batch) for batch in islice(training.loop.batches.after(0), 4)]
    assert sorted(sizes[:2]) == sorted(sizes[2:]) == [4, 5]
    assert training.config.steps == 4
    training.loop.train(4)
    assert all(loss > 0 for loss in training.loop.losses)


def test_training_brings_pairs_together_and_other_encoders_are_left_alone(tiny, rows):
    before = {name: value.clone() for name, value in tiny.model.state_dict().items()}
    training = begun(tiny, rows)
    loss = training.mean_loss(training.examples)
    training.loop.train(20)
    assert training.mean_loss(training.examples) < 0.7 * loss
    assert all(torch.equal(before[name], value) for name, value in tiny.model.state_dict().items())


@pytest.mark.parametrize("mode", ["mean", "cls", "max"])
def test_the_trained_encoder_gives_the_vectors_that_were_trained(tiny, rows, mode):
    training = begun(tiny, rows, SentenceHead((mode,)))
    training.loop.train(3)
    own = training.trained.encode([*rows.first, *rows.second])
    numbers = np.concatenate([training.examples.columns[:, 0], training.examples.columns[:, 1]])
    assert np.abs(own - training.all_vectors(training.examples).numpy()[numbers]).max() < 1e-5


def test_a_prompt_of_the_model_stands_before_the_texts_that_are_learned_from(tiny, rows):
    plain, prompted = (SentenceExamples.of(rows, encoder, 64, None) for encoder in (tiny, replace(tiny, prompt="the ")))
    assert (prompted.lengths > plain.lengths).all()
