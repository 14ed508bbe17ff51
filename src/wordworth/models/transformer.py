"""An encoder has two parts: an *embedding* (from ids to vectors) and a *body* (layers over packed vectors)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.encoder_module import EncoderBody, EncoderConfig
from wordworth.models.taps import Taps, passing
from wordworth.models.transformer_layers import BodyConfig, TransformerStack


@dataclass(frozen=True, kw_only=True, slots=True)
class TransformerConfig(BodyConfig):
    """A body with a vocabulary.

    Attributes:
        vocab_size: rows of the word table.
        max_positions: rows of the position table.
        first_position: the row of a sequence's first token: 0, in RoBERTa one past the padding id.
    """

    vocab_size: int = 30_522
    max_positions: int = 512
    first_position: int = 0

    @property
    def max_length(self) -> int:
        """The longest sequence, special tokens included."""
        return self.max_positions - self.first_position

    @property
    def position_limit(self) -> int:
        """The most tokens of a sequence that the weights allow."""
        return self.max_length


class Encoder(nn.Module):
    """An embedding and a body of any kind and, if the checkpoint has one, BERT's pooler.

    Args:
        config: sizes of the model.
        embedding: maps a batch to vectors [tokens, d].
        body: maps these vectors to states.
        pooler: whether the model has a tanh layer over the first token.
    """

    def __init__(self, config: EncoderConfig, embedding: nn.Module, body: EncoderBody, *, pooler: bool = False) -> None:
        super().__init__()
        self.config = config
        self.embedding = embedding
        self.body = body
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size) if pooler else None

    @property
    def depth(self) -> int:
        """Number of layers."""
        return self.config.num_layers

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    @property
    def width(self) -> int:
        """Width of a hidden state."""
        return self.config.hidden_size

    def states(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Iterator[Tensor]:
        """Yield every hidden state, [tokens, width] each: the input layer, then layers 1 to depth.

        Args:
            batch: the sequences.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head; 0 removes a head, and
                gradients flow to it. None leaves all as they are.

        Raises:
            NotFound: a tap matches no value of this model.
            BadInput: `head_scale` does not fit the layers, or they have no attention heads.
        """
        if taps is not None:
            taps.check(self.tap_names())
        embedded = passing(taps, "embedding", self.embedding(batch))
        yield from self.body.states(embedded, batch.starts, taps, head_scale)

    def forward(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Tensor:
        """The last hidden state, [tokens, width], with taps and head_scale as in `states`."""
        return deque(self.states(batch, taps, head_scale), maxlen=1)[0]

    def pool(self, hidden: Tensor, starts: Tensor, taps: Taps | None = None) -> Tensor:
        """Apply BERT's pooler: tanh of a linear map of each first token, [sequences, width].

        Raises:
            LookupError: the model has no pooler.
        """
        if self.pooler is None:
            raise LookupError("this model has no pooler")
        return passing(taps, "pooler", torch.tanh(self.pooler(hidden[starts[:-1].long()])))

    def tap_names(self) -> list[str]:
        """Names of all inner values, for `Taps`."""
        return ["embedding", *self.body.tap_names(), *(["pooler"] if self.pooler is not None else [])]


class Transformer(Encoder):
    """An encoder whose body is a stack of attention layers."""

    config: TransformerConfig
    body: TransformerStack

    def __init__(self, config: TransformerConfig, embedding: nn.Module, *, pooler: bool = False) -> None:
        super().__init__(config, embedding, TransformerStack(config), pooler=pooler)
