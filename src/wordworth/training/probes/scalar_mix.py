"""A scalar mix of an encoder's layers (Peters et al. 2018, arXiv 1802.05365, equation 1)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def mixed(states: Tensor, shares: Tensor) -> Tensor:
    """Return the weighted sum over layers of the states of n texts or words, [n, width].

    Args:
        states: [n, layers, width], the states in each layer.
        shares: [layers], the weight of each layer.
    """
    return torch.einsum("nld,l->nd", states, shares)


class ScalarMix(nn.Module):
    """A learned weighted sum of layers, as in ELMo: gamma · Σ_l softmax(a)_l · layer_l.

    Initially a = 0 and gamma = 1.

    Args:
        layers: number of layers; a single one has no weights to learn.
    """

    scale: Tensor

    def __init__(self, layers: int) -> None:
        super().__init__()
        learned = layers > 1
        self.logits = nn.Parameter(torch.zeros(layers), requires_grad=learned)
        self.gamma = nn.Parameter(torch.ones(()), requires_grad=learned)
        self.register_buffer("scale", torch.ones(layers))

    @property
    def shares(self) -> Tensor:
        """The weight of each layer, [layers], with the sum 1."""
        return self.logits.softmax(0)

    def forward(self, states: Tensor) -> Tensor:
        """Return the weighted sum over layers, [n, width], of states [n, layers, width].

        Each layer is also multiplied by its entry of the buffer `scale`, which a caller can set to bring the layers to
        one scale; it is 1 by default.
        """
        return mixed(states, self.gamma * self.shares * self.scale)
