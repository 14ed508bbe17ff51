"""DistilBERT checkpoints (Sanh et al. 2019, arXiv 1910.01108): BERT without segments and pooler, with other names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordworth.models.families.base import ACTIVATION_NAMES, Family, Fields
from wordworth.models.families.bert import BertConfig, LayerNames, bert, vocabulary_head
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm, table

ENCODER_ROWS = (
    *table("embedding.word", "embeddings.word_embeddings"),
    *table("embedding.position", "embeddings.position_embeddings"),
    *norm("embedding.norm", "embeddings.LayerNorm"),
)
LAYER_ROWS = LayerNames(
    layer="transformer.layer.{}",
    qkv=("attention.q_lin", "attention.k_lin", "attention.v_lin"),
    output="attention.out_lin",
    attention_norm="sa_layer_norm",
    up="ffn.lin1",
    down="ffn.lin2",
    mlp_norm="output_layer_norm",
).rows()
HEAD_ROWS = (
    *linear("heads.mlm.dense", "vocab_transform"),
    *norm("heads.mlm.norm", "vocab_layer_norm"),
    Row("heads.mlm.bias", ("vocab_projector.bias",)),
    *linear("heads.classifier.dense", "pre_classifier"),
    *linear("heads.classifier.output", "classifier"),
    *linear("heads.span", "qa_outputs"),
)


def read(fields: Fields) -> BertConfig:
    """Return the config of a DistilBERT checkpoint, from the fields of its `config.json`."""
    return BertConfig(
        vocab_size=fields.integer("vocab_size", 30_522),
        hidden_size=fields.integer("dim", 768, least=1),
        num_layers=fields.layers("n_layers", 6),
        num_heads=fields.integer("n_heads", 12),
        intermediate_size=fields.integer("hidden_dim", 3072, least=1),
        activation=fields.activation("activation", "gelu"),
        dropout=fields.number("dropout", 0.1),
        attention_dropout=fields.number("attention_dropout", 0.1),
        initializer_range=fields.number("initializer_range", 0.02),
        max_positions=fields.integer("max_position_embeddings", 512),
        segments=0,
        pooler=False,
    )


def write(config: BertConfig) -> Mapping[str, Any]:
    """Return the fields of a DistilBERT checkpoint's `config.json`, without `model_type`."""
    return {
        "vocab_size": config.vocab_size,
        "dim": config.hidden_size,
        "n_layers": config.num_layers,
        "n_heads": config.num_heads,
        "hidden_dim": config.intermediate_size,
        "activation": ACTIVATION_NAMES[config.activation],
        "dropout": config.dropout,
        "attention_dropout": config.attention_dropout,
        "initializer_range": config.initializer_range,
        "max_position_embeddings": config.max_positions,
        "sinusoidal_pos_embds": False,
        "pad_token_id": 0,
    }


DISTILBERT = Family(
    model_types=("distilbert",),
    encoder_class="DistilBertModel",
    class_prefixes={"distilbert": "DistilBert"},
    table=WeightMap(
        rows=ENCODER_ROWS,
        layer_rows=LAYER_ROWS,
        head_rows=HEAD_ROWS,
        prefix="distilbert.",
        ignored=("embeddings.position_ids", "vocab_projector.weight"),
    ),
    read=read,
    write=write,
    build=bert,
    lm_head=vocabulary_head,
    task_layers={"": {"output": "classifier.output"}, "QuestionAnswering": {"output": "span"}},
)
