"""Heads of language models: from states to logits over the vocabulary, or to next-sentence logits.

The heads of BERT follow Devlin et al. 2019, section 3.1 (`run_pretraining.py` of google-research/bert). The module also
has the heads of GPT-2 and ELMo.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.encoder_base import Encoder, EncoderConfig
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.transformer import ACTIVATIONS, zero_embedding
from wordworth.models.transformer_config import TransformerConfig


def word_table(model: Encoder) -> Tensor:
    """Return the token embedding matrix of a model, [vocabulary, embedding width], to which output layers are tied.

    Raises:
        BadInput: the model reads characters, and has no such matrix.
    """
    word = getattr(model.embedding, "word", None)
    if not isinstance(word, nn.Embedding):
        raise BadInput("this model has no word table to predict from", mend="use a model that reads word pieces")
    return word.weight


class MaskedLanguageModelHead(nn.Module):
    """BERT's head from states of masked positions to logits; the output layer is tied to the token embedding matrix.

    Args:
        config: config of the encoder.
        biases: whether the linear map and the norm have biases; the logits always have one.
    """

    def __init__(self, config: TransformerConfig, *, biases: bool = True) -> None:
        super().__init__()
        width = getattr(config, "embedding_size", None) or config.hidden_size
        self.dense = nn.Linear(config.hidden_size, width, bias=biases)
        self.activation = ACTIVATIONS[config.activation]
        self.norm = LayerNorm(width, config.norm_eps, bias=biases)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Compute logits [positions, vocabulary].

        Args:
            states: [positions, hidden_size], of the masked positions only, since a softmax elsewhere would be wasted.
            words: [vocabulary, embedding width], the token embedding matrix.
        """
        return functional.linear(self.norm(self.activation(self.dense(states))), words, self.bias)


class NextSentenceHead(nn.Linear):
    """Head from the pooled vector to two logits: 0, the second text follows the first; 1, it was drawn at random."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config.hidden_size, 2)

    @classmethod
    def of(cls, model: Encoder) -> NextSentenceHead:
        """Build BERT's next-sentence head for an encoder.

        Raises:
            BadInput: the model has no pooler.
        """
        if not model.config.has_pooler:
            raise BadInput("next sentence prediction needs a pooler", mend="build the model with pooler=True")
        return cls(model.config)


class TiedHead(nn.Module):
    """The output layer of GPT-2, which has no weights of its own: states times the token embedding matrix."""

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Compute logits, [positions, vocabulary].

        Args:
            states: [positions, hidden_size].
            words: [vocabulary, hidden_size], the token embedding matrix.
        """
        return functional.linear(states, words)


class BidirectionalHead(nn.Module):
    """ELMo's head: one softmax layer, with the same weights for both directions (Peters et al. 2018, section 3.1).

    Args:
        vocab_size: number of rows of the softmax matrix.
        projection_size: width of one direction's state.
        tied: whether the softmax uses the token embedding matrix; if not, the head has a matrix of its own.
    """

    def __init__(self, vocab_size: int, projection_size: int, *, tied: bool) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.output = None if tied else zero_embedding(vocab_size, projection_size)

    @classmethod
    def of(cls, model: Encoder) -> BidirectionalHead:
        """Build ELMo's head for an encoder.

        The head is tied to the token embedding matrix if the matrix is as wide as one direction's state.
        """
        if not hasattr(model.embedding, "word"):
            return cls(model.config.vocab_size, model.width // 2, tied=False)
        words = word_table(model)
        return cls(len(words), model.width // 2, tied=words.shape[1] == model.width // 2)

    def table(self, model: Encoder) -> Tensor:
        """Return the softmax matrix, [vocabulary, projection_size]: the head's own or, if tied, the token embedding."""
        return word_table(model) if self.output is None else self.output.weight

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Compute logits, [positions, vocabulary], from the states of one direction.

        Args:
            states: [positions, projection_size].
            words: [vocabulary, projection_size], the token embedding matrix, which a tied head uses.
        """
        return functional.linear(states, words if self.output is None else self.output.weight, self.bias)
