"""Variants of BERT from our own pretraining, for which transformers has no class.

The variants may have pre-norm, rotary positions, linear maps without biases, and a gated mlp. Tensors that BERT has
keep BERT's names; the model type is different, so that no library reads the model as BERT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.errors import BadInput, nearest
from wordworth.models.families import bert as bert_family
from wordworth.models.families.base import Family, Fields
from wordworth.models.families.bert import BertConfig
from wordworth.models.weight_mapping import WeightMap, norm

_VARIANTS: dict[str, tuple[Any, ...]] = {
    "norm": ("pre", "post"),
    "positions": ("learned", "rotary"),
    "biases": (True, False),
    "gated": (False, True),
}
"""Field in which such a model may differ from BERT -> the possible values, the default first."""


def read(fields: Fields) -> BertConfig:
    """Return the config of a checkpoint of this package's own BERT, from the fields of its `config.json`."""
    variant = {name: _one_of(fields, name, known) for name, known in _VARIANTS.items()}
    return replace(bert_family.config_from_hf(fields), **variant, rotary_base=fields.number("rotary_base", 10_000.0))


def write(config: BertConfig) -> Mapping[str, Any]:
    """Return the fields of the `config.json` of this package's own BERT, without `model_type`."""
    bert_fields = {
        name: value for name, value in bert_family.write(config).items() if name != "position_embedding_type"
    }
    return bert_fields | {name: getattr(config, name) for name in (*_VARIANTS, "rotary_base")}


def _one_of(fields: Fields, name: str, known: tuple[Any, ...]) -> Any:  # noqa: ANN401 - as the field has it
    value = fields.raw.get(name, known[0])
    if value not in known:
        mend = nearest(str(value), map(str, known))
        raise BadInput(f"{name!r} is {value!r}", where=fields.where, mend=mend)
    return value


OUR_BERT = Family(
    model_types=("wordworth-bert", "wordworth-pre-norm-bert"),
    encoder_class="WordworthBertModel",
    table=WeightMap(
        rows=(*bert_family.ENCODER_ROWS, *norm("body.final_norm", "encoder.LayerNorm")),
        layer_rows=bert_family.LAYER_ROWS,
        head_rows=bert_family.HEAD_ROWS,
        prefix="bert.",
        ignored=bert_family.BERT.table.ignored,
    ),
    read=read,
    write=write,
    build=bert_family.bert,
    new=bert_family.new_config,
    lm_head=bert_family.vocabulary_head,
    pools=True,
)
"""The second model type is that of older folders, in which only the norms differed."""
