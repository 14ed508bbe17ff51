from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.training.objectives.instances import PIECES, VOCABULARY, instances
from tests.training.objectives.test_mlm import as_batch

from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.bilm import BilmConfig, bilm
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.objective import Targets
from wordworth.training.objectives.sentence_pairs import NextSentence, SentenceOrder
from wordworth.training.pretraining.batches import StepData
from wordworth.training.pretraining.model import PretrainingLoss, PretrainingModel, StepMetrics
from wordworth.training.process_groups import SingleProcess

CONFIG = BertConfig(vocab_size=PIECES, hidden_size=16, num_layers=2, num_heads=2, intermediate_size=32, dropout=0.0,
                    attention_dropout=0.0)  # fmt: skip
MLM = MaskedLanguageModel(vocabulary=VOCABULARY)


def a_model(*objectives, seed=0, config=CONFIG):
    model = PretrainingModel(bert(config), objectives or (MLM, NextSentence()))
    model.draw(seed)
    return model


def a_step(count=12, number=3):
    rng = np.random.default_rng(number)
    texts = [(rng.integers(5, PIECES, 30 - row).tolist(), rng.integers(5, PIECES, 3).tolist()) for row in range(count)]
    made = instances(texts, [row % 2 for row in range(count)])
    read, masked = MLM.prepare(made, rng)
    _, pairs = NextSentence().prepare(made, rng)
    return StepData(number, read, {"mlm": masked, "nsp": pairs})


def weights(model):
    return torch.cat([parameter.flatten() for parameter in model.parameters()]).detach()


def test_the_weights_are_those_of_the_seed():
    assert torch.equal(weights(a_model(seed=4)), weights(a_model(seed=4)))
    assert not torch.equal(weights(a_model(seed=4)), weights(a_model(seed=5)))
    assert a_model().num_parameters == len(weights(a_model()))


def test_objectives_of_one_head_share_it_and_its_weights_are_named_once():
    model = a_model(MLM, NextSentence(), SentenceOrder())
    assert set(model.heads) == {"mlm", "nsp"}
    assert set(model.objectives) == {"mlm", "nsp", "sop"}
    names = model.head_weights()
    assert {name.split(".")[1] for name in names} == {"mlm", "nsp"}
    assert all(name.startswith("heads.") for name in names)


def test_only_a_transformer_has_layers_to_compile():
    assert len(a_model().layers) == 2
    lstm = bilm(BilmConfig(vocab_size=PIECES, projection_size=8, cell_size=12))
    assert len(PretrainingModel(lstm, ()).layers) == 0


def test_each_objective_has_the_loss_that_it_gives_alone():
    model, step = a_model(), a_step()
    batch = as_batch(step.instances)
    together = model(batch, step.targets)
    for name, objective in model.objectives.items():
        alone = PretrainingModel(model.encoder, (objective,))
        alone.heads[objective.head_name].load_state_dict(model.heads[objective.head_name].state_dict())
        gradients = alone(batch, step.targets)[name]
        assert gradients.sum.item() == pytest.approx(together[name].sum.item(), rel=1e-6)
        assert gradients.count == together[name].count


def gradient(model, loss, step):
    model.zero_grad()
    for part in loss(step, torch.Generator()):
        part.backward()
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


@pytest.mark.parametrize("micro_batch_tokens", [64, 128, 10_000])
def test_however_a_step_is_divided_its_gradient_and_its_metrics_are_the_same(micro_batch_tokens):
    model, step = a_model(), a_step()
    whole, parts = PretrainingLoss(model, 0, 10**6), PretrainingLoss(model, 0, micro_batch_tokens)
    expected, gradients = gradient(model, whole, step), gradient(model, parts, step)
    assert torch.allclose(gradients, expected, atol=1e-6)
    assert parts.metrics.losses == pytest.approx(whole.metrics.losses, rel=1e-5)
    assert parts.metrics.correct == pytest.approx(whole.metrics.correct)


class OneOfTwo(SingleProcess):
    """One of two processes; the other's sums are kept to be added."""

    count = 2

    def __init__(self, rank, other=None):
        self.rank, self.other, self.sums = rank, other, None

    def all_reduce(self, tensors):
        (self.sums,) = [tensor.clone() for tensor in tensors]
        if self.other is not None:
            tensors[0].add_(self.other)


def test_two_processes_read_each_sequence_once_and_both_report_the_whole_step():
    model, step = a_model(), a_step()
    alone = PretrainingLoss(model, 0, 64)
    expected = gradient(model, alone, step)
    first = OneOfTwo(0)
    of_first = gradient(model, PretrainingLoss(model, 0, 64, first), step)
    second = PretrainingLoss(model, 0, 64, OneOfTwo(1, first.sums))
    of_second = gradient(model, second, step)
    assert torch.allclose(of_first + of_second, expected, atol=1e-6)
    assert second.metrics.losses == pytest.approx(alone.metrics.losses, rel=1e-5)


def test_dropout_is_drawn_by_the_number_of_the_step_alone():
    model, step = a_model(config=replace(CONFIG, dropout=0.3)).train(), a_step()
    loss = PretrainingLoss(model, 7)
    first, again, other = (gradient(model, loss, each) for each in (step, step, replace(step, number=4)))
    assert torch.equal(first, again)
    assert not torch.allclose(first, other)


def test_the_counts_of_a_step_are_those_of_its_sequences():
    made = instances([[7, 8], [9, 10, 11]])  # with two marks each: 4 and 5 tokens
    targets = {
        "mlm": Targets(np.array([1, 2]), np.array([7, 8])),
        "nsp": Targets(np.array([0]), np.array([1]), level="sequences"),
        "penalty": Targets(np.array([0]), np.array([0]), level="states"),
    }
    metrics = StepMetrics.of(StepData(0, made, targets), [2.5, 0.7, 0.1], [0.5, 1.0, 0.0])
    assert (metrics.tokens, metrics.pairs, metrics.predicted) == (9, 4**2 + 5**2, 2)
    assert metrics.losses == {"mlm": 2.5, "nsp": 0.7, "penalty": 0.1}
    assert metrics.correct == {"mlm": 0.5, "nsp": 1.0}
