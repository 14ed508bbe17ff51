"""The LSTM with projection: exact against the cell written out and against torch."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.lstm_reference import lstm_reference
from tests.models.tiny import PIECES, loud_
from torch import nn

from wordworth.models.batch import Batch
from wordworth.models.families.bilm import BilmConfig, bilm
from wordworth.models.lstm import BidirectionalLSTM, Clips, Direction, PackedOrder
from wordworth.models.transformer import init_weights

TINY = BilmConfig(vocab_size=len(PIECES), projection_size=8, cell_size=12, max_length=24)


def a_model(**changes):
    model = bilm(BilmConfig(**{**{name: getattr(TINY, name) for name in TINY.__slots__}, **changes})).eval()
    loud_(model)
    return model


def a_batch(*lengths, seed=0):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(len(PIECES), (sum(lengths),), generator=generator)
    starts = torch.tensor([0, *torch.tensor(lengths).cumsum(0)], dtype=torch.int32)
    return Batch(ids, torch.zeros_like(ids), starts)


@pytest.mark.parametrize("projected", [4, None], ids=["projected", "plain"])
@pytest.mark.parametrize("clips", [Clips(), Clips(cell=0.6, projection=0.25)], ids=["free", "clipped"])
@given(lengths=st.lists(st.integers(0, 7), min_size=1, max_size=5), seed=st.integers(0, 9))
@settings(max_examples=25)
def test_states_and_gradients_are_those_of_the_cell_written_out(clips, projected, lengths, seed):
    torch.manual_seed(seed)
    pair, tokens = BidirectionalLSTM(5, 6, projected, clips), sum(lengths)
    starts = torch.tensor([0, *torch.tensor(lengths).cumsum(0)])
    x, weights = torch.randn(tokens, 5, requires_grad=True), torch.randn(2, tokens, projected or 6)
    order = PackedOrder.of(starts)
    walked = pair(x[order.walk], order)
    fast = torch.stack([walked[side][order.back[side]] for side in (0, 1)])
    forth = [lstm_reference(x[a:b], pair.left_to_right, clips) for a, b in pairwise(starts)]
    back = [lstm_reference(x[a:b].flip(0), pair.right_to_left, clips).flip(0) for a, b in pairwise(starts)]
    slow = torch.stack([torch.cat(forth), torch.cat(back)])
    assert torch.allclose(fast, slow, atol=1e-6)
    if not tokens:
        return
    wanted = [x, *pair.parameters()]
    mine = torch.autograd.grad((fast * weights).sum(), wanted)
    theirs = torch.autograd.grad((slow * weights).sum(), wanted, materialize_grads=True)
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(mine, theirs, strict=True))


def test_a_direction_is_torchs_lstm_with_projection():
    torch.manual_seed(0)
    direction = Direction(5, 6, 4)
    lstm = nn.LSTM(5, 6, proj_size=4)
    pairs = {"weight_ih_l0": direction.input, "weight_hh_l0": direction.recurrent, "weight_hr_l0": direction.projection}
    for name, module in pairs.items():
        getattr(lstm, name).data = module.weight.data
    lstm.bias_ih_l0.data = direction.input.bias.data + direction.forget_offset
    lstm.bias_hh_l0.data.zero_()
    x = torch.randn(9, 5)
    with pytest.warns(UserWarning, match="projections"):  # torch says that it has no fast kernel for it
        expected, _ = lstm(x)
    assert torch.allclose(lstm_reference(x, direction, Clips()), expected, atol=1e-6)


def test_values_are_clipped_as_the_settings_say():
    states = list(a_model(projection_clip=0.1, residual=False).states(a_batch(9)))
    assert states[1].abs().max().item() == pytest.approx(0.1)


@pytest.mark.parametrize("clips", [{}, {"cell_clip": None, "projection_clip": None}], ids=["clipped", "free"])
def test_bfloat16_is_near_float32(clips):
    model, batch = bilm(BilmConfig(vocab_size=len(PIECES), projection_size=16, cell_size=24, **clips)), a_batch(9, 4)
    init_weights(model, 0.2, torch.Generator().manual_seed(0))
    exact = model.eval()(batch)
    half = model.bfloat16()(batch)
    assert half.dtype == torch.bfloat16
    assert (half.float() - exact).abs().max() < 0.03 * exact.abs().max()
    half.float().sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU on this machine")
def test_a_gpu_gives_the_same_states_and_gradients():
    model, batch = a_model(), a_batch(9, 1, 4, 9)
    here = model(batch)
    here.sum().backward()
    expected = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()
    there = model.cuda()(batch.to(torch.device("cuda")))
    there.sum().backward()
    assert torch.allclose(there.cpu(), here, atol=1e-4)
    for name, parameter in model.named_parameters():
        assert torch.allclose(parameter.grad.cpu(), expected[name], atol=1e-3)
