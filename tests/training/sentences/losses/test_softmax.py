"""The softmax loss reads [u; v; |u - v|], of which only the first two parts know which text is which."""

import pytest
import torch
from torch.nn import functional

from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.softmax import SoftmaxLoss

WIDTH = 4


def made(*concatenation: str) -> SoftmaxLoss:
    options = LossOptions(WIDTH, 3, concatenation or ("u", "v", "difference"), torch.Generator().manual_seed(0))
    return SoftmaxLoss(options)


def vectors() -> torch.Tensor:
    return torch.randn(6, WIDTH, generator=torch.Generator().manual_seed(1))


def test_the_classifier_reads_three_widths():
    assert made().classifier.weight.shape == (3, 3 * WIDTH)


def test_swapping_the_texts_changes_the_scores_through_the_first_two_parts_alone():
    loss, (u, v) = made(), vectors().split(3)
    assert not torch.allclose(loss.logits(u, v), loss.logits(v, u))
    with torch.no_grad():
        loss.classifier.weight[:, : 2 * WIDTH] = 0
    assert torch.allclose(loss.logits(u, v), loss.logits(v, u))


def test_its_value_is_the_mean_cross_entropy_of_the_formula():
    loss, all_vectors = made(), vectors()
    columns, classes = torch.tensor([[0, 3, -1], [1, 4, -1], [2, 5, -1]]), torch.tensor([2, 0, 1])
    u, v = all_vectors.split(3)
    expected = functional.cross_entropy(torch.cat([u, v, (u - v).abs()], 1) @ loss.classifier.weight.T, classes)
    value = loss(all_vectors, ComparedTexts(columns, classes))
    assert value.item() == pytest.approx(expected.item())


def test_other_concatenations_have_their_widths():
    assert made("difference", "product").classifier.weight.shape == (3, 2 * WIDTH)
    u, v = vectors().split(3)
    expected = (u * v) @ made("product").classifier.weight.T
    assert torch.allclose(made("product").logits(u, v), expected)
