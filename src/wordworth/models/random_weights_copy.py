"""Copies of an encoder or a head with random weights, as a baseline for what training adds to the architecture."""

from __future__ import annotations

import copy

import torch
from torch import nn

from wordworth.models.encoder_base import Encoder
from wordworth.models.transformer import init_weights


def random_twin(model: Encoder, seed: int) -> Encoder:
    """Return a copy of an encoder with new random weights, as at the start of pretraining.

    Args:
        model: the encoder; it is not changed.
        seed: decides the new weights.
    """
    twin = copy.deepcopy(model)
    with torch.no_grad():
        init_weights(twin, model.config.initializer_range, torch.Generator().manual_seed(seed))
    return twin.eval()


def random_head(head: nn.Module, model: Encoder, seed: int) -> nn.Module:
    """Return a copy of a head over the vocabulary with new random weights, and with zeros as its bias.

    Args:
        head: the head; it is not changed.
        model: the encoder that it belongs to.
        seed: decides the new weights.
    """
    twin = copy.deepcopy(head)
    with torch.no_grad():
        init_weights(twin, model.config.initializer_range, torch.Generator().manual_seed(seed))
        for name, parameter in twin.named_parameters(recurse=False):
            if name == "bias":  # one for each word, no part of a linear map
                parameter.zero_()
    return twin.eval()
