"""RoBERTa and XLM-R checkpoints: BERT's names, positions that start one past the padding id, one segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.models.families import bert as bert_family
from wordworth.models.families.base import Family, Fields
from wordworth.models.families.bert import BertConfig
from wordworth.models.weight_mapping import Row, WeightMap, linear, norm

HEAD_ROWS = (
    *linear("heads.mlm.dense", "lm_head.dense"),
    *norm("heads.mlm.norm", "lm_head.layer_norm"),
    Row("heads.mlm.bias", ("lm_head.bias",)),
    *linear("heads.classifier.dense", "classifier.dense"),
    *linear("heads.classifier.output", "classifier.out_proj"),
    *linear("heads.tags", "classifier"),
    *linear("heads.span", "qa_outputs"),
)


def read(fields: Fields) -> BertConfig:
    """Return the config of a RoBERTa or XLM-R checkpoint, from the fields of its `config.json`."""
    first = fields.integer("pad_token_id", 1) + 1
    return replace(bert_family.config_from_hf(fields), first_position=first)


def write(config: BertConfig) -> Mapping[str, Any]:
    """Return the fields of a RoBERTa or XLM-R checkpoint's `config.json`, without `model_type`."""
    padding = config.first_position - 1
    return {**bert_family.write(config), "pad_token_id": padding, "bos_token_id": 0, "eos_token_id": 2}


ROBERTA = Family(
    model_types=("roberta", "xlm-roberta", "camembert"),
    encoder_class="RobertaModel",
    class_prefixes={"roberta": "Roberta", "xlm-roberta": "XLMRoberta", "camembert": "Camembert"},
    table=WeightMap(
        rows=bert_family.ENCODER_ROWS,
        layer_rows=bert_family.LAYER_ROWS,
        head_rows=HEAD_ROWS,
        prefix="roberta.",
        ignored=("embeddings.position_ids", "lm_head.decoder.weight", "lm_head.decoder.bias"),
    ),
    read=read,
    write=write,
    build=bert_family.bert,
    lm_head=bert_family.vocabulary_head,
    task_layers={
        "": {"pooler": "classifier.dense", "output": "classifier.output"},
        "TokenClassification": {"output": "tags"},
        "MultipleChoice": {"output": "tags"},
        "QuestionAnswering": {"output": "span"},
    },
    pools=True,
)
