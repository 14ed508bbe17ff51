"""An encoder's body under a new output layer, ready to be fine-tuned (Devlin et al. 2019, section 3.2)."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.body import Body
from wordworth.models.pooling import SentencePooling, pool
from wordworth.models.transformer import Transformer
from wordworth.training.dropout import dropped


class Classifier(nn.Module):
    """Texts, or the words of texts, to scores.

    The tables of the embedding are shared with the encoder and stay as they are: half of a small encoder's numbers,
    most of them rows of pieces that a few thousand texts never show. Body and output layer learn. The body runs without
    dropout, whose draws come from the whole process; the pooled vector has it, from a generator of its own.

    Args:
        model: the encoder; it is not changed.
        outputs: scores of each text or word.
        pooling: how a text's states become one vector; None gives every token's state a score (tagging).
        generator: of the output layer's first weights, normal with the deviation that the encoder began with.
    """

    def __init__(
        self, model: Transformer, outputs: int, pooling: SentencePooling | None, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.pooling = pooling
        self._shared = (model.embedding,)  # in a tuple: no part of this module's weights
        self.body: Body = copy.deepcopy(model.body).float().eval().requires_grad_(requires_grad=True)
        self.output = nn.Linear(model.width, outputs, device="meta").to_empty(device="cpu")
        nn.init.normal_(self.output.weight, std=model.config.initializer_range, generator=generator)
        nn.init.zeros_(self.output.bias)

    def forward(self, batch: Batch, generator: torch.Generator | None = None, dropout: float = 0.0) -> Tensor:
        """[sequences, outputs], or [tokens, outputs] without pooling; dropout only with a generator."""
        with torch.no_grad():
            embedded = self._shared[0](batch).float()
        states = self.body(embedded, batch.starts)
        vectors = states if self.pooling is None else pool(states, batch.starts, self.pooling)
        scores: Tensor = self.output(dropped(vectors, dropout, generator))
        return scores
