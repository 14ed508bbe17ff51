"""`EntityStack`: layers of BERT, of which the upper ones are aggregators that fuse a fixed table of entity vectors.

An aggregator is the layer of ERNIE (Zhang et al. 2019, arXiv 1905.07129, section 3.3). Tokens attend to tokens and
entities to entities of their sequence, each with a residual connection and a norm. Then, for a token j that is the
first of a mention of entity k, with tokens w and entities e after their attention:

    h_j = gelu(W_t w_j + W_e e_k + b)
    w'_j = LayerNorm(w_j + W_t2 h_j + b_t2)
    e'_k = LayerNorm(e_k + W_e2 h_j + b_e2)

Residual connections and norms are as in the authors' code (`modeling.py` of thunlp/ERNIE). A token without an entity
has e = 0, so that an aggregator computes for it what a layer of BERT does: W_t and W_t2 are the two maps of BERT's mlp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from wordworth.models.activation_taps import Taps, inside, passing
from wordworth.models.attention_positions import NO_POSITIONS
from wordworth.models.entity_fusion.config import EntityBertConfig
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.length_buckets import PackedLayout
from wordworth.models.transformer import Attention, Layer, TransformerStack
from wordworth.models.transformer_config import TransformerConfig
from wordworth.text.entity_links import ENTITY, NO_ENTITY


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of entities in a packed batch.

    Attributes:
        vectors: [mentions, entity size], the vector of each mention's entity, in the order of the tokens.
        positions: int64 [mentions], the index of the token that each mention is aligned to, ascending.
        layout: where the mentions of each sequence begin and end in `vectors`.
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
            mentions: the mentions of entities in the batch.
            taps: inner values to read or change.
            head_scale: [heads], a factor for the output of each head over tokens, or None.
        """
        attended = self.attention(x, sequences, NO_POSITIONS, inside(taps, "attention"), head_scale)
        x = self.attention_norm(self.dropout.added(x, attended))
        entities = self.entity_attention(mentions.vectors, mentions.layout)
        entities = self.entity_attention_norm(self.dropout.added(mentions.vectors, entities))
        summed = self.mlp.up(x).index_add(0, mentions.positions, self.entity_up(entities))
        hidden = passing(taps, "mlp.hidden", self.mlp.activation(summed))
        x = self.mlp_norm(self.dropout.added(x, passing(taps, "mlp.output", self.mlp.down(hidden))))
        if self.entity_down is not None and self.entity_norm is not None:
            branch = self.entity_down(hidden[mentions.positions])
            entities = self.entity_norm(self.dropout.added(entities, branch))
        return passing(taps, "output", x), replace(mentions, vectors=entities)


class EntityStack(TransformerStack):
    """A stack of attention layers whose upper ones fuse entities; for text without entities it computes what BERT does.

    Attributes:
        entities: float [entities, entity size], the fixed table, a buffer: no gradient flows into it.
    """

    features = (ENTITY,)
    entities: Tensor

    def __init__(self, config: EntityBertConfig) -> None:
        super().__init__(config)
        fused = range(config.num_layers - config.fused_layers, config.num_layers)
        self.layers = nn.ModuleList(
            Aggregator(
                config,
                len(config.kept_heads(number)),
                entity_size=config.entity_size,
                entity_heads=config.entity_heads,
                last=number == fused[-1],
            )
            if number in fused
            else Layer(config, len(config.kept_heads(number)))
            for number in range(config.num_layers)
        )
        self.register_buffer("entities", torch.zeros(len(config.entities), config.entity_size))

    def states(
        self,
        x: Tensor,
        starts: Tensor,
        taps: Taps | None = None,
        head_scale: Tensor | None = None,
        features: Mapping[str, Tensor] | None = None,
    ) -> Iterator[Tensor]:
        """Yield the input, then each layer's output: num_layers + 1 tensors [tokens, hidden_size].

        Args:
            x: [tokens, hidden_size], the embedded tokens.
            starts: int [sequences + 1]; sequence i is the tokens `starts[i]` to `starts[i + 1]`.
            taps: inner values to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head over tokens, or None.
            features: may have the key `entity`, int64 [tokens]: for each token the row in the table `entities` of the
                entity whose mention begins there, or -1. Without `entity`, the text has no mentions.

        Raises:
            BadInput: `head_scale` has another shape.
        """
        scales, sequences = self._head_scales(head_scale), PackedLayout(starts)
        mentions = self.mentions((features or {}).get(ENTITY), starts, x.dtype)
        yield x
        for number, (layer, scale) in enumerate(zip(self.layers, scales, strict=True)):
            of_layer = inside(taps, f"layers.{number}")
            if isinstance(layer, Aggregator):
                x, mentions = layer.fused(x, sequences, mentions, of_layer, scale)
            else:
                x = layer(x, sequences, NO_POSITIONS, of_layer, scale)
            yield x

    def mentions(self, rows: Tensor | None, starts: Tensor, dtype: torch.dtype) -> Mentions:
        """Return the mentions of entities in a batch, with their vectors and positions.

        Args:
            rows: int64 [tokens], for each token, the row in the table of the entity whose mention begins there, or -1;
                None if the batch mentions no entity.
            starts: int [sequences + 1]; sequence i is the tokens `starts[i]` to `starts[i + 1]`.
            dtype: dtype of the computation.
        """
        if rows is None:
            positions = torch.zeros(0, dtype=torch.int64, device=starts.device)
            chosen = positions
        else:
            positions = (rows > NO_ENTITY).nonzero()[:, 0]
            chosen = rows[positions]
        bounds = torch.searchsorted(positions, starts.to(positions)).to(starts)
        return Mentions(self.entities[chosen].to(dtype), positions, PackedLayout(bounds))
