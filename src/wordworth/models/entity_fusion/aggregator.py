"""The aggregator layer of ERNIE (Zhang et al. 2019, arXiv 1905.07129, section 3.3), a layer that fuses entities.

Tokens attend to tokens and entities to entities of their sequence, each with a residual connection and a norm. Then,
for a token j that is the first of a mention of entity k, with tokens w and entities e after their attention:

    h_j = gelu(W_t w_j + W_e e_k + b)
    w'_j = LayerNorm(w_j + W_t2 h_j + b_t2)
    e'_k = LayerNorm(e_k + W_e2 h_j + b_e2)

The residual connections and norms are those of the authors' code (`modeling.py` of thunlp/ERNIE). A token without an
entity has e = 0, so that it passes a layer of BERT: W_t and W_t2 are the two maps of BERT's mlp.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from torch import Tensor, nn

from wordworth.models.layer_norm import LayerNorm
from wordworth.models.length_buckets import PackedLayout
from wordworth.models.taps import Taps, inside, passing
from wordworth.models.transformer import Attention, Layer, TransformerConfig


@dataclass(frozen=True, slots=True)
class Mentions:
    """The entities of a packed batch.

    Attributes:
        vectors: [mentions, entity size], the vector of each mentioned entity, in the order of the tokens.
        positions: int64 [mentions], the token that each is aligned to, ascending.
        layout: where the mentions of each sequence begin and end.
    """

    vectors: Tensor
    positions: Tensor
    layout: PackedLayout


class Aggregator(Layer):
    """A BERT layer that can also attend over entities and fuse them into tokens (`fused`); `forward` reads text alone.

    Args:
        config: config of the text encoder, with post-norm and a plain mlp.
        heads: number of attention heads over tokens.
        entity_size: width of the entities' vectors.
        entity_heads: number of attention heads over entities.
        last: whether this is the last layer with entities, which then has no weights for new entity vectors.
    """

    def __init__(
        self, config: TransformerConfig, heads: int, *, entity_size: int, entity_heads: int, last: bool
    ) -> None:
        super().__init__(config, heads)
        entity_config = replace(config, hidden_size=entity_size, num_heads=entity_heads, pruned_heads=())
        self.entity_attention = Attention(entity_config, entity_heads)
        self.entity_attention_norm = LayerNorm(entity_size, config.norm_eps)
        self.entity_up = nn.Linear(entity_size, config.intermediate_size, bias=False)
        self.entity_down = None if last else nn.Linear(config.intermediate_size, entity_size)
        self.entity_norm = None if last else LayerNorm(entity_size, config.norm_eps)

    def fused(
        self,
        x: Tensor,
        sequences: PackedLayout,
        mentions: Mentions,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
    ) -> tuple[Tensor, Mentions]:
        """Return the layer's output for tokens, [tokens, hidden_size], and the mentions with their new vectors.

        Args:
            x: [tokens, hidden_size].
            sequences: layout of the batch.
            mentions: the entities of the batch.
            taps: inner values to read or change.
            head_scale: [heads], a factor for the output of each head over tokens, or None.
        """
        attended = self.attention(x, sequences, None, inside(taps, "attention"), head_scale)
        x = self.attention_norm(self.dropout.added(x, attended))
        entities = self.entity_attention(mentions.vectors, mentions.layout, None)
        entities = self.entity_attention_norm(self.dropout.added(mentions.vectors, entities))
        summed = self.mlp.up(x).index_add(0, mentions.positions, self.entity_up(entities))
        hidden = passing(taps, "mlp.hidden", self.mlp.activation(summed))
        x = self.mlp_norm(self.dropout.added(x, passing(taps, "mlp.output", self.mlp.down(hidden))))
        if self.entity_down is not None and self.entity_norm is not None:
            branch = self.entity_down(hidden[mentions.positions])
            entities = self.entity_norm(self.dropout.added(entities, branch))
        return passing(taps, "output", x), replace(mentions, vectors=entities)
