"""Sizes and options of a transformer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

from wordworth.models.encoder_base import EncoderConfig, LastLayer

Activation = Literal["gelu_erf", "gelu_tanh", "relu"]


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
        norm_biases: whether layer norms have biases.
        has_first_norm: for the norm `pre`, whether the first layer has a norm before its attention.
        biases: whether linear maps have biases.
        gated: whether the mlp's activation multiplies a second map of its input (Shazeer 2020, arXiv 2002.05202).
        causal: whether a token sees only itself and the tokens before it.
        positions: `learned` positions are added by the embedding, `rotary` ones rotate queries and keys in each layer.
        rotary_base: base of the rotary angles.
        relative_buckets: number of buckets of a relative position bias that all layers share (`RelativePositionBias`);
            0 for none.
        window: number of tokens on each side that a token of a local layer sees; 0 if there are no local layers.
        global_every: if `window` is not 0, layers 0, `global_every`, 2 `global_every` and so on are not local.
        local_rotary_base: base of the rotary angles of local layers.
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
    norm_biases: bool = True
    has_first_norm: bool = True
    biases: bool = True
    gated: bool = False
    causal: bool = False
    positions: Literal["learned", "rotary"] = "learned"
    rotary_base: float = 10_000.0
    relative_buckets: int = 0
    window: int = 0
    global_every: int = 1
    local_rotary_base: float = 10_000.0
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

    def is_local(self, layer: int) -> bool:
        """Return whether each token of a layer sees only a window of `window` tokens on each side."""
        return self.window > 0 and layer % self.global_every != 0

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
