"""GPT-2 checkpoints: one matrix for queries, keys and values, as in ours; every matrix is [in, out]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordworth.models.families.base import Family
from wordworth.models.families.config_fields import ACTIVATION_NAMES, Fields
from wordworth.models.gpt2 import Gpt2Config, gpt2
from wordworth.models.weight_mapping import WeightMap, linear, norm, table

ENCODER_ROWS = (
    *table("embedding.word", "wte"),
    *table("embedding.position", "wpe"),
    *norm("body.final_norm", "ln_f"),
)
LAYER_ROWS = (
    *norm("body.layers.{}.attention_norm", "h.{}.ln_1"),
    *linear("body.layers.{}.attention.qkv", "h.{}.attn.c_attn", transposed=True),
    *linear("body.layers.{}.attention.output", "h.{}.attn.c_proj", transposed=True),
    *norm("body.layers.{}.mlp_norm", "h.{}.ln_2"),
    *linear("body.layers.{}.mlp.up", "h.{}.mlp.c_fc", transposed=True),
    *linear("body.layers.{}.mlp.down", "h.{}.mlp.c_proj", transposed=True),
)


def read(fields: Fields) -> Gpt2Config:
    """Convert their config to ours."""
    fields.insist("scale_attn_weights", value=True)
    fields.insist("scale_attn_by_inverse_layer_idx", value=False)
    width = fields.integer("n_embd", 768, least=1)
    inner = None if fields.raw.get("n_inner") is None else fields.integer("n_inner", 4 * width)
    return Gpt2Config(
        vocab_size=fields.integer("vocab_size", 50_257),
        hidden_size=width,
        num_layers=fields.layers("n_layer", 12),
        num_heads=fields.integer("n_head", 12),
        intermediate_size=4 * width if inner is None else inner,
        activation=fields.activation("activation_function", "gelu_new"),
        norm_eps=fields.number("layer_norm_epsilon", 1e-5),
        dropout=fields.number("resid_pdrop", 0.1),
        attention_dropout=fields.number("attn_pdrop", 0.1),
        initializer_range=fields.number("initializer_range", 0.02),
        max_positions=fields.integer("n_positions", 1024),
    )


def write(config: Gpt2Config) -> Mapping[str, Any]:
    """Convert our config to theirs."""
    return {
        "vocab_size": config.vocab_size,
        "n_embd": config.hidden_size,
        "n_layer": config.num_layers,
        "n_head": config.num_heads,
        "n_inner": config.intermediate_size,
        "activation_function": ACTIVATION_NAMES[config.activation],
        "layer_norm_epsilon": config.norm_eps,
        "resid_pdrop": config.dropout,
        "embd_pdrop": config.dropout,
        "attn_pdrop": config.attention_dropout,
        "initializer_range": config.initializer_range,
        "n_positions": config.max_positions,
        "bos_token_id": config.vocab_size - 1,
        "eos_token_id": config.vocab_size - 1,
    }


GPT2 = Family(
    model_types=("gpt2",),
    architecture="GPT2Model",
    table=WeightMap(
        rows=ENCODER_ROWS,
        layer_rows=LAYER_ROWS,
        prefix="transformer.",
        ignored=(".attn.bias", ".attn.masked_bias", "lm_head.weight"),
    ),
    read=read,
    write=write,
    build=gpt2,
)
