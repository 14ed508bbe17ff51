"""GPT-2 (Radford et al. 2019): BERT's body with pre-norm and causal attention; no norm or segments in the embedding.

Its checkpoints have one matrix for queries, keys and values, as this package has, but every matrix is [in, out].
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.families.base import ACTIVATION_NAMES, Family, Fields
from wordworth.models.transformer import Transformer, zero_embedding
from wordworth.models.transformer_config import Activation, TransformerConfig
from wordworth.models.weight_mapping import WeightMap, linear, norm, table


@dataclass(frozen=True, kw_only=True, slots=True)
class Gpt2Config(TransformerConfig):
    """The config of a GPT-2 of any size; the defaults are the smallest (124M)."""

    vocab_size: int = 50_257
    max_positions: int = 1024
    activation: Activation = "gelu_tanh"
    norm: Literal["post", "pre"] = "pre"
    norm_eps: float = 1e-5
    causal: bool = True

    @property
    def model_type(self) -> str:
        """The value of `model_type` in the `config.json` of a new model with this config."""
        return "gpt2"

    @property
    def architecture(self) -> str:
        """Name of the architecture by which `pretrain` builds a model with this config."""
        return "gpt"


class Gpt2Embedding(nn.Module):
    """Embedding of byte-level pieces: the sum of a piece's vector and a position's vector."""

    def __init__(self, config: Gpt2Config) -> None:
        super().__init__()
        self.word = zero_embedding(config.vocab_size, config.hidden_size)
        self.position = zero_embedding(config.max_positions, config.hidden_size)
        self.dropout = Dropout(config.dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Return the embedding of each token of a batch, [tokens, hidden_size]."""
        embedded: Tensor = self.dropout(self.word(batch.ids) + self.position(batch.positions))
        return embedded


def gpt2(config: Gpt2Config) -> Transformer:
    """Build the transformer of GPT-2, without its language model head, which is tied to the token embedding matrix."""
    return Transformer(config, Gpt2Embedding(config))


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
    """Return the config of a GPT-2 checkpoint, from the fields of its `config.json`."""
    fields.require("scale_attn_weights", value=True)
    fields.require("scale_attn_by_inverse_layer_idx", value=False)
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
    """Return the fields of a GPT-2 checkpoint's `config.json`, without `model_type`."""
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


def _new_config(sizes: TransformerConfig) -> Gpt2Config:
    kept = {each.name: getattr(sizes, each.name) for each in fields(TransformerConfig)}
    return Gpt2Config(**{**kept, "norm": "pre", "norm_eps": Gpt2Config().norm_eps, "causal": True})


def _roles(known: Collection[str]) -> tuple[str, ...]:
    """Return the roles of the special tokens that a vocabulary with the roles `known` must have.

    GPT-2's own vocabulary must have an end mark. A model of `wordworth pretrain` reads texts between [CLS] and [SEP].
    """
    return ("unk", "cls", "sep") if "sep" in known else ("eos",)


GPT2 = Family(
    model_types=("gpt2",),
    encoder_class="GPT2Model",
    class_prefixes={"gpt2": "GPT2"},
    table=WeightMap(
        rows=ENCODER_ROWS,
        layer_rows=LAYER_ROWS,
        prefix="transformer.",
        ignored=(".attn.bias", ".attn.masked_bias", "lm_head.weight"),
    ),
    read=read,
    write=write,
    build=gpt2,
    new=_new_config,
    pretrained_class=lambda _config, _heads, prefix: f"{prefix}LMHeadModel",
    special_roles=_roles,
    config_ids={"bos_token_id": "cls", "eos_token_id": "sep"},
)
