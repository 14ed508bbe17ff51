"""Normalisation: torch's numbers, and gradients that rounding does not eat, however many tokens there are."""

import pytest
import torch
from torch import nn

from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, BertEmbedding
from wordworth.models.layer_norm import LayerNorm


def gradients(module, x, given):
    x = x.clone().requires_grad_()
    y = module(x)
    y.backward(given)
    return y, x.grad, module.weight.grad, module.bias.grad


def off(found, exact):
    return float((found.float() - exact).norm() / exact.norm())


@pytest.mark.parametrize("shape", [(4096, 64), (64, 64, 64)])
def test_sums_over_thousands_of_tokens_in_bfloat16_are_those_of_float32(shape):
    torch.manual_seed(0)
    x, given = torch.randn(shape), torch.randn(shape) + 0.05
    exact, plain, own = nn.LayerNorm(64), nn.LayerNorm(64).bfloat16(), LayerNorm(64).bfloat16()
    for each in (exact, plain, own):
        nn.init.normal_(each.weight, 1, 0.1, generator=torch.Generator().manual_seed(1))
    _, _, *sums = gradients(exact, x, given)
    of_torch = gradients(plain, x.bfloat16(), given.bfloat16())
    ours = gradients(own, x.bfloat16(), given.bfloat16())
    assert torch.equal(ours[0], of_torch[0])
    assert torch.equal(ours[1], of_torch[1])
    assert [off(found, one) < 0.01 for found, one in zip(ours[2:], sums, strict=True)] == [True, True]
    assert off(of_torch[2], sums[0]) > 0.02  # else torch has mended it, and ours can go


def test_in_float32_it_is_torchs_own():
    x, given = torch.randn(50, 8), torch.randn(50, 8)
    for ours, theirs in zip(gradients(LayerNorm(8), x, given), gradients(nn.LayerNorm(8), x, given), strict=True):
        assert torch.equal(ours, theirs)


def test_a_segment_that_thousands_of_tokens_share_learns_from_all_of_them():
    config = BertConfig(vocab_size=50, hidden_size=48, max_positions=8192, dropout=0.0)
    torch.manual_seed(0)
    exact = BertEmbedding(config)
    half = BertEmbedding(config).bfloat16()
    half.load_state_dict(exact.state_dict())
    tokens = 8000
    batch = Batch(torch.randint(50, (tokens,)), torch.randint(2, (tokens,)), torch.tensor([0, tokens]).int())
    given = torch.randn(tokens, 48) + 0.2
    for module, type_ in ((exact, torch.float32), (half, torch.bfloat16)):
        module(batch).backward(given.to(type_))
    assert off(half.segment.weight.grad, exact.segment.weight.grad) < 0.01
