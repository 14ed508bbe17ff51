"""The head of multiple choice: a score for each option, read with its context and question."""

import numpy as np
import pytest
import torch

from wordworth.tasks.task import Examples
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.task_heads import ChoiceHead
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.multiple_choice import multi_margin_loss, padded


@pytest.fixture(scope="module")
def reader(tiny):
    return InputReader(tokenizer=tiny.tokenizer, limit=48)


def test_a_question_of_choice_reads_context_question_and_option_together(reader):
    examples = Examples(("the film", "a song"), ("was it", ""), options=(("good", "bad"), ("great", "poor", "lovely")))
    inputs = ChoiceHead().encode(reader, examples)
    assert np.diff(inputs.offsets).tolist() == [2, 3]
    same = reader.texts(["the film"], ["was it bad"])[0][0]
    assert inputs.tokens[1].ids.tolist() == same.ids.tolist()
    assert inputs.take(np.array([1])).tokens == inputs.tokens[2:]


def test_choices_are_a_softmax_over_the_options_that_are_there():
    scores = torch.tensor([[1.0], [2.0], [0.5], [0.0], [3.0]])
    inputs_bounds = np.array([0, 2, 5])
    inputs = type("Some", (), {"offsets": inputs_bounds})()
    loss = ChoiceHead().loss(scores, LabelTensors(torch.tensor([1, 2]), torch.zeros(1)), inputs, np.array([0, 1]))
    shares = [np.exp(2) / (np.exp(1) + np.exp(2)), np.exp(3) / (np.exp(0.5) + 1 + np.exp(3))]
    assert loss.count == 2
    assert float(loss.sum) == pytest.approx(-np.log(shares).sum(), rel=1e-5)
    assert padded(scores[:, 0], np.array([2, 3]))[0, 2] == -torch.inf


def test_options_may_be_read_alone(reader):
    examples = Examples(("the film",), ("was it",), options=(("good", "bad"),))
    inputs = ChoiceHead(options_only=True).encode(reader, examples)
    assert [tokens.ids.tolist() for tokens in inputs.tokens] == [
        tokens.ids.tolist() for tokens in reader.texts(["good", "bad"])[0]
    ]


def test_the_margin_loss_is_torch_s_multi_margin_loss_where_all_have_as_many_options():
    scores, right = torch.tensor([[0.3, 0.1, 0.2], [-1.0, 2.0, 1.9]]), torch.tensor([0, 2])
    for margin in (0.15, 0.37, 1.0):
        wanted = torch.nn.functional.multi_margin_loss(scores, right, margin=margin, reduction="sum")
        assert float(multi_margin_loss(scores, right, margin)) == pytest.approx(float(wanted), rel=1e-6)


def test_an_option_that_is_not_there_costs_nothing_and_has_no_gradient():
    scores = torch.tensor([1.0, 0.9, 0.5, 0.0, 3.0], requires_grad=True)
    inputs = type("Some", (), {"offsets": np.array([0, 2, 5])})()
    gold = LabelTensors(torch.tensor([0, 1]), torch.zeros(1))
    loss = ChoiceHead(0.2).loss(scores[:, None], gold, inputs, np.array([0, 1]))
    assert float(loss.sum.detach()) == pytest.approx(0.1 / 2 + (0.7 + 3.2) / 3, rel=1e-5)
    loss.sum.backward()
    assert scores.grad.tolist() == pytest.approx([-1 / 2, 1 / 2, 1 / 3, -2 / 3, 1 / 3])
