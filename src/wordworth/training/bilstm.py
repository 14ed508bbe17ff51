"""A BiLSTM between an encoder and what is put on it: it lets a model that read from left to right see both sides.

Devlin et al. 2019, section 5.1 and table 5: "a randomly initialized BiLSTM on top", learned with the encoder.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder


class BiLstm(nn.Module):
    """Packed states to states of the same width: half of each knows what is left of it, half what is right.

    The paper gives no size: cells are as many as the encoder is wide, brought to half of it for each direction.

    Args:
        width: of the encoder's states.
        generator: of the first weights: uniform within one over the root of the cells, as torch has it, biases 0.
    """

    def __init__(self, width: int, generator: torch.Generator) -> None:
        super().__init__()
        with torch.device("meta"):
            pair = BidirectionalLSTM(width, width, width // 2, Clips())
        self.pair: BidirectionalLSTM = pair.to_empty(device="cpu")
        bound = width**-0.5
        for name, parameter in self.pair.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            else:
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def forward(self, states: Tensor, starts: Tensor) -> Tensor:
        """[tokens, width] to the same shape."""
        order = PackedOrder.of(starts)
        left, right = self.pair(states[order.walk], order)
        return torch.cat([left[order.back[0]], right[order.back[1]]], dim=-1)
