"""Our own checkpoints of bidirectional language models, for which no library has a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from wordworth.models.bilm import BilmConfig, bilm
from wordworth.models.families.base import Family
from wordworth.models.families.config_fields import Fields
from wordworth.models.weight_mapping import Row, WeightMap, linear, table

MODEL_TYPE = "wordworth-bilm"

LAYER_ROWS = tuple(
    row
    for side in ("left_to_right", "right_to_left")
    for row in (
        *linear(f"body.layers.{{}}.{side}.input", f"layers.{{}}.{side}.input"),
        *table(f"body.layers.{{}}.{side}.recurrent", f"layers.{{}}.{side}.recurrent"),
        *table(f"body.layers.{{}}.{side}.projection", f"layers.{{}}.{side}.projection"),
    )
)
HEAD_ROWS = (
    Row("heads.bilm.bias", ("softmax.bias",)),
    *table("heads.bilm.output", "softmax"),
)


def read(fields: Fields) -> BilmConfig:
    """Convert the file's config to ours."""
    default = BilmConfig()
    integers = ("vocab_size", "projection_size", "cell_size", "max_length")
    return BilmConfig(
        **{name: fields.integer(name, getattr(default, name)) for name in integers},
        num_layers=fields.layers("num_layers", default.num_layers),
        cell_clip=_bound(fields, "cell_clip"),
        projection_clip=_bound(fields, "projection_clip"),
        residual=bool(fields.raw.get("residual", True)),
        dropout=fields.number("dropout", default.dropout),
        initializer_range=fields.number("initializer_range", default.initializer_range),
    )


def _bound(fields: Fields, name: str) -> float | None:
    return None if fields.raw.get(name) is None else fields.number(name, 0)


def write(config: BilmConfig) -> Mapping[str, Any]:
    """Convert our config to the file's; `hidden_size` is there for readers of any model."""
    return {**asdict(config), "hidden_size": config.hidden_size}


BILM = Family(
    model_types=(MODEL_TYPE,),
    architecture="BidirectionalLanguageModel",
    table=WeightMap(rows=table("embedding.word", "embedding.word"), layer_rows=LAYER_ROWS, head_rows=HEAD_ROWS),
    read=read,
    write=write,
    build=bilm,
)
