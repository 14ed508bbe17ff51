"""The triplet loss is the hinge of two Euclidean distances with a margin of 1."""

import pytest
import torch

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.triplet import TripletLoss


def value(*vectors: list[float]) -> float:
    columns = torch.tensor([[0, 1, 2]])
    return float(TripletLoss(LossOptions(2))(torch.tensor(vectors), ComparedTexts(columns)))


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [
        ([3.0, 4.0], [0.0, 6.0], 5 - 6 + 1),
        ([3.0, 4.0], [0.0, 5.5], 0.5),
        ([3.0, 4.0], [0.0, 1.0], 5.0),
        ([0.0, 1.0], [30.0, 0.0], 0.0),
    ],
)
def test_hand_values(positive, negative, expected):
    assert value([0.0, 0.0], positive, negative) == pytest.approx(expected, abs=1e-5)


def test_equal_texts_have_a_gradient():
    vectors = torch.zeros(2, 3, requires_grad=True)
    TripletLoss(LossOptions(3))(vectors, ComparedTexts(torch.tensor([[0, 0, 1]]))).backward()
    assert torch.isfinite(vectors.grad).all()
