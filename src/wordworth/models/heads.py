"""BERT's two pretraining heads (Devlin et al. 2019, section 3.1; `run_pretraining.py` of google-research/bert)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.bert import BertConfig
from wordworth.models.body import ACTIVATIONS


class MaskedLanguageModelHead(nn.Module):
    """From states of masked places to logits over the vocabulary; the last map is the word table again (tied)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = ACTIVATIONS[config.activation]
        self.norm = nn.LayerNorm(config.hidden_size, config.norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Logits [places, vocabulary].

        Args:
            states: [places, hidden_size], gathered at the masked places: a full softmax elsewhere is wasted.
            words: [vocabulary, hidden_size], the embedding's word table.
        """
        return functional.linear(self.norm(self.activation(self.dense(states))), words, self.bias)


class NextSentenceHead(nn.Linear):
    """From the pooled vector to two logits: 0, the second text follows the first; 1, it was drawn at random."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config.hidden_size, 2)


def masked_loss(losses: Tensor, weights: Tensor) -> Tensor:
    """The mean cross-entropy over masked places, 0 where there are none.

    Args:
        losses: [places], one cross-entropy each.
        weights: [places], 1 for a masked place, 0 for filling.
    """
    return (losses * weights).sum() / (weights.sum() + 1e-5)
