"""Tensor names of BERT-like layers: the same layers under different names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.models.weight_mapping import Row, linear, norm


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerNames:
    """The checkpoint's names of a layer's parts.

    Attributes:
        layer: prefix of the layer, with `{}` for its number.
        qkv: the three maps that we store as one.
        output, attention_norm: the map after the heads, and its norm.
        up, down, mlp_norm: the two maps of the mlp, and its norm.
    """

    layer: str
    qkv: Sequence[str]
    output: str
    attention_norm: str
    up: str
    down: str
    mlp_norm: str

    def rows(self) -> tuple[Row, ...]:
        """Make the rows of a name table for every layer."""
        prefix = f"{self.layer}."
        return (
            *linear("body.layers.{}.attention.qkv", *(prefix + part for part in self.qkv)),
            *linear("body.layers.{}.attention.output", prefix + self.output),
            *norm("body.layers.{}.attention_norm", prefix + self.attention_norm),
            *linear("body.layers.{}.mlp.up", prefix + self.up),
            *linear("body.layers.{}.mlp.down", prefix + self.down),
            *norm("body.layers.{}.mlp_norm", prefix + self.mlp_norm),
        )
