"""BERT checkpoints as transformers writes them, including old names (gamma, beta; no `bert.`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordworth.models.bert import BertConfig, bert
from wordworth.models.families.base import Family
from wordworth.models.families.bert_layer_names import LayerNames
from wordworth.models.families.config_fields import ACTIVATION_NAMES, Fields
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm, table

ENCODER_ROWS = (
    *table("embedding.word", "embeddings.word_embeddings"),
    *table("embedding.position", "embeddings.position_embeddings"),
    *table("embedding.segment", "embeddings.token_type_embeddings"),
    *norm("embedding.norm", "embeddings.LayerNorm"),
    *linear("pooler", "pooler.dense"),
)
LAYER_ROWS = LayerNames(
    layer="encoder.layer.{}",
    qkv=("attention.self.query", "attention.self.key", "attention.self.value"),
    output="attention.output.dense",
    attention_norm="attention.output.LayerNorm",
    up="intermediate.dense",
    down="output.dense",
    mlp_norm="output.LayerNorm",
).rows()
HEAD_ROWS = (
    *linear("heads.mlm.dense", "cls.predictions.transform.dense"),
    *norm("heads.mlm.norm", "cls.predictions.transform.LayerNorm"),
    Row("heads.mlm.bias", ("cls.predictions.bias",)),
    *linear("heads.nsp", "cls.seq_relationship"),
    *linear("heads.classifier", "classifier"),
    *linear("heads.span", "qa_outputs"),
)


def config_from_hf(fields: Fields) -> BertConfig:
    """Convert their config to ours."""
    fields.insist("position_embedding_type", "absolute")
    return BertConfig(
        vocab_size=fields.integer("vocab_size", 30_522),
        hidden_size=fields.integer("hidden_size", 768, least=1),
        num_layers=fields.layers("num_hidden_layers", 12),
        num_heads=fields.integer("num_attention_heads", 12),
        intermediate_size=fields.integer("intermediate_size", 3072, least=1),
        activation=fields.activation("hidden_act", "gelu"),
        norm_eps=fields.number("layer_norm_eps", 1e-12),
        causal=bool(fields.raw.get("is_decoder", False)),
        dropout=fields.number("hidden_dropout_prob", 0.1),
        attention_dropout=fields.number("attention_probs_dropout_prob", 0.1),
        initializer_range=fields.number("initializer_range", 0.02),
        max_positions=fields.integer("max_position_embeddings", 512),
        segments=fields.integer("type_vocab_size", 2),
    )


def write(config: BertConfig) -> Mapping[str, Any]:
    """Convert our config to theirs."""
    return {
        "vocab_size": config.vocab_size,
        "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_layers,
        "num_attention_heads": config.num_heads,
        "intermediate_size": config.intermediate_size,
        "hidden_act": ACTIVATION_NAMES[config.activation],
        "layer_norm_eps": config.norm_eps,
        "is_decoder": config.causal,
        "hidden_dropout_prob": config.dropout,
        "attention_probs_dropout_prob": config.attention_dropout,
        "initializer_range": config.initializer_range,
        "max_position_embeddings": config.max_positions,
        "type_vocab_size": config.segments,
        "position_embedding_type": "absolute",
        "pad_token_id": 0,
    }


BERT = Family(
    model_types=("bert",),
    architecture="BertModel",
    table=WeightMap(
        rows=ENCODER_ROWS,
        layer_rows=LAYER_ROWS,
        head_rows=HEAD_ROWS,
        prefix="bert.",
        ignored=("embeddings.position_ids", "cls.predictions.decoder.weight", "cls.predictions.decoder.bias"),
    ),
    read=config_from_hf,
    write=write,
    build=bert,
)
