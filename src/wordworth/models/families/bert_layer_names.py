"""What the layers of BERT and its kin are called: one shape, other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.models.weight_mapping import Row, linear, norm


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerNames:
    """The checkpoint's names of a layer's parts; `layer` has `{}` where the layer's number stands.

    Attributes:
        qkv: of the three maps that ours holds as one.
        output, attention_norm: behind the heads.
        up, down, mlp_norm: of the two maps at each word.
    """

    layer: str
    qkv: Sequence[str]
    output: str
    attention_norm: str
    up: str
    down: str
    mlp_norm: str

    def rows(self) -> tuple[Row, ...]:
        """The rows of a name table for every layer."""
        at = f"{self.layer}."
        return (
            *linear("body.layers.{}.attention.qkv", *(at + part for part in self.qkv)),
            *linear("body.layers.{}.attention.output", at + self.output),
            *norm("body.layers.{}.attention_norm", at + self.attention_norm),
            *linear("body.layers.{}.mlp.up", at + self.up),
            *linear("body.layers.{}.mlp.down", at + self.down),
            *norm("body.layers.{}.mlp_norm", at + self.mlp_norm),
        )
