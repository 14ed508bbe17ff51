"""A small convolutional network that classifies attention maps into five patterns, trained on synthetic maps.

Kovaleva et al. 2019 (arXiv 1908.08593, section 4.2) train a network of eight layers on 400 maps annotated by hand.
Synthetic maps need no annotation, and their patterns are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth import seeds
from wordworth.measures.attention_patterns import PATTERNS, synthetic_map
from wordworth.measures.weighted_sums import Integers
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.progress import Step

SIDE = 32
"""Width and height, in pixels, of the picture to which a map of any size is averaged."""
STEPS = 400
_BATCH, _RATE, _CHANNELS = 64, 3e-3, 16


def picture(weights: Tensor) -> Tensor:
    """Return attention maps as pictures of one size, float32 [maps, 1, SIDE, SIDE].

    A pixel is sqrt(mean weight in its area * number of tokens), so that uniform attention gives 1 everywhere.

    Args:
        weights: attention weights, float [maps, tokens, tokens].
    """
    drawn = functional.adaptive_avg_pool2d(weights.float()[:, None] * weights.shape[-1], SIDE)
    return drawn.sqrt()


class PatternNetwork(nn.Module):
    """A classifier of attention maps: four convolutions, maximum and mean of each channel, and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        widths = (1, _CHANNELS, _CHANNELS, 2 * _CHANNELS, 2 * _CHANNELS)
        layers: list[nn.Module] = []
        for number, (narrow, wide) in enumerate(pairwise(widths)):
            layers += [nn.Conv2d(narrow, wide, 3, padding=1, stride=2 if number % 2 else 1), nn.ReLU()]
        self.layers = nn.Sequential(*layers)
        self.output = nn.Linear(4 * _CHANNELS, len(PATTERNS))

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the logits of the five attention patterns for each map, float32 [maps, 5].

        Args:
            pictures: float32 [maps, 1, SIDE, SIDE], the attention maps as `picture` returns them.
        """
        states = self.layers(pictures).flatten(2)
        scores: Tensor = self.output(torch.cat([states.amax(-1), states.mean(-1)], dim=1))
        return scores

    @torch.inference_mode()
    def patterns(self, weights: Tensor) -> Integers:
        """Return the pattern of each attention map as an index into `PATTERNS`, int64 [maps].

        Args:
            weights: attention weights, float [maps, tokens, tokens].
        """
        patterns: Integers = self(picture(weights)).argmax(1).numpy()
        return patterns


def train_network(seed: int, step: Step, steps: int = STEPS) -> PatternNetwork:
    """Train a network that classifies attention maps into five patterns, on synthetic maps.

    Args:
        seed: seed of the initial weights and of the maps.
        step: progress step, advanced after each update.
        steps: number of updates.
    """
    rng = seeds.child(seed, "patterns")
    with ONE_THREAD.limit():
        return _trained(seeds.child_seed(seed, "network"), rng, step, steps)


def _trained(seed: int, rng: np.random.Generator, step: Step, steps: int) -> PatternNetwork:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = PatternNetwork()
    optimiser = torch.optim.Adam(network.parameters(), lr=_RATE)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps)
    for _ in range(steps):
        kinds = rng.integers(len(PATTERNS), size=_BATCH)
        loss = functional.cross_entropy(network(_pictures(rng, kinds.tolist())), torch.from_numpy(kinds))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        optimiser.step()
        rates.step()
        step.advance(1)
    return network.eval()


def _pictures(rng: np.random.Generator, kinds: Sequence[int]) -> Tensor:
    maps = (synthetic_map(rng, kind).weights for kind in kinds)
    return torch.cat([picture(torch.from_numpy(weights)[None]) for weights in maps])
