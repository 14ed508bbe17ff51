"""The regression loss is the mean squared error of cosines."""

import pytest
import torch

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.cosine import CosineLoss


def test_hand_values():
    vectors = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    columns, scores = torch.tensor([[0, 1, -1], [0, 2, -1]]), torch.tensor([1.0, 0.0])
    value = float(CosineLoss(LossOptions(2))(vectors, ComparedTexts(columns, scores)))
    assert value == pytest.approx(((0 - 1) ** 2 + (2**-0.5 - 0) ** 2) / 2)


def test_it_is_0_where_the_cosine_is_the_score_whatever_the_lengths():
    vectors = torch.tensor([[1.0, 1.0], [5.0, 5.0], [-2.0, -2.0]])
    columns, scores = torch.tensor([[0, 1, -1], [0, 2, -1]]), torch.tensor([1.0, -1.0])
    assert float(CosineLoss(LossOptions(2))(vectors, ComparedTexts(columns, scores))) == pytest.approx(0, abs=1e-12)
