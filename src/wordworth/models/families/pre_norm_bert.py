"""BERT with norms before each branch, as our own pretraining makes it; transformers has no class for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.models.bert import BertConfig, bert
from wordworth.models.families import bert as bert_family
from wordworth.models.families.family import Family
from wordworth.models.families.fields import Fields
from wordworth.models.names import NameTable, norm


def read(fields: Fields) -> BertConfig:
    """Our config from the file's."""
    return replace(bert_family.read(fields), norm="pre")


def write(config: BertConfig) -> Mapping[str, Any]:
    """The file's config from ours."""
    return bert_family.write(config)


PRE_NORM_BERT = Family(
    model_types=("wordworth-pre-norm-bert",),
    architecture="PreNormBertModel",
    table=NameTable(
        rows=(*bert_family.ENCODER_ROWS, *norm("body.final_norm", "encoder.LayerNorm")),
        layer_rows=bert_family.LAYER_ROWS,
        head_rows=bert_family.HEAD_ROWS,
        prefix="bert.",
        ignored=bert_family.BERT.table.ignored,
    ),
    read=read,
    write=write,
    build=bert,
)
"""BERT's names and one more norm. The model type is its own, so that nothing reads it as BERT, which it is not."""
