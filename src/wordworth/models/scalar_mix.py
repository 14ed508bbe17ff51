"""A learned mix of layers (Peters et al. 2018, equation 1): `gamma * sum over j of softmax(w)_j * h_j`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

_EPSILON = 1e-12


class ScalarMix(nn.Module):
    """One weight per layer and one scale, learned with a task on top of a frozen model; initially the layers' mean.

    Args:
        layers: number of layers, the input layer included.
        normalised: whether each layer is first scaled to mean 0 and variance 1 over all its values in the batch.
    """

    def __init__(self, layers: int, *, normalised: bool = False) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.zeros(layers))
        self.scale = nn.Parameter(torch.ones(()))
        self.normalised = normalised

    @property
    def shares(self) -> Tensor:
        """Share of each layer in the mix, [layers]: the softmax of the weights."""
        return self.weights.softmax(0)

    def forward(self, states: Sequence[Tensor] | Tensor, counted: Tensor | None = None) -> Tensor:
        """Return the mix of the layers, [tokens, width].

        Args:
            states: one tensor [tokens, width] per layer.
            counted: bool [tokens], the tokens included in mean and variance; None for all. The published code leaves
                out sentence boundaries.

        Raises:
            ValueError: the number of layers is not the number of weights.
        """
        layers = [_normal(layer, counted) for layer in states] if self.normalised else states
        mixed = sum(share * layer for share, layer in zip(self.shares, layers, strict=True))
        scaled: Tensor = self.scale * mixed
        return scaled

    def penalty(self, strength: float) -> Tensor:
        """Return a penalty for the loss: `strength` times the squared weights, which pulls towards the layers' mean.

        The paper writes the distance from the mean's share, 1 / (L + 1), with strengths from 0.001 to 1; this is its
        published code (allenai/bilm-tf, `weight_layers`), where weights start at 0.
        """
        return strength * self.weights.square().sum()


def _normal(layer: Tensor, counted: Tensor | None) -> Tensor:
    variance, mean = torch.var_mean(layer if counted is None else layer[counted], correction=0)
    return (layer - mean) * torch.rsqrt(variance + _EPSILON)
