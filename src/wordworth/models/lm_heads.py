"""Heads of language models: from states to logits over the vocabulary, or to next-sentence logits.

Devlin et al. 2019, section 3.1 (`run_pretraining.py` of google-research/bert); also those of GPT-2 and ELMo.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.encoder import Encoder, EncoderConfig
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.transformer import ACTIVATIONS, TransformerConfig, zero_embedding


def word_table(model: Encoder) -> Tensor:
    """Return the embedding's word table [vocabulary, embedding width], to which output layers are tied.

    Raises:
        BadInput: the embedding has no word table, since the model reads characters.
    """
    word = getattr(model.embedding, "word", None)
    if not isinstance(word, nn.Embedding):
        raise BadInput("this model has no word table to predict from", mend="use a model that reads word pieces")
    return word.weight


class MaskedLanguageModelHead(nn.Module):
    """BERT's head from states of masked positions to logits over the vocabulary; its output layer is the word table."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        width = getattr(config, "embedding_size", None) or config.hidden_size
        self.dense = nn.Linear(config.hidden_size, width)
        self.activation = ACTIVATIONS[config.activation]
        self.norm = LayerNorm(width, config.norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Compute logits [positions, vocabulary].

        Args:
            states: [positions, hidden_size], of the masked positions only, since a softmax elsewhere would be wasted.
            words: [vocabulary, embedding width], the embedding's word table.
        """
        return functional.linear(self.norm(self.activation(self.dense(states))), words, self.bias)


class NextSentenceHead(nn.Linear):
    """Head from the pooled vector to two logits: 0, the second text follows the first; 1, it was drawn at random."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config.hidden_size, 2)

    @classmethod
    def of(cls, model: Encoder) -> NextSentenceHead:
        """Build a head for this encoder.

        Raises:
            BadInput: the model has no pooler.
        """
        if not model.config.has_pooler:
            raise BadInput("next sentence prediction needs a pooler", mend="build the model with pooler=True")
        return cls(model.config)


class TiedHead(nn.Module):
    """Output layer of GPT-2: the tied word table, without weights of its own."""

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Compute logits [positions, vocabulary] from states [positions, hidden_size] and the word table."""
        return functional.linear(states, words)


class BidirectionalHead(nn.Module):
    """ELMo's head: one softmax shared by both directions (Peters et al. 2018, section 3.1: its parameters are tied).

    Args:
        vocab_size: rows of the softmax.
        projection_size: width of one direction's state.
        tied: whether the softmax uses the embedding's word table; if not, the head has a table of its own.
    """

    def __init__(self, vocab_size: int, projection_size: int, *, tied: bool) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.output = None if tied else zero_embedding(vocab_size, projection_size)

    @classmethod
    def of(cls, model: Encoder) -> BidirectionalHead:
        """Build a head for this encoder, tied to the word table if that table is as wide as one direction's state."""
        if not hasattr(model.embedding, "word"):
            return cls(model.config.vocab_size, model.width // 2, tied=False)
        words = word_table(model)
        return cls(len(words), model.width // 2, tied=words.shape[1] == model.width // 2)

    def table(self, model: Encoder) -> Tensor:
        """Return the softmax table [vocabulary, projection_size]: the head's own, or if tied the model's word table."""
        return word_table(model) if self.output is None else self.output.weight

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Compute logits [positions, vocabulary] from one direction's states [positions, projection_size]."""
        return functional.linear(states, words if self.output is None else self.output.weight, self.bias)
