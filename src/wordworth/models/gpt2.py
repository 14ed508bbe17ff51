"""GPT-2 (Radford et al. 2019): BERT's body with pre-norm and causal attention; no norm or segments in the embedding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.transformer import Transformer, TransformerConfig
from wordworth.models.transformer_layers import Activation, zero_embedding


@dataclass(frozen=True, kw_only=True, slots=True)
class Gpt2Config(TransformerConfig):
    """A GPT-2 of any size; the defaults are the smallest (124M)."""

    vocab_size: int = 50_257
    max_positions: int = 1024
    activation: Activation = "gelu_tanh"
    norm: Literal["post", "pre"] = "pre"
    norm_eps: float = 1e-5
    causal: bool = True


class Gpt2Embedding(nn.Module):
    """Embedding of byte-level pieces: word + position."""

    def __init__(self, config: Gpt2Config) -> None:
        super().__init__()
        self.word = zero_embedding(config.vocab_size, config.hidden_size)
        self.position = zero_embedding(config.max_positions, config.hidden_size)
        self.dropout = Dropout(config.dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Embed a batch: [tokens, hidden_size]."""
        embedded: Tensor = self.dropout(self.word(batch.ids) + self.position(batch.positions))
        return embedded


def gpt2(config: Gpt2Config) -> Transformer:
    """Build the transformer of GPT-2, without its language model head (which is tied to the word table)."""
    return Transformer(config, Gpt2Embedding(config))
