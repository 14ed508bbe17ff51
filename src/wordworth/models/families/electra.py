"""ELECTRA checkpoints (Clark et al. 2020, arXiv 2003.10555): BERT without a pooler, with narrower embedding tables.

Both networks of ELECTRA are read: the discriminator, which is made to be fine-tuned, and the generator, which has the
head of a masked language model. The discriminator's own head, which says of each token whether it was replaced, is kept
in the checkpoint and used by nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.models.families import bert as bert_family
from wordworth.models.families.base import Family, Fields
from wordworth.models.families.bert import BertConfig
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm

HEAD_ROWS = (
    *linear("heads.mlm.dense", "generator_predictions.dense"),
    *norm("heads.mlm.norm", "generator_predictions.LayerNorm"),
    Row("heads.mlm.bias", ("generator_lm_head.bias",)),
    *linear("heads.replaced.dense", "discriminator_predictions.dense"),
    *linear("heads.replaced.output", "discriminator_predictions.dense_prediction"),
    *linear("heads.classifier.dense", "classifier.dense"),
    *linear("heads.classifier.output", "classifier.out_proj"),
    *linear("heads.tags", "classifier"),
    *linear("heads.span", "qa_outputs"),
)


def read(fields: Fields) -> BertConfig:
    """Return the config of an ELECTRA checkpoint, from the fields of its `config.json`."""
    config = bert_family.config_from_hf(fields)
    return replace(config, embedding_size=fields.integer("embedding_size", 128, least=1), pooler=False)


def write(config: BertConfig) -> Mapping[str, Any]:
    """Return the fields of an ELECTRA checkpoint's `config.json`, without `model_type`."""
    return {**bert_family.write(config), "embedding_size": config.embedding_size or config.hidden_size}


ELECTRA = Family(
    model_types=("electra",),
    encoder_class="ElectraModel",
    class_prefixes={"electra": "Electra"},
    table=WeightMap(
        rows=(*bert_family.ENCODER_ROWS, *linear("embedding.projection", "embeddings_project")),
        layer_rows=bert_family.LAYER_ROWS,
        head_rows=HEAD_ROWS,
        prefix="electra.",
        ignored=("embeddings.position_ids", "generator_lm_head.weight"),
    ),
    read=read,
    write=write,
    build=bert_family.bert,
    lm_head=bert_family.vocabulary_head,
)
