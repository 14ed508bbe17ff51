"""The heads of language models: from states to logits over the vocabulary, or to an answer about two texts.

Devlin et al. 2019, section 3.1 (`run_pretraining.py` of google-research/bert); GPT-2 and ELMo beside them.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.bert import BertConfig
from wordworth.models.encoder_module import EncoderModule
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.transformer_layers import ACTIVATIONS, BodyConfig, zero_embedding


def word_table(model: EncoderModule) -> Tensor:
    """[vocabulary, embedding width]: the embedding's table, to which output layers are tied.

    Raises:
        BadInput: the embedding has none, as it reads characters.
    """
    word = getattr(model.embedding, "word", None)
    if not isinstance(word, nn.Embedding):
        raise BadInput("this model has no table of words to predict from", mend="use one whose embedding reads pieces")
    return word.weight


class MaskedLanguageModelHead(nn.Module):
    """From states of masked places to logits over the vocabulary; the last map is the word table again (tied)."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.embedding_size or config.hidden_size
        self.dense = nn.Linear(config.hidden_size, width)
        self.activation = ACTIVATIONS[config.activation]
        self.norm = LayerNorm(width, config.norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    @classmethod
    def of(cls, model: EncoderModule) -> MaskedLanguageModelHead:
        """A head for this encoder.

        Raises:
            BadInput: it is no relative of BERT.
        """
        if not isinstance(model.config, BertConfig):
            raise BadInput("only BERT and its relatives have a masked language model's head", mend="use another model")
        return cls(model.config)

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Logits [places, vocabulary].

        Args:
            states: [places, hidden_size], gathered at the masked places: a full softmax elsewhere is wasted.
            words: [vocabulary, hidden_size], the embedding's word table.
        """
        return functional.linear(self.norm(self.activation(self.dense(states))), words, self.bias)


class NextSentenceHead(nn.Linear):
    """From the pooled vector to two logits: 0, the second text follows the first; 1, it was drawn at random."""

    def __init__(self, config: BodyConfig) -> None:
        super().__init__(config.hidden_size, 2)

    @classmethod
    def of(cls, model: EncoderModule) -> NextSentenceHead:
        """A head for this encoder.

        Raises:
            BadInput: it has no pooler to stand on.
        """
        if not (isinstance(model.config, BertConfig) and model.config.pooler):
            raise BadInput("next sentence prediction needs a pooler", mend="build the model with pooler=True")
        return cls(model.config)


class TiedHead(nn.Module):
    """The word table again and nothing else: GPT-2's output, without weights of its own."""

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Logits [places, vocabulary] of states [places, hidden_size] and the word table [vocabulary, hidden_size]."""
        return functional.linear(states, words)


class BidirectionalHead(nn.Module):
    """One softmax for the states of either direction (Peters et al. 2018, section 3.1: its parameters are shared).

    Args:
        vocab_size: rows of the softmax.
        projection_size: width of one direction's state.
        tied: whether the embedding's word table is the softmax's too; else the head has a table of its own.
    """

    def __init__(self, vocab_size: int, projection_size: int, *, tied: bool) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.output = None if tied else zero_embedding(vocab_size, projection_size)

    @classmethod
    def of(cls, model: EncoderModule) -> BidirectionalHead:
        """A head for this encoder, tied to its word table where it has one, as wide as one direction's state."""
        if not hasattr(model.embedding, "word"):
            return cls(model.config.vocab_size, model.width // 2, tied=False)
        words = word_table(model)
        return cls(len(words), model.width // 2, tied=words.shape[1] == model.width // 2)

    def table(self, model: EncoderModule) -> Tensor:
        """[vocabulary, projection_size]: its own, or the model's where they are tied."""
        return word_table(model) if self.output is None else self.output.weight

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Logits [places, vocabulary] of one direction's states [places, projection_size]."""
        return functional.linear(states, words if self.output is None else self.output.weight, self.bias)
