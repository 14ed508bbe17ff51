"""A BiLSTM between an encoder and the layers above it, which lets a left-to-right model see both sides.

Devlin et al. 2019, section 5.1 and table 5: "a randomly initialized BiLSTM on top", trained with the encoder.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder


class BiLstm(nn.Module):
    """A bidirectional LSTM from packed states to states of the same width, half of it for each direction.

    The paper gives no size: there are as many cells as the encoder is wide, projected to half its width per direction.

    Args:
        width: of the encoder's states.
        generator: draws the first weights: uniform within +-1/sqrt(width), as torch has it; biases are 0.
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
        """Return states of the same shape as `states`, [tokens, width]; sequence i begins at token starts[i]."""
        order = PackedOrder.of(starts)
        left, right = self.pair(states[order.walk], order)
        return torch.cat([left[order.back[0]], right[order.back[1]]], dim=-1)
