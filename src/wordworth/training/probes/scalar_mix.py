"""A scalar mix of an encoder's layers (Peters et al. 2018, arXiv 1802.05365, equation 1)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def mixed(states: Tensor, shares: Tensor) -> Tensor:
    """Return the weighted sum of layers, [n, width].

    Args:
        states: [n, layers, width].
        shares: [layers], the factor of each layer.
    """
    return torch.einsum("nld,l->nd", states, shares)


class ScalarMix(nn.Module):
    """A learned mix of layers: gamma * sum over l of softmax(a)_l * layer_l; initially a = 0 and gamma = 1.

    Args:
        layers: number of layers. A single one has no weights to learn.
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
        """The weight of each layer, [layers]; they sum to 1."""
        return self.logits.softmax(0)

    def forward(self, states: Tensor) -> Tensor:
        """Return the mix [n, width] of states [n, layers, width], each layer first multiplied by its `scale`."""
        return mixed(states, self.gamma * self.shares * self.scale)
