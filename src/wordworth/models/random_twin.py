"""An encoder of the same shape with random weights: what a finding owes to the architecture alone."""

from __future__ import annotations

import copy

import torch

from wordworth.models.encoder import Encoder
from wordworth.models.transformer import init_weights


def random_twin(model: Encoder, seed: int) -> Encoder:
    """Return a copy of an encoder whose weights are drawn anew, as before pretraining.

    Args:
        model: the encoder; it is not changed.
        seed: of the draw.
    """
    twin = copy.deepcopy(model)
    with torch.no_grad():
        init_weights(twin, model.config.initializer_range, torch.Generator().manual_seed(seed))
    return twin.eval()
