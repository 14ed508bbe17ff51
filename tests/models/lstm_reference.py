"""The LSTM token by token, which specifies `BidirectionalLSTM`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from wordworth.models.lstm import Clips, Direction


def lstm_reference(x: Sequence[Tensor], direction: Direction, clips: Clips) -> Tensor:
    """Compute the states of one sequence, [length, projection_size], token by token."""
    width, projection = direction.recurrent.in_features, direction.projection or nn.Identity()
    state, cell, states = torch.zeros(width), torch.zeros(direction.input.out_features // 4), []
    for vector in x:
        gates = direction.input(vector) + direction.recurrent(state) + direction.forget_offset
        input_gate, forget_gate, candidate, output_gate = gates.chunk(4)
        cell = forget_gate.sigmoid() * cell + input_gate.sigmoid() * candidate.tanh()
        cell = cell if clips.cell is None else cell.clamp(-clips.cell, clips.cell)
        state = projection(output_gate.sigmoid() * cell.tanh())
        state = state if clips.projection is None else state.clamp(-clips.projection, clips.projection)
        states.append(state)
    return torch.stack(states) if states else torch.zeros(0, width)
