"""The network of patterns: a sixth of its updates teach it to tell synthetic maps; the same seed gives the same."""

import numpy as np
import pytest
import torch

from wordworth.measures.attention_patterns import PATTERNS, synthetic_map
from wordworth.progress import STILL
from wordworth.studies.finetuning_changes.attention_pattern_classifier import SIDE, STEPS, picture, train_network


@pytest.fixture(scope="module")
def network():
    return train_network(0, STILL, steps=STEPS // 6)


@pytest.mark.parametrize("kind", range(5))
def test_every_synthetic_map_of_one_pattern_is_told(network, kind):
    rng = np.random.default_rng(100 + kind)
    maps = [torch.from_numpy(synthetic_map(rng, kind).weights) for _ in range(60)]
    assert {PATTERNS[int(network.patterns(weights[None])[0])] for weights in maps} == {PATTERNS[kind]}


def test_a_picture_has_one_size_and_uniform_attention_is_one():
    for tokens in (9, 32, 50):
        drawn = picture(torch.full((2, tokens, tokens), 1 / tokens))
        assert drawn.shape == (2, 1, SIDE, SIDE)
        assert torch.allclose(drawn, torch.ones(()))


def test_the_same_seed_gives_the_same_network():
    first, second = (train_network(3, STILL, steps=3) for _ in range(2))
    assert all(torch.equal(x, y) for x, y in zip(first.parameters(), second.parameters(), strict=True))
