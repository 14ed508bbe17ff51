"""Divergences between heads, the plane, and the test of layers."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from wordworth.studies.attention_patterns.head_distances import (
    classical_mds,
    contrast_layers,
    js_divergences,
    layer_p_value,
)


def maps(heads, tokens, seed):
    return torch.randn(heads, tokens, tokens, generator=torch.Generator().manual_seed(seed)).mul(4).softmax(-1)


@given(st.integers(1, 6), st.integers(1, 12), st.integers(0, 99))
def test_divergences_are_symmetric_and_from_0_to_ln_2_a_row(heads, tokens, seed):
    found = js_divergences(maps(heads, tokens, seed))
    assert np.array_equal(found, found.T)
    assert not found.diagonal().any()
    assert (found >= 0).all()
    assert (found <= tokens * math.log(2) + 1e-4).all()


def test_they_are_those_of_scipy():
    attention = maps(3, 70, 1)
    ours = js_divergences(attention, smoothing=0)
    rows = attention.double().numpy()
    theirs = sum(jensenshannon(rows[0, row], rows[2, row]) ** 2 for row in range(70))
    assert ours[0, 2] == pytest.approx(theirs, abs=70 * 1e-5)


def test_equal_heads_do_not_diverge_and_disjoint_ones_do_by_ln_2():
    one, other = torch.eye(4), torch.eye(4).flip(0)
    found = js_divergences(torch.stack([one, one, other]), smoothing=1e-9)
    assert found[0, 1] == pytest.approx(0, abs=1e-5)
    assert found[0, 2] == pytest.approx(4 * math.log(2), abs=1e-4)


@given(st.integers(0, 99))
def test_points_of_a_plane_keep_their_distances(seed):
    points = np.random.default_rng(seed).normal(size=(7, 2))
    squared = ((points[:, None] - points) ** 2).sum(-1)
    plane = classical_mds(squared)
    assert np.allclose(((plane.points[:, None] - plane.points) ** 2).sum(-1), squared, atol=1e-8)
    assert plane.kept_share == pytest.approx(1)


def test_divergences_are_squared_euclidean_distances():
    squared = js_divergences(maps(12, 9, 3))
    centred = squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean()
    assert np.linalg.eigvalsh(-centred / 2).min() > -1e-4


def test_layers_that_are_clusters_are_found_and_others_are_not():
    layers = np.repeat(np.arange(3), 4)
    clustered = (layers[:, None] != layers).astype(float)
    assert contrast_layers(clustered, layers) == (0, 1)
    rng = np.random.default_rng(0)
    assert layer_p_value(clustered, layers, 999, rng) == pytest.approx(0.001, abs=1e-9)
    noise = rng.random((12, 12))
    assert layer_p_value(noise + noise.T, layers, 999, rng) > 0.02
    assert np.isnan(layer_p_value(clustered, np.zeros(12, int), 99, rng))
