"""Entropy and offsets of attention maps, by hand and as invariants."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.studies.attention_patterns.attention_statistics import (
    entropy,
    largest_at_offset,
    offset_mass,
    tokens_with_offset,
)


def maps(heads, tokens, seed):
    return torch.randn(heads, tokens, tokens, generator=torch.Generator().manual_seed(seed)).mul(3).softmax(-1)


@given(st.integers(1, 5), st.integers(2, 20), st.integers(0, 99))
def test_entropy_is_between_that_of_one_token_and_of_uniform_attention(heads, tokens, seed):
    spread = entropy(maps(heads, tokens, seed))
    assert spread.shape == (heads, tokens)
    assert (spread > 0).all()
    assert (spread <= math.log(tokens) + 1e-5).all()


def test_uniform_attention_has_the_entropy_ln_n_and_one_token_has_none():
    assert entropy(torch.full((1, 128, 128), 1 / 128))[0, 5] == pytest.approx(4.852, abs=1e-3)
    assert entropy(torch.eye(4)[None], smoothing=1e-9).abs().max() < 1e-6


@given(st.integers(1, 15), st.integers(0, 99))
def test_all_offsets_together_hold_all_attention(tokens, seed):
    attention = maps(3, tokens, seed)
    assert torch.allclose(offset_mass(attention, 15).sum(1), torch.full((3,), float(tokens)).double(), atol=1e-4)


def test_offsets_are_counted_from_the_token_that_attends():
    to_next = torch.diag(torch.ones(3), 1)[None]
    assert offset_mass(to_next, 2).tolist() == [[0, 0, 0, 3, 0]]
    assert tokens_with_offset(4, 2).tolist() == [2, 3, 4, 3, 2]


def test_special_tokens_are_no_positions():
    attention = torch.tensor([[[1, 0, 0, 0], [0.6, 0.1, 0.3, 0], [0.6, 0.3, 0.1, 0], [0, 0, 0, 1]]])
    kept = torch.tensor([False, True, True, False])
    assert largest_at_offset(attention, 1, kept).tolist() == [1]
    assert largest_at_offset(attention, -1, kept).tolist() == [1]
    assert largest_at_offset(attention, 1, torch.zeros(4, dtype=torch.bool)).tolist() == [0]
