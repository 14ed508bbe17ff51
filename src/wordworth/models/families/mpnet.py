"""MPNet checkpoints (Song et al. 2020, arXiv 2004.09297): RoBERTa without segments, with a relative position bias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.models.families import bert as bert_family
from wordworth.models.families.base import Family, Fields
from wordworth.models.families.bert import BertConfig, LayerNames
from wordworth.models.families.roberta import HEAD_ROWS, ROBERTA
from wordworth.models.weight_mapping import Row, WeightMap

_FIRST_POSITION = 2
"""Row of the position table for a text's first token: transformers fixes it, whatever the config says of padding."""

ENCODER_ROWS = (
    *bert_family.ENCODER_ROWS,
    Row("body.relative_bias.weight", ("encoder.relative_attention_bias.weight",)),
)
LAYER_ROWS = LayerNames(
    layer="encoder.layer.{}",
    qkv=("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    output="attention.attn.o",
    attention_norm="attention.LayerNorm",
    up="intermediate.dense",
    down="output.dense",
    mlp_norm="output.LayerNorm",
).rows()


def read(fields: Fields) -> BertConfig:
    """Return the config of an MPNet checkpoint, from the fields of its `config.json`."""
    buckets = fields.integer("relative_attention_num_buckets", 32, least=4)
    config = bert_family.config_from_hf(fields)
    return replace(config, segments=0, first_position=_FIRST_POSITION, relative_buckets=buckets)


def write(config: BertConfig) -> Mapping[str, Any]:
    """Return the fields of an MPNet checkpoint's `config.json`, without `model_type`."""
    written = {name: value for name, value in bert_family.write(config).items() if name != "type_vocab_size"}
    return {
        **written,
        "relative_attention_num_buckets": config.relative_buckets,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
    }


MPNET = Family(
    model_types=("mpnet",),
    encoder_class="MPNetModel",
    class_prefixes={"mpnet": "MPNet"},
    table=WeightMap(
        rows=ENCODER_ROWS,
        layer_rows=LAYER_ROWS,
        head_rows=HEAD_ROWS,
        prefix="mpnet.",
        ignored=ROBERTA.table.ignored,
    ),
    read=read,
    write=write,
    build=bert_family.bert,
    lm_head=bert_family.vocabulary_head,
    task_layers=ROBERTA.task_layers,
    pools=True,
)
