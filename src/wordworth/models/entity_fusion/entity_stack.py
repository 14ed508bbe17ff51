"""`EntityStack`: layers of BERT, of which the upper ones are aggregators that read a fixed table of entity vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn

from wordworth.models.entity_fusion.aggregator import Aggregator, Mentions
from wordworth.models.entity_fusion.config import EntityBertConfig
from wordworth.models.length_buckets import PackedLayout
from wordworth.models.taps import Taps, inside
from wordworth.models.transformer import Layer, TransformerStack
from wordworth.text.entity_links import ENTITY, NO_ENTITY


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
            features: may hold `entity`, int64 [tokens]: the row of the entity whose mention begins at each token, or
                -1. Without it no token has an entity.

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
                x = layer(x, sequences, None, of_layer, scale)
            yield x

    def mentions(self, rows: Tensor | None, starts: Tensor, dtype: torch.dtype) -> Mentions:
        """Return the entities that a batch mentions, with their vectors and positions.

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
