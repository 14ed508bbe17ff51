from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.models.attention_positions import (
    RelativePositionBias,
    bias_of_heads,
    relative_position_buckets,
    rotary_angles,
    rotate,
    window_bias,
)


def bucket(distance: int, buckets: int) -> int:
    """Raffel et al. 2020, section 2.1, in Python's own numbers."""
    half = buckets // 2
    exact, steps = half // 2, abs(distance)
    if steps < exact:
        within = steps
    else:
        within = min(half - 1, exact + int(math.log(steps / exact) / math.log(128 / exact) * (half - exact)))
    return within + (half if distance > 0 else 0)


@pytest.mark.parametrize("buckets", [8, 32, 64])
def test_buckets_are_those_of_the_formula(buckets):
    distances = [distance for distance in range(-300, 301) if abs(distance) not in {16, 32, 64, 128}]
    assert relative_position_buckets(torch.tensor(distances), buckets).tolist() == [
        bucket(distance, buckets) for distance in distances
    ]


def test_the_published_number_of_buckets_is_used_to_the_last():
    assert set(relative_position_buckets(torch.arange(-200, 201), 32).tolist()) == set(range(32)) - {16}


def test_a_bias_depends_on_the_distance_alone():
    bias = RelativePositionBias(8, 3)
    bias.weight.data = torch.arange(24.0).view(8, 3)
    square = bias(9)
    assert square.shape == (3, 9, 9)
    assert torch.equal(square[:, 1:, 1:], square[:, :-1, :-1])
    assert square[1, 4, 5] == bias.weight[bucket(1, 8), 1]
    assert square[1, 5, 4] == bias.weight[bucket(-1, 8), 1]


def test_pruned_heads_take_their_bias_with_them():
    bias = RelativePositionBias(8, 3)
    bias.weight.data = torch.arange(24.0).view(8, 3)
    assert torch.equal(bias_of_heads(bias, [0, 2])(5), bias(5)[[0, 2]])


@given(length=st.integers(1, 12), reach=st.integers(1, 12))
def test_a_window_shows_the_tokens_within_its_reach(length, reach):
    bias = window_bias(length, reach)
    visible = [[abs(key - query) <= reach for key in range(length)] for query in range(length)]
    assert (bias[0] == 0).tolist() == visible
    assert bias.isfinite().all()


def test_rotated_products_depend_on_distances_alone():
    angles = rotary_angles(torch.tensor([0, 6]), 8, 10_000.0)
    q, k = torch.randn(2, 1, 1, 8, generator=torch.Generator().manual_seed(0)).expand(2, 6, 1, 8)
    products = torch.einsum("qhd,khd->qk", rotate(q, angles), rotate(k, angles))
    assert torch.allclose(products[1:, 1:], products[:-1, :-1], atol=1e-5)
    assert not torch.allclose(products[0, 1:], products[0, :-1], atol=1e-2)
