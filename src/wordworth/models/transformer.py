"""Transformers: encoders whose body is a stack of attention layers over packed vectors.

The layers follow Vaswani et al. 2017 (arXiv 1706.03762), section 3, with post-norm as in that paper and in BERT, or
with pre-norm as in GPT-2. `attention_positions` has what attention knows of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps, inside, passing
from wordworth.models.attention import attend
from wordworth.models.attention_positions import (
    NO_POSITIONS,
    AttentionPositions,
    RelativePositionBias,
    bias_of_heads,
    rotary_angles,
    rotate,
    window_bias,
)
from wordworth.models.dropout import Dropout
from wordworth.models.encoder_base import Encoder, EncoderBody
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.length_buckets import PackedLayout
from wordworth.models.transformer_config import Activation, TransformerConfig

ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {
    "gelu_erf": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "relu": functional.relu,
}


class Attention(nn.Module):
    """Self-attention with one linear map for queries, keys and values (in that order along its rows).

    Args:
        config: config of the model.
        heads: number of heads of this layer.
    """

    def __init__(self, config: TransformerConfig, heads: int) -> None:
        super().__init__()
        self.config = config
        self.heads = heads
        self.qkv = nn.Linear(config.hidden_size, 3 * heads * config.head_size, bias=config.biases)
        self.output = nn.Linear(heads * config.head_size, config.hidden_size, bias=config.biases)
        self.dropout = Dropout(config.attention_dropout)
        self.attend: Callable[..., Tensor] = attend

    def forward(
        self,
        x: Tensor,
        sequences: PackedLayout,
        positions: AttentionPositions = NO_POSITIONS,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> Tensor:
        """Compute multi-head self-attention within each sequence: [tokens, hidden_size] to the same shape.

        Args:
            x: [tokens, hidden_size].
            sequences: layout of the batch.
            positions: what the attention knows of the tokens' positions.
            taps: inner values to read or change.
            head_scale: [heads], a factor for each head's output, or None.
        """
        parts = self.qkv(x).view(-1, 3, self.heads, self.config.head_size).unbind(1)
        q, k, v = (passing(taps, name, part) for name, part in zip(("query", "key", "value"), parts, strict=True))
        if (angles := positions.angles) is not None:
            q, k = (passing(taps, f"rotated_{name}", rotate(part, angles)) for name, part in (("query", q), ("key", k)))
        options = {"causal": self.config.causal, "taps": taps, "head_scale": head_scale, "dropout": self.dropout}
        heads = self.attend(q, k, v, sequences, bias=positions.bias, **options)
        return passing(taps, "output", self.output(heads.flatten(1)))


class Mlp(nn.Module):
    """The feed-forward network of a layer: two linear maps with an activation between them.

    In a gated network, the first rows of the first map compute the gate.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.gated = config.gated
        self.up = nn.Linear(config.hidden_size, config.intermediate_size * (1 + config.gated), bias=config.biases)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size, bias=config.biases)
        self.activation = ACTIVATIONS[config.activation]

    def forward(self, x: Tensor, taps: Taps | None = None) -> Tensor:
        """Apply the two linear maps with the activation between them to each token's vector.

        Args:
            x: [tokens, hidden_size].
            taps: inner values to read or change; None for no taps.

        Returns:
            [tokens, hidden_size].
        """
        hidden = passing(taps, "hidden", self._hidden(self.up(x)))
        return passing(taps, "output", self.down(hidden))

    def _hidden(self, projected: Tensor) -> Tensor:
        if not self.gated:
            return self.activation(projected)
        gate, values = projected.chunk(2, dim=-1)
        return self.activation(gate) * values


class Layer(nn.Module):
    """Attention, then the mlp, each with a residual connection.

    Args:
        config: config of the model.
        heads: number of heads of this layer.
        number: number of this layer in its model, from 0; it decides which norm and which window the layer has.

    Attributes:
        is_local: whether a token sees only the tokens in a window around it.
    """

    def __init__(self, config: TransformerConfig, heads: int, number: int = 0) -> None:
        super().__init__()
        self.post = config.norm == "post"
        self.is_local = config.is_local(number)
        self.attention = Attention(config, heads)
        self.attention_norm = layer_norm(config) if number or config.has_first_norm else nn.Identity()
        self.mlp = Mlp(config)
        self.mlp_norm = layer_norm(config)
        self.dropout = Dropout(config.dropout)

    def forward(
        self,
        x: Tensor,
        sequences: PackedLayout,
        positions: AttentionPositions = NO_POSITIONS,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> Tensor:
        """Apply the layer: [tokens, hidden_size] to the same shape.

        Args:
            x: [tokens, hidden_size].
            sequences: layout of the batch.
            positions: what the attention knows of the tokens' positions.
            taps: inner values to read or change.
            head_scale: [heads], a factor for each head's output, or None.
        """
        mlp_taps, rest = inside(taps, "mlp"), (sequences, positions, inside(taps, "attention"), head_scale)
        if self.post:
            x = self.attention_norm(self.dropout.added(x, self.attention(x, *rest)))
            x = self.mlp_norm(self.dropout.added(x, self.mlp(x, mlp_taps)))
        else:
            x = self.dropout.added(x, self.attention(self.attention_norm(x), *rest))
            x = self.dropout.added(x, self.mlp(self.mlp_norm(x), mlp_taps))
        return passing(taps, "output", x)


class TransformerStack(EncoderBody):
    """A stack of attention layers over packed vectors."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(
            Layer(config, len(config.kept_heads(number)), number) for number in range(config.num_layers)
        )
        buckets = config.relative_buckets
        self.relative_bias = RelativePositionBias(buckets, config.num_heads) if buckets else None
        self.final_norm = layer_norm(config) if config.norm == "pre" else None

    def states(
        self, x: Tensor, starts: Tensor, taps: Taps | None = None, head_scale: Tensor | None = None
    ) -> Iterator[Tensor]:
        """Yield the input, then each layer's output: num_layers + 1 tensors [tokens, hidden_size].

        Args:
            x: [tokens, hidden_size], the embedded tokens.
            starts: int [sequences + 1]; sequence i is the tokens `starts[i]` to `starts[i + 1]`.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None; the factors of pruned
                heads are ignored.

        Raises:
            BadInput: `head_scale` has another shape.
        """
        scales = self._head_scales(head_scale)
        positions = self.positions_by_layer(starts)
        sequences = PackedLayout(starts)
        yield x
        for number, (layer, scale) in enumerate(zip(self.layers, scales, strict=True)):
            x = layer(x, sequences, positions[number], inside(taps, f"layers.{number}"), scale)
            yield x if number < len(self.layers) - 1 else self._finish(x, taps)

    def positions_by_layer(self, starts: Tensor) -> list[AttentionPositions]:
        """Return what the attention of each layer knows of the positions of a batch's tokens.

        Args:
            starts: int [sequences + 1], where sequences start.
        """
        config = self.config
        angles = cache(lambda base: rotary_angles(starts, config.head_size, base))
        window = cache(lambda length: window_bias(length, config.window, starts.device))
        relative = None if self.relative_bias is None else cache(self.relative_bias)
        return [
            AttentionPositions(
                angles(config.local_rotary_base if layer.is_local else config.rotary_base)
                if config.positions == "rotary"
                else None,
                window if layer.is_local else relative and bias_of_heads(relative, config.kept_heads(number)),
            )
            for number, layer in enumerate(self.layers)
        ]

    def upper(self, first: int) -> TransformerStack:
        """Return a stack of the layers from `first` on (0 is the lowest), which share their weights with this stack.

        The input of the new stack is the output of layer `first` - 1.
        """
        heads = self.config.pruned_heads[first:]
        with torch.device("meta"):
            made = TransformerStack(replace(self.config, num_layers=len(self.layers) - first, pruned_heads=heads))
        made.layers, made.final_norm = self.layers[first:], self.final_norm
        made.relative_bias = self.relative_bias
        return made.train(self.training)

    def tap_names(self) -> list[str]:
        """Return the names of all inner values that `Taps` can read or change."""
        rotated = ("rotated_query", "rotated_key") if self.config.positions == "rotary" else ()
        attention = ("query", "key", "value", *rotated, "probabilities", "heads", "output")
        inner = (*(f"attention.{name}" for name in attention), "mlp.hidden", "mlp.output", "output")
        names = [f"layers.{number}.{name}" for number in range(len(self.layers)) for name in inner]
        return [*names, "final_norm"] if self._finishes else names

    def _head_scales(self, head_scale: Tensor | None) -> Sequence[Tensor | None]:
        if head_scale is None:
            return [None] * len(self.layers)
        expected = (len(self.layers), self.config.num_heads)
        if head_scale.shape != expected:
            message = f"head_scale is {tuple(head_scale.shape)}, and this model's layers and heads are {expected}"
            raise BadInput(message, mend="give one factor for each head of each layer")
        if not self.config.pruned_heads:
            return head_scale.unbind()
        return [scale[self.config.kept_heads(layer)] for layer, scale in enumerate(head_scale.unbind())]

    @property
    def _finishes(self) -> bool:
        return self.final_norm is not None and self.config.last_layer == "after_final_norm"

    def _finish(self, x: Tensor, taps: Taps | None) -> Tensor:
        if self.final_norm is None or not self._finishes:
            return x
        return passing(taps, "final_norm", self.final_norm(x))


class Transformer(Encoder):
    """An encoder whose body is a stack of attention layers."""

    config: TransformerConfig
    body: TransformerStack

    def __init__(self, config: TransformerConfig, embedding: nn.Module, *, pooler: bool = False) -> None:
        super().__init__(config, embedding, TransformerStack(config), pooler=pooler)


def layer_norm(config: TransformerConfig) -> LayerNorm:
    """Return a new layer norm over the hidden states of a model."""
    return LayerNorm(config.hidden_size, config.norm_eps, bias=config.norm_biases)


def zero_embedding(rows: int, width: int) -> nn.Embedding:
    """Make an embedding table of zeros, for weights that are loaded or drawn later; no random weights are drawn first.

    Args:
        rows: number of rows of the table.
        width: width of a vector.
    """
    zeros = torch.zeros(rows, width)
    embedding: nn.Embedding = nn.Embedding.from_pretrained(zeros, freeze=False)  # type: ignore[no-untyped-call]  # torch's own
    return embedding


def init_weights(model: nn.Module, std: float, generator: torch.Generator) -> None:
    """Draw new weights in place, from a normal distribution that is truncated at two standard deviations.

    Biases become 0 and the gains of norms 1, as in the code of Devlin et al. 2019 (`modeling.py` of
    google-research/bert).

    Args:
        model: the network.
        std: the standard deviation.
        generator: draws the weights.
    """
    for module in model.modules():
        if isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Linear | nn.Embedding):
            nn.init.trunc_normal_(module.weight, std=std, a=-2 * std, b=2 * std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
