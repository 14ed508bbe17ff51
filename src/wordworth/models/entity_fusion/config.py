"""`EntityBertConfig`: the config of a BERT that fuses entities."""

from __future__ import annotations

from dataclasses import dataclass, field

from wordworth.models.families.bert import BertConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityBertConfig(BertConfig):
    """The config of a BERT that fuses entities.

    Attributes:
        entities: the identifier of each row of the table of entity vectors.
        entity_size: width of an entity's vector.
        entity_heads: number of attention heads over entities.
        fused_layers: number of upper layers that fuse entities, at least 1.
    """

    entities: tuple[str, ...] = field(default=(), repr=False)
    entity_size: int = 100
    entity_heads: int = 4
    fused_layers: int = 1

    def __post_init__(self) -> None:
        BertConfig.__post_init__(self)
        if not self.is_plain or self.causal:
            raise ValueError("entities are fused into a plain BERT that reads both sides")
        if not 1 <= self.fused_layers <= self.num_layers:
            raise ValueError(f"fused_layers is {self.fused_layers}, and the model has {self.num_layers} layers")
        if self.entity_heads < 1 or self.entity_size % self.entity_heads:
            raise ValueError(f"entity_size {self.entity_size} is not a multiple of entity_heads {self.entity_heads}")

    @property
    def model_type(self) -> str:
        """The value of `model_type` in the `config.json` of a model with this config."""
        return "wordworth-entity-bert"
