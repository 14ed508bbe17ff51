"""Transformers: encoders whose body is a stack of attention layers over packed vectors.

The layers follow Vaswani et al. 2017 (arXiv 1706.03762), section 3, with post-norm as in that paper and in BERT, or
with pre-norm as in GPT-2. Rotary positions (Su et al. 2021, arXiv 2104.09864) rotate queries and keys by an angle
proportional to position. Dimension i of a head is rotated with dimension i + head_size / 2, as in GPT-NeoX and
ModernBERT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps, inside, passing
from wordworth.models.attention import attend
from wordworth.models.dropout import Dropout
from wordworth.models.encoder_base import Encoder, EncoderBody, EncoderConfig, LastLayer
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.length_buckets import PackedLayout

Activation = Literal["gelu_erf", "gelu_tanh", "relu"]

ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {
    "gelu_erf": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "relu": functional.relu,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class TransformerConfig(EncoderConfig):
    """Sizes and options of a transformer, which cover every variant of BERT; the defaults are BERT-base.

    Attributes:
        hidden_size: width of a hidden state, a multiple of `num_heads`.
        num_layers: number of layers.
        num_heads: number of attention heads of a layer, before any was pruned.
        intermediate_size: width between the two linear maps of an mlp.
        activation: activation of the mlp.
        norm: where layer norms are. `post`: after each residual connection (BERT). `pre`: before the attention and the
            mlp of each layer, with a final norm after the last layer (GPT-2).
        last_layer: for the norm `pre`, whether the last hidden state is taken after the final norm
            (`after_final_norm`) or before the final norm (`before_final_norm`).
        norm_eps: added to the variance in each layer norm.
        biases: whether linear maps have biases.
        gated: whether the mlp's activation multiplies a second map of its input (Shazeer 2020, arXiv 2002.05202).
        causal: whether a token sees only itself and the tokens before it.
        positions: `learned` positions are added by the embedding, `rotary` ones rotate queries and keys in each layer.
        rotary_base: base of the rotary angles.
        dropout: rate after the embedding, after attention and after the mlp; in training only.
        attention_dropout: rate on attention probabilities; in training only.
        initializer_range: standard deviation of the normal distribution from which new matrices are drawn; it is
            truncated at two standard deviations.
        vocab_size: rows of the token embedding matrix.
        max_positions: rows of the position table.
        first_position: row of the position table that a sequence's first token takes: 0, in RoBERTa one past the
            padding id.
        pruned_heads: for each layer the heads that were removed from it, ascending, numbered as before any was removed;
            empty if every layer has all its heads.
    """

    hidden_size: int = 768
    num_layers: int = 12
    num_heads: int = 12
    intermediate_size: int = 3072
    activation: Activation = "gelu_erf"
    norm: Literal["post", "pre"] = "post"
    last_layer: LastLayer = "after_final_norm"
    norm_eps: float = 1e-12
    biases: bool = True
    gated: bool = False
    causal: bool = False
    positions: Literal["learned", "rotary"] = "learned"
    rotary_base: float = 10_000.0
    dropout: float = 0.1
    attention_dropout: float = 0.1
    initializer_range: float = 0.02
    vocab_size: int = 30_522
    max_positions: int = 512
    first_position: int = 0
    pruned_heads: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.hidden_size % self.num_heads:
            raise ValueError(f"hidden_size {self.hidden_size} is not a multiple of num_heads {self.num_heads}")
        if self.pruned_heads and len(self.pruned_heads) != self.num_layers:
            raise ValueError(f"pruned_heads names {len(self.pruned_heads)} layers, and the model has {self.num_layers}")
        for layer, heads in enumerate(self.pruned_heads):
            if not set(heads) < set(range(self.num_heads)):
                raise ValueError(f"layer {layer} cannot lose heads {list(heads)} of {self.num_heads} and keep one")

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.hidden_size // self.num_heads

    def kept_heads(self, layer: int) -> list[int]:
        """Return the heads of a layer that were not pruned, numbered as before any was pruned."""
        pruned = self.pruned_heads[layer] if self.pruned_heads else ()
        return [head for head in range(self.num_heads) if head not in pruned]

    @property
    def max_length(self) -> int:
        """Largest number of tokens of a sequence, special tokens included."""
        return self.max_positions - self.first_position

    @property
    def position_limit(self) -> int:
        """The most tokens of a sequence that the weights allow."""
        return self.max_length

    @property
    def has_attention(self) -> bool:
        """Whether each layer compares every pair of tokens."""
        return True

    def with_dropout(self, rate: float) -> Self:
        """Return the config with this rate of dropout, which is the rate of attention dropout too."""
        return replace(self, dropout=rate, attention_dropout=rate)

    def with_last_layer(self, last_layer: LastLayer) -> Self:
        """Return the config with the last state taken after or before the final norm; unchanged for the norm `post`."""
        return replace(self, last_layer=last_layer) if self.norm == "pre" else self


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
        angles: RotaryAngles | None,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> Tensor:
        """Compute multi-head self-attention within each sequence: [tokens, hidden_size] to the same shape.

        Args:
            x: [tokens, hidden_size].
            sequences: layout of the batch.
            angles: rotary angles of the tokens, or None.
            taps: inner values to read or change.
            head_scale: [heads], a factor for each head's output, or None.
        """
        parts = self.qkv(x).view(-1, 3, self.heads, self.config.head_size).unbind(1)
        q, k, v = (passing(taps, name, part) for name, part in zip(("query", "key", "value"), parts, strict=True))
        if angles is not None:
            q, k = (passing(taps, f"rotated_{name}", rotate(part, angles)) for name, part in (("query", q), ("key", k)))
        options = {"causal": self.config.causal, "taps": taps, "head_scale": head_scale, "dropout": self.dropout}
        heads = self.attend(q, k, v, sequences, **options)
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
    """

    def __init__(self, config: TransformerConfig, heads: int) -> None:
        super().__init__()
        self.post = config.norm == "post"
        self.attention = Attention(config, heads)
        self.attention_norm = LayerNorm(config.hidden_size, config.norm_eps)
        self.mlp = Mlp(config)
        self.mlp_norm = LayerNorm(config.hidden_size, config.norm_eps)
        self.dropout = Dropout(config.dropout)

    def forward(
        self,
        x: Tensor,
        sequences: PackedLayout,
        angles: RotaryAngles | None,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> Tensor:
        """Apply the layer: [tokens, hidden_size] to the same shape.

        Args:
            x: [tokens, hidden_size].
            sequences: layout of the batch.
            angles: rotary angles of the tokens, or None.
            taps: inner values to read or change.
            head_scale: [heads], a factor for each head's output, or None.
        """
        mlp_taps, rest = inside(taps, "mlp"), (sequences, angles, inside(taps, "attention"), head_scale)
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
            Layer(config, len(config.kept_heads(number))) for number in range(config.num_layers)
        )
        self.final_norm = LayerNorm(config.hidden_size, config.norm_eps) if config.norm == "pre" else None

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
        angles = rotary_angles(starts, self.config) if self.config.positions == "rotary" else None
        sequences = PackedLayout(starts)
        yield x
        for number, (layer, scale) in enumerate(zip(self.layers, scales, strict=True)):
            x = layer(x, sequences, angles, inside(taps, f"layers.{number}"), scale)
            yield x if number < len(self.layers) - 1 else self._finish(x, taps)

    def upper(self, first: int) -> TransformerStack:
        """Return a stack of the layers from `first` on (0 is the lowest), which share their weights with this stack.

        The input of the new stack is the output of layer `first` - 1.
        """
        heads = self.config.pruned_heads[first:]
        with torch.device("meta"):
            made = TransformerStack(replace(self.config, num_layers=len(self.layers) - first, pruned_heads=heads))
        made.layers, made.final_norm = self.layers[first:], self.final_norm
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
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Linear | nn.Embedding):
            nn.init.trunc_normal_(module.weight, std=std, a=-2 * std, b=2 * std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


RotaryAngles: TypeAlias = tuple[Tensor, Tensor]
"""Cosine and sine, each [tokens, 1, head_size / 2]."""


def rotary_angles(starts: Tensor, config: TransformerConfig) -> RotaryAngles:
    """Return the cosine and sine of every token's rotary angles, float32 [tokens, 1, head_size / 2] each.

    The angle of pair i is the token's position in its sequence times base^(-2i / head_size).

    Args:
        starts: int [sequences + 1], where sequences start.
        config: config of the model.
    """
    lengths = (starts[1:] - starts[:-1]).long()
    positions = torch.arange(int(starts[-1]), device=starts.device) - starts[:-1].long().repeat_interleave(lengths)
    pairs = torch.arange(config.head_size // 2, device=starts.device, dtype=torch.float32)
    angles = positions[:, None] * config.rotary_base ** (-2 * pairs / config.head_size)
    return angles.cos()[:, None], angles.sin()[:, None]


def rotate(x: Tensor, angles: RotaryAngles) -> Tensor:
    """Rotate queries or keys by the rotary angles of their tokens; return the same shape.

    Args:
        x: [tokens, heads, head_size]; dimensions i and i + head_size / 2 are a pair.
        angles: cosine and sine, as `rotary_angles` returns them.
    """
    cosine, sine = (part.to(x.dtype) for part in angles)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)
