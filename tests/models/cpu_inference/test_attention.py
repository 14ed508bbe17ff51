from __future__ import annotations

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.cpu_inference.twins import loud

from wordworth.models.attention import attend
from wordworth.models.attention_positions import RelativePositionBias
from wordworth.models.cpu_inference.attention import attention, padded_layout
from wordworth.models.length_buckets import PackedLayout

DTYPES = (torch.float32, torch.bfloat16)


def starts_of(lengths: list[int]) -> torch.Tensor:
    return torch.tensor([0, *lengths]).cumsum(0).to(torch.int32)


@given(lengths=st.lists(st.integers(1, 300), min_size=1, max_size=40), dtype=st.sampled_from(DTYPES))
@settings(max_examples=30, deadline=None)
def test_every_token_has_a_row_of_its_own_inside_its_own_group(lengths, dtype):
    places = padded_layout(starts_of(lengths), dtype)
    assert len(set(places.rows.tolist())) == sum(lengths)
    ends = [group.end for group in places.groups]
    assert [group.first for group in places.groups] == [0, *ends[:-1]]
    assert max(places.rows.tolist()) < ends[-1] <= places.total
    assert sum(group.number for group in places.groups) == len(lengths)


@given(lengths=st.lists(st.integers(1, 300), min_size=1, max_size=40))
@settings(max_examples=20, deadline=None)
def test_in_float32_rows_without_a_token_come_only_from_rounding_the_whole(lengths):
    places = padded_layout(starts_of(lengths), torch.float32)
    assert places.total - sum(lengths) < 64
    assert all(group.is_token is None for group in places.groups)


@given(lengths=st.lists(st.integers(1, 300), min_size=1, max_size=40))
@settings(max_examples=20, deadline=None)
def test_bfloat16_meets_few_shapes(lengths):
    places = padded_layout(starts_of(lengths), torch.bfloat16)
    assert all(group.length % 8 == 0 or group.length <= 3 for group in places.groups)
    assert all(group.number.bit_count() == 1 for group in places.groups)
    assert places.total % 64 == 0 or places.total in {16, 32}


@pytest.mark.parametrize("dtype", DTYPES)
def test_lone_pieces_between_special_tokens_take_no_rows_beyond_their_own(dtype):
    places = padded_layout(starts_of([3] * 64), dtype)
    assert places.total == 192
    assert {group.length for group in places.groups} == {3}
    assert all(group.is_token is None for group in places.groups)


@pytest.mark.parametrize("lengths", [[16], [5], [3, 3, 3], [1, 2, 9], [12, 16, 16], [24, 20], [31, 32, 30, 9, 100, 70]])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("has_bias", [False, True])
def test_what_tokens_gather_is_what_the_exact_sum_says(lengths, dtype, has_bias):
    starts, heads, size = starts_of(lengths), 4, 32
    table = RelativePositionBias(32, heads)
    table.weight.data = torch.randn(table.weight.shape, generator=torch.Generator().manual_seed(4))
    rounded = copy.deepcopy(table).to(dtype)
    qkv = torch.randn(sum(lengths), 3 * heads * size, generator=torch.Generator().manual_seed(3)).to(dtype)
    scaled = qkv.clone()
    scaled[:, : heads * size] *= size**-0.5
    places = padded_layout(starts, dtype)
    with torch.no_grad():
        found = places.gather(attention(places.scatter(scaled, dtype), places, heads, rounded if has_bias else None))
    q, k, v = (part.reshape(-1, heads, size) for part in qkv.float().chunk(3, dim=1))
    wanted = attend(q, k, v, PackedLayout(starts), bias=table if has_bias else None).flatten(1)
    assert (found.float() - wanted).abs().max() <= (1e-5 if dtype == torch.float32 else 3e-2)


def test_the_twin_looks_at_parameters_that_were_put_in_place_of_others():
    from wordworth.models.cpu_inference.encoder import used_parameters

    model = loud()
    assert {id(each) for each in used_parameters(model)} == {id(each) for each in model.parameters()}
