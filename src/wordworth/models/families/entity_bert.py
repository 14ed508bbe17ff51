"""BERT with entities fused into its upper layers: ERNIE of Tsinghua (Zhang et al. 2019, arXiv 1905.07129).

The upper layers are aggregators (`models/entity_fusion/entity_stack.py`) over a table of entity vectors that is never
trained. Two things differ from the authors' code. Their first aggregator has no attention over entities; here it has
this attention, as in the paper. The number of upper layers that fuse entities is a setting here. `wordworth kg fuse`
makes such a model from a BERT. transformers has no class for it; the tensors that a BERT has keep their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.models.encoder_base import Encoder
from wordworth.models.entity_fusion.config import EntityBertConfig
from wordworth.models.entity_fusion.entity_stack import EntityStack
from wordworth.models.families import bert as bert_family
from wordworth.models.families.base import Family, Fields
from wordworth.models.families.bert import BertEmbedding
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm
from wordworth.text.entity_link_tokenizer import LinkedTokenizer


def build(config: EntityBertConfig) -> Encoder:
    """Build a BERT that fuses entities; its weights and its table of entity vectors must still be loaded or drawn."""
    return Encoder(config, BertEmbedding(config), EntityStack(config), pooler=config.pooler)


def read(checkpoint_fields: Fields) -> EntityBertConfig:
    """Return the config of a BERT that fuses entities, from the fields of its `config.json`.

    Raises:
        BadInput: the identifiers of entities are not a list of distinct strings.
    """
    plain = bert_family.config_from_hf(checkpoint_fields)
    listed = checkpoint_fields.raw.get("entities")
    if not isinstance(listed, list) or not listed or not all(isinstance(each, str) for each in listed):
        raise BadInput("'entities' is no list of identifiers", where=checkpoint_fields.where, mend=FETCH_AGAIN)
    if len(set(listed)) < len(listed):
        raise BadInput("'entities' has an identifier twice", where=checkpoint_fields.where, mend=FETCH_AGAIN)
    return EntityBertConfig(
        **{each.name: getattr(plain, each.name) for each in fields(plain)},
        entities=tuple(listed),
        entity_size=checkpoint_fields.integer("entity_size", 100, least=1),
        entity_heads=checkpoint_fields.integer("entity_heads", 4, least=1),
        fused_layers=checkpoint_fields.integer("fused_layers", 1, least=1),
    )


def write(config: EntityBertConfig) -> Mapping[str, Any]:
    """Return the fields of the `config.json` of a BERT that fuses entities, without `model_type`."""
    sizes = {name: getattr(config, name) for name in ("entity_size", "entity_heads", "fused_layers")}
    return {**bert_family.write(config), **sizes, "entities": list(config.entities)}


_LAYER = "encoder.layer.{}"
_ENTITY_ROWS = (
    *linear(
        "body.layers.{}.entity_attention.qkv",
        *(f"{_LAYER}.attention_ent.self.{part}" for part in ("query", "key", "value")),
    ),
    *linear("body.layers.{}.entity_attention.output", f"{_LAYER}.attention_ent.output.dense"),
    *norm("body.layers.{}.entity_attention_norm", f"{_LAYER}.attention_ent.output.LayerNorm"),
    Row("body.layers.{}.entity_up.weight", (f"{_LAYER}.intermediate.dense_ent.weight",)),
    *linear("body.layers.{}.entity_down", f"{_LAYER}.output.dense_ent"),
    *norm("body.layers.{}.entity_norm", f"{_LAYER}.output.LayerNorm_ent"),
)

ENTITY_BERT = Family(
    model_types=("wordworth-entity-bert",),
    encoder_class="WordworthEntityBertModel",
    table=WeightMap(
        rows=(*bert_family.ENCODER_ROWS, Row("body.entities", ("entities.weight",))),
        layer_rows=(*bert_family.LAYER_ROWS, *_ENTITY_ROWS),
        head_rows=bert_family.HEAD_ROWS,
        prefix="bert.",
        ignored=bert_family.BERT.table.ignored,
    ),
    read=read,
    write=write,
    build=build,
    tokenizer=LinkedTokenizer.read,
    lm_head=bert_family.vocabulary_head,
    pools=True,
)
