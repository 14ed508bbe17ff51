"""The head of multiple choice: a score for each option, read with its context and question."""

import numpy as np
import pytest
import torch

from wordworth.tasks.task import Examples
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.task_heads import ChoiceHead
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.multiple_choice import padded


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
