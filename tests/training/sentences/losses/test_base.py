"""Every loss can be made and says what it needs; another package registers its own."""

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions, SentenceLoss


@pytest.mark.parametrize("name", ["softmax", "cosine", "triplet", "ranking"])
def test_every_loss_has_a_finite_value_and_gradient(name):
    kind = LOSSES.get(name)
    vectors = torch.randn(6, 4, requires_grad=True, generator=torch.Generator().manual_seed(0))
    targets = {"class": torch.tensor([0, 1]), "score": torch.tensor([0.2, 0.9]), "none": None}[kind.target]
    kind(LossOptions(4, 2))(vectors, ComparedTexts(torch.tensor([[0, 1, 2], [3, 4, 5]]), targets)).backward()
    assert torch.isfinite(vectors.grad).all()
    assert vectors.grad.abs().sum() > 0


def test_a_base_class_has_no_value_and_a_taken_name_is_refused():
    with pytest.raises(NotImplementedError):
        SentenceLoss(LossOptions(4))(torch.zeros(2, 4), ComparedTexts(torch.tensor([[0, 1, -1]])))
    with pytest.raises(BadInput, match="there is a loss 'cosine' already"):
        LOSSES.register("cosine", SentenceLoss)


def test_columns_have_the_numbers_of_texts_in_place_of_their_indices():
    columns = torch.tensor([[0, 1, -1], [2, 0, 1]])
    assert torch.equal(ComparedTexts(columns).numbered_columns, columns)
    numbered = ComparedTexts(columns, None, torch.tensor([5, 6, 5])).numbered_columns
    assert numbered.tolist() == [[5, 6, -1], [5, 5, 6]]
