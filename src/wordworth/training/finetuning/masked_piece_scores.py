"""A masked language model's head as a token scorer: the log-probability of the piece that each mask hides."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch

HIDDEN_PIECE = "hidden_piece"
"""The feature of tokens that holds the piece that a mask hides, int64; -1 for tokens that hide none."""


class PieceScores(nn.Module):
    """An output layer that scores the pieces behind masks by the model's head over its vocabulary.

    Args:
        head: maps states [positions, width] and the token embedding matrix to logits [positions, vocabulary]; it is
            copied, and the copy is trained.
    """

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = copy.deepcopy(head).float().requires_grad_(requires_grad=True)

    def forward(self, states: Tensor, batch: Batch, embedding: Tensor) -> Tensor:
        """Return the log-probability of the piece behind each mask, float32 [tokens, 1]; 0 for other tokens.

        Args:
            states: the states of the encoder's last layer, [tokens, width].
            batch: the batch that the encoder read; its feature `HIDDEN_PIECE` holds the id of the piece behind each
                mask, and -1 for other tokens.
            embedding: [vocabulary, embedding width], the token embedding matrix.
        """
        hidden = batch.features[HIDDEN_PIECE]
        positions = (hidden >= 0).nonzero()[:, 0]
        logs = self.head(states[positions].float(), embedding.float()).log_softmax(-1)
        scores = torch.zeros(len(hidden), 1, dtype=torch.float32, device=states.device)
        return scores.index_put((positions,), logs.gather(1, hidden[positions][:, None]))
