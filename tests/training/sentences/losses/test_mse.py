"""A text's vector is compared with that of the teacher, number by number."""

import pytest
import torch

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.matryoshka import MatryoshkaLoss
from wordworth.training.sentences.losses.mse import VectorLoss

VECTORS = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
TEACHER = torch.tensor([[3.0, 2.0], [3.0, 5.0]])


def test_by_hand():
    rows = ComparedTexts(torch.tensor([[1, -1, -1], [0, -1, -1]]), TEACHER.flip(0))
    assert VectorLoss(LossOptions(width=2))(VECTORS, rows) == pytest.approx((4 + 0 + 0 + 1) / 4)


def test_prefixes_are_compared_with_those_of_the_teacher():
    rows = ComparedTexts(torch.tensor([[0, -1, -1], [1, -1, -1]]), TEACHER)
    loss = MatryoshkaLoss(lambda width: VectorLoss(LossOptions(width=width)), [1, 2])
    assert loss(VECTORS, rows) == pytest.approx((4 + 0) / 2 + 5 / 4)
