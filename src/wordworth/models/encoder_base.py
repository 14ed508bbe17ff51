"""An encoder has two parts: an *embedding* (from ids to vectors) and a *body* (layers over packed vectors)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, Self

import torch
from torch import Tensor, nn

from wordworth.models.activation_taps import Taps, passing
from wordworth.models.batch import Batch

Reads = Literal["masked", "causal", "bidirectional"]
LastLayer = Literal["after_final_norm", "before_final_norm"]


class EncoderConfig:
    """Base class of the configs of encoders.

    A family of models overrides the properties whose default is wrong for its models.
    """

    __slots__ = ()
    if TYPE_CHECKING:  # a dataclass would take a property of its base for the default of its field

        @property
        def vocab_size(self) -> int:
            """Number of rows of the embedding's table, whose rows are pieces, words or characters."""

        @property
        def hidden_size(self) -> int:
            """Width of a hidden state."""

        @property
        def num_layers(self) -> int:
            """Number of layers above the input layer."""

        @property
        def max_length(self) -> int:
            """Largest number of tokens of a sequence that is read at once, special tokens included."""

        @property
        def initializer_range(self) -> float:
            """Standard deviation of newly initialised matrices."""

    @property
    def model_type(self) -> str:
        """The `model_type` under which a new model of this config is saved, and by which its `Family` is looked up."""
        raise NotImplementedError

    @property
    def architecture(self) -> str | None:
        """Name of the architecture by which `pretrain` builds a model with this config; None if `pretrain` cannot."""
        return self.model_type

    @property
    def causal(self) -> bool:
        """Whether a token sees only itself and the tokens before it."""
        return False

    @property
    def reads(self) -> Reads:
        """How the language model reads a text: `masked`, `causal`, or `bidirectional` (two separate directions)."""
        return "causal" if self.causal else "masked"

    @property
    def has_attention(self) -> bool:
        """Whether the model has attention: each layer compares every pair of tokens."""
        return False

    @property
    def has_segments(self) -> bool:
        """Whether segment embeddings tell the first text of a pair from the second."""
        return False

    @property
    def has_pooler(self) -> bool:
        """Whether the model has BERT's tanh layer over the first token."""
        return False

    @property
    def position_limit(self) -> int | None:
        """The most tokens of a sequence that the weights allow; None without a limit."""
        return None

    @property
    def first_position(self) -> int:
        """Row of the position table that a sequence's first token takes; later tokens take the rows after it."""
        return 0

    def with_dropout(self, rate: float) -> Self:  # noqa: ARG002 - for configs that have a rate
        """Return a config with this rate of dropout in training; unchanged if models of this kind have no dropout."""
        return self

    def with_pooler(self, *, has_pooler: bool) -> Self:  # noqa: ARG002 - for configs that may have one
        """Return a config with or without a pooler; unchanged if models of this kind cannot have one."""
        return self

    def with_last_layer(self, last_layer: LastLayer) -> Self:  # noqa: ARG002 - for those with a final norm
        """Return a config whose last hidden state is taken before or after the final norm; unchanged without a norm."""
        return self


class EncoderBody(nn.Module, ABC):
    """The layers of an encoder above its embedding, which read the packed vectors of a batch.

    Attributes:
        features: names of the features of a batch (`Batch.features`) that the layers read. If the layers read any,
            `states` has the additional argument `features`, a mapping from name to values.
    """

    features: tuple[str, ...] = ()

    @abstractmethod
    def states(
        self, x: Tensor, starts: Tensor, taps: Taps | None = None, head_scale: Tensor | None = None
    ) -> Iterator[Tensor]:
        """Yield every hidden state, [tokens, hidden_size] each: the input layer's, then each layer's.

        States are computed lazily, so that a caller who needs one layer has only one in memory.

        Args:
            x: [tokens, hidden_size], the embedded tokens.
            starts: int [sequences + 1]; sequence i is the tokens `starts[i]` to `starts[i + 1]`.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.

        Raises:
            BadInput: `head_scale` does not fit the layers, or the layers have no attention heads.
        """

    @abstractmethod
    def tap_names(self) -> list[str]:
        """Return the names of all inner values that `Taps` can read or change."""

    def of_batch(
        self, x: Tensor, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None
    ) -> Iterator[Tensor]:
        """Call `states` with the features of a batch; yield every hidden state, [tokens, hidden_size] each.

        Args:
            x: [tokens, hidden_size], the embedded tokens.
            batch: the batch, from which the sequences and the features are taken.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        read: dict[str, Any] = {"features": batch.features} if self.features else {}
        return self.states(x, batch.starts, taps, head_scale, **read)

    def forward(self, x: Tensor, starts: Tensor, taps: Taps | None = None, head_scale: Tensor | None = None) -> Tensor:
        """Return the last hidden state, [tokens, hidden_size], of a batch without features.

        Args:
            x: [tokens, hidden_size], the embedded tokens.
            starts: int [sequences + 1]; sequence i is the tokens `starts[i]` to `starts[i + 1]`.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        return deque(self.states(x, starts, taps, head_scale), maxlen=1)[0]


class Encoder(nn.Module):
    """An embedding and a body of any kind and, if the checkpoint has one, BERT's pooler.

    Args:
        config: config of the model.
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

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features of a batch that the embedding or the layers read."""
        return (*getattr(self.embedding, "features", ()), *self.body.features)

    def states(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Iterator[Tensor]:
        """Yield every hidden state, [tokens, width] each: the input layer, then layers 1 to depth.

        Args:
            batch: the sequences.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head; 0 removes a head, and gradients
                flow to it. None leaves all outputs unchanged.

        Raises:
            NotFound: a tap matches no value of this model.
            BadInput: `head_scale` does not fit the layers, or the layers have no attention heads.
        """
        if taps is not None:
            taps.check(self.tap_names())
        embedded = passing(taps, "embedding", self.embedding(batch))
        yield from self.body.of_batch(embedded, batch, taps, head_scale)

    def forward(self, batch: Batch, taps: Taps | None = None, head_scale: Tensor | None = None) -> Tensor:
        """Return the last hidden state of a batch, [tokens, width].

        Args:
            batch: the packed sequences.
            taps: inner values of the layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        return deque(self.states(batch, taps, head_scale), maxlen=1)[0]

    def pool(self, hidden: Tensor, starts: Tensor, taps: Taps | None = None) -> Tensor:
        """Apply BERT's pooler to each sequence: tanh of a linear map of the state of its first token.

        Args:
            hidden: [tokens, width], the last hidden states.
            starts: int [sequences + 1], where each sequence starts.
            taps: inner values to read or change.

        Returns:
            [sequences, width].

        Raises:
            LookupError: the model has no pooler.
        """
        if self.pooler is None:
            raise LookupError("this model has no pooler")
        return passing(taps, "pooler", torch.tanh(self.pooler(hidden[starts[:-1].long()])))

    def tap_names(self) -> list[str]:
        """Return the names of all inner values that `Taps` can read or change."""
        return ["embedding", *self.body.tap_names(), *(["pooler"] if self.pooler is not None else [])]
