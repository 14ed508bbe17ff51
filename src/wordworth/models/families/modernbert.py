"""ModernBERT checkpoints (Warner et al. 2024, arXiv 2412.13663): a BERT with rotary positions and local attention.

Its layers have pre-norm, a gated mlp, and no biases; the first layer has no norm before its attention. In two of three
layers a token sees 64 tokens on each side alone. There are no segments and no pooler.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.families.base import ACTIVATION_NAMES, Family, Fields
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.lm_heads import MaskedLanguageModelHead
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm, table

_GLOBAL, _LOCAL = "full_attention", "sliding_attention"
"""Names of the two kinds of layers in `config.json`."""

ENCODER_ROWS = (
    *table("embedding.word", "embeddings.tok_embeddings"),
    *norm("embedding.norm", "embeddings.norm"),
    *norm("body.final_norm", "final_norm"),
)
LAYER_ROWS = (
    *norm("body.layers.{}.attention_norm", "layers.{}.attn_norm"),
    *linear("body.layers.{}.attention.qkv", "layers.{}.attn.Wqkv"),
    *linear("body.layers.{}.attention.output", "layers.{}.attn.Wo"),
    *norm("body.layers.{}.mlp_norm", "layers.{}.mlp_norm"),
    *linear("body.layers.{}.mlp.up", "layers.{}.mlp.Wi"),
    *linear("body.layers.{}.mlp.down", "layers.{}.mlp.Wo"),
)
HEAD_ROWS = (
    *linear("heads.mlm.dense", "head.dense"),
    *norm("heads.mlm.norm", "head.norm"),
    Row("heads.mlm.bias", ("decoder.bias",)),
    *linear("heads.classifier", "classifier"),
)


def read(fields: Fields) -> BertConfig:
    """Return the config of a ModernBERT checkpoint, from the fields of its `config.json`.

    Raises:
        BadInput: the model has a setting that this package does not implement.
    """
    for name in ("attention_bias", "mlp_bias", "norm_bias", "classifier_bias"):
        fields.require(name, value=False)
    fields.require("classifier_activation", fields.raw.get("hidden_activation", "gelu"))
    num_layers = fields.layers("num_hidden_layers", 22)
    return BertConfig(
        vocab_size=fields.integer("vocab_size", 50_368),
        hidden_size=fields.integer("hidden_size", 768, least=1),
        num_layers=num_layers,
        num_heads=fields.integer("num_attention_heads", 12),
        intermediate_size=fields.integer("intermediate_size", 1152, least=1),
        activation=fields.activation("hidden_activation", "gelu"),
        norm="pre",
        norm_eps=fields.number("norm_eps", 1e-5),
        norm_biases=False,
        has_first_norm=False,
        biases=False,
        gated=True,
        positions="rotary",
        rotary_base=_rotary_base(fields, _GLOBAL, "global_rope_theta", 160_000.0),
        local_rotary_base=_rotary_base(fields, _LOCAL, "local_rope_theta", 10_000.0),
        window=fields.integer("local_attention", 128, least=2) // 2,
        global_every=_global_every(fields, num_layers),
        dropout=fields.number("mlp_dropout", 0.0),
        attention_dropout=fields.number("attention_dropout", 0.0),
        initializer_range=fields.number("initializer_range", 0.02),
        max_positions=fields.integer("max_position_embeddings", 8192),
        segments=0,
        pooler=False,
    )


def write(config: BertConfig) -> Mapping[str, Any]:
    """Return the fields of a ModernBERT checkpoint's `config.json`, without `model_type`."""
    kinds = [_LOCAL if config.is_local(layer) else _GLOBAL for layer in range(config.num_layers)]
    bases = {_GLOBAL: config.rotary_base, _LOCAL: config.local_rotary_base}
    return {
        "vocab_size": config.vocab_size,
        "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_layers,
        "num_attention_heads": config.num_heads,
        "intermediate_size": config.intermediate_size,
        "hidden_activation": ACTIVATION_NAMES[config.activation],
        "norm_eps": config.norm_eps,
        "layer_types": kinds,
        "global_attn_every_n_layers": config.global_every,
        "rope_parameters": {kind: {"rope_type": "default", "rope_theta": base} for kind, base in bases.items()},
        "global_rope_theta": config.rotary_base,
        "local_rope_theta": config.local_rotary_base,
        "local_attention": 2 * config.window,
        "mlp_dropout": config.dropout,
        "embedding_dropout": config.dropout,
        "attention_dropout": config.attention_dropout,
        "initializer_range": config.initializer_range,
        "max_position_embeddings": config.max_positions,
        "pad_token_id": 0,
    }


def _rotary_base(fields: Fields, kind: str, former: str, default: float) -> float:
    """Return the base of the rotary angles of a kind of layers, from the present or the former field for it."""
    parameters = fields.fields("rope_parameters").fields(kind)
    parameters.require("rope_type", "default")
    return parameters.number("rope_theta", fields.number(former, default))


def _global_every(fields: Fields, num_layers: int) -> int:
    """Return every how many layers one has global attention, from the present or the former field for it."""
    kinds = fields.raw.get("layer_types")
    if kinds is None:
        return fields.integer("global_attn_every_n_layers", 3, least=1)
    for every in range(1, num_layers + 1):
        if kinds == [_LOCAL if layer % every else _GLOBAL for layer in range(num_layers)]:
            return every
    what = f"layer_types {kinds!r:.80} has another pattern than one global layer every few"
    raise BadInput(what, where=fields.where, mend="choose another checkpoint")


def _vocabulary_head(config: BertConfig, heads: Mapping[str, Tensor]) -> nn.Module:  # noqa: ARG001 - other families ask the tensors
    return MaskedLanguageModelHead(config, biases=False)


MODERNBERT = Family(
    model_types=("modernbert",),
    encoder_class="ModernBertModel",
    class_prefixes={"modernbert": "ModernBert"},
    table=WeightMap(
        rows=ENCODER_ROWS,
        layer_rows=LAYER_ROWS,
        head_rows=HEAD_ROWS,
        prefix="model.",
        ignored=("decoder.weight",),
    ),
    read=read,
    write=write,
    build=bert,
    lm_head=_vocabulary_head,
)
