"""BERT (Devlin et al. 2019, arXiv 1810.04805, as in `modeling.py` of google-research/bert), and its checkpoints.

DistilBERT, RoBERTa, XLM-R, MPNet, ELECTRA, ModernBERT and this package's own variants are the same model with other
values in `BertConfig`. The names of tensors are the names of transformers. Old names are read too: `gamma` and `beta`,
and names without `bert.`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.families.base import ACTIVATION_NAMES, Family, Fields
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.lm_heads import MaskedLanguageModelHead, TiedHead
from wordworth.models.transformer import Transformer, zero_embedding
from wordworth.models.transformer_config import TransformerConfig
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm, table


@dataclass(frozen=True, kw_only=True, slots=True)
class BertConfig(TransformerConfig):
    """The config of a model of the BERT family; the defaults are BERT-base, uncased.

    Attributes:
        segments: rows of the segment (token type) table; 0 if the model has no such table.
        embedding_size: width of the tables if not `hidden_size`; a linear map then projects to `hidden_size`.
        pooler: whether the model has a tanh layer over the first token.
    """

    segments: int = 2
    embedding_size: int | None = None
    pooler: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether this is BERT as published, for which transformers has classes."""
        return self.norm == "post" and self.positions == "learned" and self.biases and not self.gated

    @property
    def model_type(self) -> str:
        """The value of `model_type` in the `config.json` of a new model with this config."""
        return "bert" if self.is_plain else "wordworth-bert"

    @property
    def architecture(self) -> str:
        """Name of the architecture by which `pretrain` builds a model with this config."""
        return "causal-bert" if self.causal else "bert"

    @property
    def has_segments(self) -> bool:
        """Whether segment embeddings tell the first text of a pair from the second."""
        return self.segments > 1

    @property
    def has_pooler(self) -> bool:
        """Whether the model has a tanh layer over the first token."""
        return self.pooler

    def with_pooler(self, *, has_pooler: bool) -> BertConfig:
        """Return the config with or without a pooler."""
        return replace(self, pooler=has_pooler)


class BertEmbedding(nn.Module):
    """Embedding of word pieces: the sum of the vectors of piece, segment and position, then layer normalisation."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        width = config.embedding_size or config.hidden_size
        self.word = zero_embedding(config.vocab_size, width)
        self.position = zero_embedding(config.max_positions, width) if config.positions == "learned" else None
        self.segment = zero_embedding(config.segments, width) if config.segments else None
        self.norm = LayerNorm(width, config.norm_eps, bias=config.norm_biases)
        self.dropout = Dropout(config.dropout)
        self.projection = nn.Linear(width, config.hidden_size) if width != config.hidden_size else None

    def forward(self, batch: Batch) -> Tensor:
        """Return the embedding of each token of a batch, [tokens, hidden_size]."""
        x: Tensor = self.word(batch.ids)
        if self.segment is not None:
            x = x + self._segment_rows(self.segment.weight, batch)
        if self.position is not None:
            x = x + self.position(batch.positions + self.config.first_position)
        x = self.dropout(self.norm(x))
        return x if self.projection is None else self.projection(x)

    def _segment_rows(self, rows: Tensor, batch: Batch) -> Tensor:
        """Return the segment vector of each token, [tokens, width]; of a model with one segment, its vector [width].

        The vectors are a one-hot product, not a look-up. A look-up sums its gradient in the dtype of the rows.
        Thousands of tokens share each of the two rows: in bfloat16 a fifth of their gradient would be lost.
        """
        if self.config.segments == 1:
            return rows[0]
        return functional.one_hot(batch.segments, self.config.segments).to(rows.dtype) @ rows


def bert(config: BertConfig) -> Transformer:
    """Build an encoder of the BERT family, with weights still to be drawn (`init_weights`) or read (`checkpoint`)."""
    return Transformer(config, BertEmbedding(config), pooler=config.pooler)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerNames:
    """The names that a checkpoint gives to the parts of a layer.

    Attributes:
        layer: prefix of the names of a layer's tensors, with `{}` for the layer's number.
        qkv: names of the maps of queries, keys and values, which this package stores as one map.
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
        """Return the rows of a `WeightMap` for the tensors of a layer, with `{}` in place of the layer's number."""
        prefix = f"{self.layer}."
        return (
            *linear("body.layers.{}.attention.qkv", *(prefix + part for part in self.qkv)),
            *linear("body.layers.{}.attention.output", prefix + self.output),
            *norm("body.layers.{}.attention_norm", prefix + self.attention_norm),
            *linear("body.layers.{}.mlp.up", prefix + self.up),
            *linear("body.layers.{}.mlp.down", prefix + self.down),
            *norm("body.layers.{}.mlp_norm", prefix + self.mlp_norm),
        )


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
TASK_LAYERS: Mapping[str, Mapping[str, str]] = {"": {"output": "classifier"}, "QuestionAnswering": {"output": "span"}}


def config_from_hf(fields: Fields) -> BertConfig:
    """Return the config of a BERT checkpoint, from the fields of its `config.json`."""
    fields.require("position_embedding_type", "absolute")
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
    """Return the fields of a BERT checkpoint's `config.json`, without `model_type`."""
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


def new_config(sizes: TransformerConfig) -> BertConfig:
    """Return the config of a new model to pretrain.

    A gated mlp has three matrices in place of two: its width is cut by a third, so that the number of parameters stays
    the same.
    """
    width = 8 * round(sizes.intermediate_size / 12) if sizes.gated else sizes.intermediate_size
    values = {each.name: getattr(sizes, each.name) for each in fields(sizes)}
    return BertConfig(**{**values, "intermediate_size": width})


def vocabulary_head(config: BertConfig, heads: Mapping[str, Tensor]) -> nn.Module:  # noqa: ARG001 - other families ask the tensors
    """Build the head that maps states to logits over the vocabulary.

    A causal model with pre-norm differs from GPT-2 in its embedding alone, and gets GPT-2's head, which has no weights
    of its own. Any other model gets BERT's head, whose weights must still be loaded.

    Args:
        config: the config of the encoder.
        heads: not used; heads of other families depend on the checkpoint's tensors.
    """
    return TiedHead() if config.causal and config.norm == "pre" else MaskedLanguageModelHead(config)


def _pretrained_class(config: BertConfig, heads: Collection[str], prefix: str) -> str:
    if config.causal:
        return f"{prefix}LMHeadModel"
    return f"{prefix}ForPreTraining" if "nsp" in heads else f"{prefix}ForMaskedLM"


BERT = Family(
    model_types=("bert",),
    encoder_class="BertModel",
    class_prefixes={"bert": "Bert"},
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
    new=new_config,
    lm_head=vocabulary_head,
    pretrained_class=_pretrained_class,
    task_layers=TASK_LAYERS,
    pools=True,
)
