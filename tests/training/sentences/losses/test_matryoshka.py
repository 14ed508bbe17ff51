"""A loss over prefixes is the sum of the losses of vectors cut to them."""

import pytest
import torch

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.matryoshka import MatryoshkaLoss
from wordworth.training.sentences.losses.ranking import RankingLoss
from wordworth.training.sentences.losses.softmax import SoftmaxLoss


def test_it_is_the_sum_over_prefixes():
    vectors = torch.randn(4, 8, generator=torch.Generator().manual_seed(0))
    texts = ComparedTexts(torch.tensor([[0, 1, -1], [2, 3, -1]]))
    loss = MatryoshkaLoss(lambda width: RankingLoss(LossOptions(width)), (2, 8))
    expected = sum(float(RankingLoss(LossOptions(width))(vectors[:, :width], texts)) for width in (2, 8))
    assert float(loss(vectors, texts)) == pytest.approx(expected)


def test_every_prefix_has_a_classifier_of_its_own():
    loss = MatryoshkaLoss(lambda width: SoftmaxLoss(LossOptions(width, 2)), (2, 8))
    assert [each.classifier.weight.shape for each in loss.losses] == [(2, 6), (2, 24)]
