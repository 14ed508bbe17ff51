"""Patterns of attention maps by rules: all synthetic maps of one pattern are told, and uniform attention is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.attention_patterns import PATTERNS, Layout, mixture, pattern_of, synthetic_map


@pytest.mark.parametrize("kind", range(5))
def test_every_synthetic_map_of_one_pattern_is_told(kind):
    rng = np.random.default_rng(kind)
    maps = [synthetic_map(rng, kind) for _ in range(200)]
    assert {int(pattern_of(made.weights, made.layout)) for made in maps} == {kind}


@given(st.integers(0, 10_000), st.integers(0, 4))
def test_rows_of_synthetic_maps_sum_to_one(seed, kind):
    made = synthetic_map(np.random.default_rng(seed), kind)
    assert np.allclose(made.weights.sum(1), 1)
    assert (made.weights >= 0).all()
    assert made.layout.special[[0, -1]].all()


@given(st.integers(8, 40), st.booleans(), st.booleans())
def test_uniform_attention_has_no_pattern_whatever_the_length(tokens, causal, is_pair):
    special = np.zeros(tokens, dtype=bool)
    special[[0, -1]] = True
    layout = Layout(special, tokens // 2 if is_pair else None, causal)
    assert PATTERNS[int(pattern_of(layout.uniform, layout))] == "heterogeneous"


def test_block_is_a_pattern_of_pairs_alone():
    made = synthetic_map(np.random.default_rng(0), PATTERNS.index("block"))
    alone = Layout(made.layout.special)
    assert PATTERNS[int(pattern_of(made.weights, alone))] == "heterogeneous"


def test_several_maps_at_once_have_the_patterns_of_each():
    rng = np.random.default_rng(3)
    made = synthetic_map(rng, 0)
    uniform = made.layout.uniform
    assert pattern_of(np.stack([made.weights, uniform]), made.layout).tolist() == [0, 4]


def test_a_mixture_of_vertical_and_diagonal_is_both():
    made = mixture(np.random.default_rng(0), 0, 1, 0.5)
    assert np.allclose(made.weights.sum(1), 1)
    assert PATTERNS[int(pattern_of(made.weights, made.layout))] == "vertical+diagonal"
