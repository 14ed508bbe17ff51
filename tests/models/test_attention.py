"""Every form of attention gives what the plain one gives, on drawn shapes."""

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.activation_taps import Taps
from wordworth.models.attention import (
    _has_kernel,
    _suits_varlen,
    attend,
    attend_bucketed,
    attend_reference,
    fused,
)
from wordworth.models.attention_positions import PositionBias, RelativePositionBias, window_bias
from wordworth.models.dropout import Dropout
from wordworth.models.length_buckets import PackedLayout, merge_buckets, split_by_bucket

LENGTHS = st.lists(st.integers(0, 7), min_size=0, max_size=6)


def drawn(lengths: list[int], heads: int, size: int, seed: int) -> tuple[Any, ...]:
    generator = torch.Generator().manual_seed(seed)
    q, k, v = torch.randn(3, sum(lengths), heads, size, generator=generator)
    return 3 * q, k, v, PackedLayout(torch.tensor([0, *lengths]).cumsum(0).int())


def relative(heads: int) -> RelativePositionBias:
    """A bias of each head by distance."""
    bias = RelativePositionBias(8, heads)
    bias.weight.data = torch.randn(bias.weight.shape, generator=torch.Generator().manual_seed(4))
    return bias


def bias_of(kind: str, heads: int) -> PositionBias | None:
    return {"none": None, "relative": relative(heads), "window": partial(window_bias, reach=1)}[kind]


BIASES = st.sampled_from(["none", "relative", "window"])


@settings(max_examples=60, deadline=None)
@given(LENGTHS, st.integers(1, 3), st.sampled_from([2, 8]), st.booleans(), BIASES)
def test_groups_equal_the_plain_form_however_much_they_pad(lengths, heads, size, causal, kind):
    given, bias = drawn(lengths, heads, size, seed=sum(lengths)), bias_of(kind, heads)
    plain = attend_reference(*given, causal=causal, bias=bias, dropout=None)
    for round_to in (1, 2, 5, 32):
        grouped = attend_bucketed(*given, causal=causal, bias=bias, dropout=None, round_to=round_to)
        assert torch.allclose(grouped, plain, atol=1e-6)
    assert plain.shape == given[2].shape
    assert plain.isfinite().all()  # an empty sequence is never built


@pytest.mark.parametrize("kind", ["none", "relative", "window"])
@pytest.mark.parametrize("causal", [False, True])
def test_a_long_text_is_attended_a_few_queries_at_a_time(monkeypatch, kind, causal):
    given, bias = drawn([7, 9, 7], 2, 4, 0), bias_of(kind, 2)
    whole = attend_bucketed(*given, causal=causal, bias=bias, dropout=None, round_to=4)
    monkeypatch.setattr("wordworth.models.attention.MOST_ROWS", 3)
    assert torch.allclose(attend_bucketed(*given, causal=causal, bias=bias, dropout=None, round_to=4), whole, atol=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 7), max_size=5).map(lambda drawn: [3, *drawn]), st.booleans(), BIASES, st.integers(1, 9))
def test_groups_learn_what_the_plain_form_learns(lengths, causal, kind, round_to):
    """Also if a row of padding sees nothing but padding, as in a window of one token."""
    *parts, sequences = drawn(lengths, 2, 4, 0)
    gradients = []
    for form in (attend_reference, partial(attend_bucketed, round_to=round_to)):
        leaves, bias = [part.clone().requires_grad_() for part in parts], bias_of(kind, 2)
        form(*leaves, sequences, causal=causal, bias=bias, dropout=None).sin().sum().backward()
        learned = [*leaves, bias.weight] if isinstance(bias, RelativePositionBias) else leaves
        gradients.append([leaf.grad for leaf in learned])
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(*gradients, strict=True))


def by_the_kernel_of_gpus(q, k, v, sequences, *, causal, bias=None, round_to=8):  # noqa: PLR0913 - as `attend`
    """As `attend_bucketed` on a GPU, here on any device."""
    groups = sequences.buckets(round_to)
    heads = []
    for group, *parts in zip(groups, *(split_by_bucket(each, groups) for each in (q, k, v)), strict=True):
        added = None if bias is None else bias(group.length)
        found = fused(*(group.padded(part) for part in parts), group.padding_mask, causal=causal, bias=added)
        heads.append(group.unpadded(found.transpose(1, 2)))
    return merge_buckets(heads, groups, v)


@settings(max_examples=40, deadline=None)
@given(LENGTHS, st.booleans(), BIASES)
def test_the_kernel_of_gpus_gives_what_the_plain_form_gives(lengths, causal, kind):
    """It never sees a sequence without tokens, and so no row whose keys are all padding: such are in no group."""
    given, bias = drawn(lengths, 2, 4, 0), bias_of(kind, 2)
    plain = attend_reference(*given, causal=causal, bias=bias, dropout=None)
    for round_to in (1, 8):
        found = by_the_kernel_of_gpus(*given, causal=causal, bias=bias, round_to=round_to)
        assert torch.allclose(found, plain, atol=1e-5)
    assert all((~group.padding_mask).any(1).all() for group in given[3].buckets(8) if group.padding_mask is not None)


def test_the_plain_form_is_the_written_sum():
    """Vaswani et al. 2017, equation 1, with Python's own numbers."""
    q, k = torch.tensor([[[1.0, 2.0]], [[0.0, -1.0]]]), torch.tensor([[[1.0, 0.0]], [[0.5, 0.5]]])
    v = torch.tensor([[[1.0, 10.0]], [[2.0, 20.0]]])
    e0, e1 = torch.tensor(1 / 2**0.5).exp(), torch.tensor(1.5 / 2**0.5).exp()
    share = e1 / (e0 + e1)
    heads = attend(q, k, v, PackedLayout(torch.tensor([0, 2]).int()))
    assert torch.allclose(heads[0, 0], torch.stack([1 + share, 10 + 10 * share]))


def test_probabilities_can_be_read_and_their_rows_sum_to_one():
    given, taps = drawn([3, 0, 5], 2, 4, 0), Taps(read=("probabilities",))
    assert torch.allclose(attend(*given, taps=taps), attend(*given), atol=1e-6)
    assert [tuple(seen.shape) for seen in taps.seen["probabilities"]] == [(2, 3, 3), (2, 0, 0), (2, 5, 5)]
    assert all(
        torch.allclose(seen.sum(-1), torch.ones(seen.shape[:-1]), rtol=0, atol=1e-5)
        for seen in taps.seen["probabilities"]
    )


def test_a_head_scaled_to_zero_says_nothing_and_the_others_are_untouched():
    given = drawn([4, 2], 3, 4, 1)
    scaled = attend(*given, head_scale=torch.tensor([1.0, 0.0, 2.0]))
    whole = attend(*given)
    assert torch.equal(scaled[:, 0], whole[:, 0])
    assert scaled[:, 1].abs().max() == 0
    assert torch.equal(scaled[:, 2], 2 * whole[:, 2])


@pytest.mark.parametrize("form", [attend_reference, attend_bucketed])
def test_dropped_probabilities_keep_their_mean(form):
    lengths = [8] * 500
    q, k, _, sequences = drawn(lengths, 1, 4, 2)
    dropout = Dropout(0.5)
    dropout.draws = np.random.default_rng(0)
    heads = form(q, k, torch.ones_like(q), sequences, causal=False, dropout=dropout)
    assert float(heads.mean()) == pytest.approx(1.0, abs=0.05)
    assert float(heads.std()) > 0.1


class Gpu:
    """Queries on a GPU, told by what decides how they attend."""

    is_cuda, device = True, torch.device("cuda")

    def __init__(self, dtype, size):
        self.dtype, self.shape = dtype, (5, 4, size)

    def __len__(self):
        return self.shape[0]


@pytest.mark.parametrize(
    ("dtype", "size", "dropout", "capability", "taken"),
    [
        (torch.bfloat16, 64, None, (9, 0), True),
        (torch.bfloat16, 64, Dropout(0.1).train(), (8, 0), True),
        (torch.float16, 256, Dropout(0.1).eval(), (8, 6), True),
        (torch.float32, 64, None, (9, 0), False),
        (torch.bfloat16, 12, None, (9, 0), False),
        (torch.bfloat16, 264, None, (9, 0), False),
        (torch.bfloat16, 64, lambda weights: weights, (9, 0), False),
        (torch.float16, 64, None, (7, 5), False),
    ],
)
def test_the_kernel_for_packed_sequences_is_taken_where_it_runs(monkeypatch, dtype, size, dropout, capability, taken):
    monkeypatch.setattr("torch.cuda.get_device_capability", lambda _: capability)
    _has_kernel.cache_clear()
    assert _suits_varlen(Gpu(dtype, size), dropout) == taken
    _has_kernel.cache_clear()
