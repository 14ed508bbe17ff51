"""BERT with layers that transformers has no class for, as our own pretraining makes it.

Norms before each branch, rotary positions, maps without biases, a gated mlp. Names are BERT's where it has them; the
model type is its own, so that nothing reads it as BERT, which it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wordworth.errors import BadInput, nearest
from wordworth.models.bert import BertConfig, bert
from wordworth.models.families import bert as bert_family
from wordworth.models.families.base import Family
from wordworth.models.families.config_fields import Fields
from wordworth.models.weight_mapping import WeightMap, norm

_OWN: dict[str, tuple[Any, ...]] = {
    "norm": ("pre", "post"),
    "positions": ("learned", "rotary"),
    "biases": (True, False),
    "gated": (False, True),
}
"""What may differ, each with its values, first that of a folder that says nothing of it."""


def read(fields: Fields) -> BertConfig:
    """Our config from the file's."""
    own = {name: _one_of(fields, name, known) for name, known in _OWN.items()}
    return replace(bert_family.config_from_hf(fields), **own, rotary_base=fields.number("rotary_base", 10_000.0))


def write(config: BertConfig) -> Mapping[str, Any]:
    """The file's config from ours."""
    berts = {name: value for name, value in bert_family.write(config).items() if name != "position_embedding_type"}
    return berts | {name: getattr(config, name) for name in (*_OWN, "rotary_base")}


def is_plain(config: BertConfig) -> bool:
    """Whether it is BERT itself."""
    return config.norm == "post" and config.positions == "learned" and config.biases and not config.gated


def _one_of(fields: Fields, name: str, known: tuple[Any, ...]) -> Any:  # noqa: ANN401 - as the field has it
    value = fields.raw.get(name, known[0])
    if value not in known:
        mend = nearest(str(value), map(str, known))
        raise BadInput(f"{name!r} is {value!r}", where=fields.where, mend=mend)
    return value


OUR_BERT = Family(
    model_types=("wordworth-bert", "wordworth-pre-norm-bert"),
    architecture="WordworthBertModel",
    table=WeightMap(
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
"""The second model type is what folders were called while norms were all that differed."""
